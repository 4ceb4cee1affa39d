"""BLEU, brevity penalty and slot errors of the fast decoders on development data, seen and unseen services apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from controldag.data.value_marks import MarkedValues
from controldag.metrics.bleu import corpus_bleu
from controldag.model.definition.da_t5 import DAT5ForGeneration
from controldag.model.definition.decode import best_tokens, greedy, joint_viterbi, lookahead
from controldag.model.twin.constrained_beam import BeamOptions, beam_search
from controldag.model.twin.network import ART5ForGeneration
from controldag.text.tokenizer import Tokenizer
from controldag.training.batching import sizes_of
from controldag.training.corpus import Corpus, Pairs, Reference

_LONGEST = 128  # positions of an output at most
_VERTICES = 48_000  # a batch holds at most, padding counted

Scores = dict[str, float]


@dataclass(frozen=True, slots=True)
class Validation:
    """Outputs of each decoder, in the order of the development data, and their scores."""

    scores: dict[str, Scores]  # decoder → bleu, bp, ser, bleu_seen, bleu_unseen, ser_seen, ser_unseen
    outputs: dict[str, list[str]]


def validate(
    model: DAT5ForGeneration | ART5ForGeneration,
    corpus: Corpus,
    *,
    examples: int,
    betas: Sequence[float],
    autocast: Callable[[], torch.autocast],
) -> Validation:
    """Decodes the first `examples` of the development data with every fast decoder, and scores the outputs."""
    count = min(examples, len(corpus.dev)) if examples else len(corpus.dev)
    tokenizer = Tokenizer(corpus.tokenizer_model)
    was_training = model.training
    model.eval()
    try:
        # Compiled code would be compiled anew for evaluation: not worth it for a few batches.
        with torch.no_grad(), autocast(), torch.compiler.set_stance("force_eager"):
            if isinstance(model, DAT5ForGeneration):
                ids = decode_graphs(model, corpus.dev, count, betas)
            else:
                ids = decode_words(model, corpus.dev, count)
    finally:
        model.train(was_training)
    references = corpus.references[:count]
    outputs = {
        name: [_text(tokenizer, row, each) for row, each in zip(rows, references, strict=True)]
        for name, rows in ids.items()
    }
    return Validation({name: score(texts, references) for name, texts in outputs.items()}, outputs)


def decode_graphs(
    model: DAT5ForGeneration, dev: Pairs, count: int, betas: Sequence[float]
) -> dict[str, list[list[int]]]:
    """Token ids by decoder for the first `count` sources."""
    names = ["greedy", "lookahead", *(f"viterbi-{beta:g}" for beta in betas)]
    results: dict[str, list[list[int]]] = {name: [[] for _ in range(count)] for name in names}
    config = model.config
    sizes = sizes_of(dev.expected, config) if config.vertices_per_length else None
    largest = 0 if sizes is None else int(sizes[:count].max(initial=0))
    ratio = config.vertices_per_token

    def vertices(source: int) -> int:
        return largest or max(int(ratio * source) + 1, config.min_vertices)

    for rows, batch in _batches(dev, count, vertices, model):
        given = None if sizes is None else torch.from_numpy(sizes[rows]).to(batch.device)
        graph = model(batch, graph_sizes=given)
        assert graph.logits is not None and graph.links is not None and graph.graph_sizes is not None
        best = best_tokens(graph.logits)
        links, own = graph.links.float(), graph.graph_sizes
        found = {"greedy": greedy(best, links, own), "lookahead": lookahead(best, links, own)}
        if betas:
            paths = joint_viterbi(best, links, own, _LONGEST)
            found |= {f"viterbi-{beta:g}": paths.choose(beta) for beta in betas}
        for name, outputs in found.items():
            for row, output in zip(rows, outputs, strict=True):
                results[name][row] = output
    return results


def decode_words(model: ART5ForGeneration, dev: Pairs, count: int) -> dict[str, list[list[int]]]:
    """Token ids of greedy and beam search (5 beams) for the first `count` sources."""
    results: dict[str, list[list[int]]] = {name: [[] for _ in range(count)] for name in ("greedy", "beam-1")}
    options = BeamOptions(beams=5, length_penalty=1.0, max_length=_LONGEST)
    for rows, batch in _batches(dev, count, lambda n: n + 64, model):
        found = {"greedy": model.greedy(batch, max_length=_LONGEST)}
        found["beam-1"] = [best.tokens for best in beam_search(model, batch, options)]
        for name, outputs in found.items():
            for row, output in zip(rows, outputs, strict=True):
                results[name][row] = output
    return results


def _batches(
    dev: Pairs, count: int, cost: Callable[[int], int], model: DAT5ForGeneration | ART5ForGeneration
) -> list[tuple[list[int], Tensor]]:
    """Rows and padded sources, sorted by length so that little is padding."""
    lengths = dev.sources.lengths[:count]
    order = np.argsort(lengths, kind="stable").tolist()
    pad, device = model.config.pad_token_id, model.device
    batches = []
    while order:
        longest = int(lengths[order[-1]])
        size = max(1, min(len(order), _VERTICES // cost(longest)))
        rows, order = order[-size:], order[:-size]
        padded = torch.full((size, longest), pad, dtype=torch.int64)
        for i, row in enumerate(rows):
            padded[i, : lengths[row]] = torch.tensor(dev.sources[row])
        batches.append((rows, padded.to(device)))
    return batches


def _text(tokenizer: Tokenizer, ids: list[int], reference: Reference) -> str:
    text = tokenizer.surface([token for token in ids if token < tokenizer.size]).strip()
    return MarkedValues(tuple(reference.values)).filled(text) if reference.values else text


def score(texts: list[str], references: list[Reference]) -> Scores:
    """BLEU, brevity penalty and slot error rate, overall and for seen and unseen services."""
    bleu = corpus_bleu(texts, [reference.references for reference in references])
    scores = {"bleu": bleu.score, "bp": bleu.brevity_penalty, "ser": slot_errors(texts, references)}
    for name, seen in (("seen", True), ("unseen", False)):
        rows = [i for i, reference in enumerate(references) if reference.seen is seen]
        if rows:
            part = [references[i] for i in rows]
            said = [texts[i] for i in rows]
            scores[f"bleu_{name}"] = corpus_bleu(said, [reference.references for reference in part]).score
            scores[f"ser_{name}"] = slot_errors(said, part)
    return scores


def slot_errors(texts: list[str], references: list[Reference]) -> float:
    """Percentage of texts that lack a phrase their input demands (case ignored), over all texts."""
    wrong = sum(
        any(phrase.lower() not in text.lower() for phrase in reference.phrases)
        for text, reference in zip(texts, references, strict=True)
    )
    return 100.0 * wrong / max(1, len(texts))
