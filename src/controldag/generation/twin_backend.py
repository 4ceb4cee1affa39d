"""Texts of an autoregressive twin: one token after another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from controldag.errors import InvalidInput
from controldag.generation.backend import Outcome, Placed, caught, grouped, prepared, result_of, warned
from controldag.generation.cascade import CASCADE
from controldag.generation.decoders import decoder, decoder_for, decoders_of
from controldag.generation.reading import Prepared, Reading
from controldag.generation.request import Request
from controldag.generation.result import Result, Stopwatch
from controldag.generation.word_by_word import LONGEST, WordByWord, forced_tokens, said

if TYPE_CHECKING:
    from controldag.model.twin.predict import ArPredictor
    from controldag.model.twin.steps import TokenOutput
    from controldag.surfaces import Surfaces

_DEFAULT = "ar-constrained-beam"


@dataclass(frozen=True, slots=True)
class TwinBackend:
    """A twin as it reads requests."""

    reading: Reading

    def decoder_of(self, request: Request) -> str:
        """The decoder that the request names, or else the twin's."""
        default = self.reading.settings.decoder
        if request.decoder == CASCADE:
            return default
        return request.decoder or (default if default in decoders_of(autoregressive=True) else _DEFAULT)

    def prepare(self, request: Request) -> Prepared:
        """The request as the twin reads it; InvalidInput where it asks for what a twin cannot do."""
        named = decoder_for(self.decoder_of(request), autoregressive=True)
        if request.length is not None or request.n_best > 1:
            what, value = ("length", request.length) if request.length is not None else ("n_best", request.n_best)
            raise InvalidInput.of(what, "be left out with an autoregressive model", value, remedy="Use a DA-T5.")
        return self.reading.prepare(request, says_phrases=named.phrases)

    def outcomes(self, requests: Sequence[Request]) -> Iterator[Placed]:
        refused, ready = prepared(requests, self.prepare)
        yield refused
        for members in grouped(ready, self.reading):
            by_decoder: dict[str, list[tuple[int, Prepared]]] = {}
            for place, item in members:
                by_decoder.setdefault(self.decoder_of(item.request), []).append((place, item))
            for name, alike in by_decoder.items():
                found = self._say(name, [item for _, item in alike])
                yield list(zip((place for place, _ in alike), found, strict=True))

    def _say(self, name: str, items: Sequence[Prepared]) -> list[Outcome]:
        """What the twin says, all decoded together, in order."""
        from controldag.model.twin.predict import Saying

        predictor, words = self._predictor(), decoder(name).words or WordByWord()
        settings, tokenizer = self.reading.settings, self.reading.checkpoint.tokenizer
        watch = Stopwatch(self.reading.clock)
        with watch.stage("decode"):
            forced = [forced_tokens(item.demands, tokenizer) for item in items] if words.forced else None
            longest = LONGEST + max((sum(max(map(len, group)) for group in row) for row in forced or ()), default=0)
            beams = settings.beams if words.several else 1
            how = Saying(beams, forced, longest, length_penalty=settings.length_penalty)
            outputs = predictor.say([item.source for item in items], how)
        results: list[Outcome] = []
        for item, output in zip(items, outputs, strict=True):
            item.watch.add("decode", watch.ms["decode"] / len(items))
            spelled = item.source.surfaces or predictor.surfaces
            results.append(caught(partial(self._result, name, item, output, spelled)))
        return results

    def _result(self, name: str, item: Prepared, output: TokenOutput, surfaces: Surfaces) -> Result:
        return warned(result_of(name, item, [said(name, output, surfaces)]), self.reading.oddities(item.example))

    def _predictor(self) -> ArPredictor:
        from controldag.model.twin.predict import ArPredictor

        if not isinstance(self.reading.predictor, ArPredictor):
            name = self.reading.checkpoint.name
            raise InvalidInput.of("model", "be autoregressive", name, remedy="Use its twin.")
        return self.reading.predictor
