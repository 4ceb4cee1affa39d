"""Where checkpoints are, and what stands in one beside the weights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from controldag.checkpoint.hub import fetched, is_hub_id
from controldag.checkpoint.knowledge import Knowledge
from controldag.checkpoint.language_model import FILE as NGRAMS
from controldag.checkpoint.language_model import LanguageWeights, load_weights
from controldag.checkpoint.settings import FILE, GenerationSettings
from controldag.constraints import TokenDictionary, WordList
from controldag.data.act_order import FILE as ORDER
from controldag.data.act_order import ActOrder
from controldag.data.occurrence import OccurrenceRules
from controldag.data.records import Example
from controldag.data.schema import Schema
from controldag.data.schema_words import FILE as SCHEMA_WORDS
from controldag.data.schema_words import SchemaWords
from controldag.data.service_words import service_words
from controldag.errors import DataError, InvalidInput
from controldag.files import atomic_write_text, read_json
from controldag.text.length import LengthModel
from controldag.text.tokenizer import BLANK_MARK, Tokenizer
from controldag.text.words import WordFile

BUNDLED = Path(__file__).resolve().parent.parent / "pretrained"
LEARNT = "learnt.txt"
"""The services, or the relations, that a checkpoint was trained on: one a line."""
# A relation that stands in fewer examples has been met, not learnt.
_OFTEN = 20
PAPER_MARKS = "$&'()*+,-./:;=>?@[]_"
"""What the paper's special-token automaton accepts, with the start-of-word mark."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A folder read, but for its weights. lists: where its settings, words and n-gram model are."""

    folder: Path
    name: str
    tokenizer: Tokenizer
    tokenizer_model: bytes
    settings: GenerationSettings
    knowledge: Knowledge
    lists: Path

    @classmethod
    def open(
        cls, name: str | Path, *, schema: Schema | None = None, like: str | Path = "", revision: str = ""
    ) -> Checkpoint:
        """The bundled checkpoint of that name, or the one in that folder or of that Hub id; `schema` replaces its own.

        A folder fresh from training holds weights and tokenizer only: `like` names a checkpoint of the same task
        whose settings, schema, words, rules and length model it takes, and the n-gram model where both have the same
        tokens. Where there is none for its tokens, the settings say 0.
        """
        folder = folder_of(name, revision=revision)
        model = folder / "tokenizer.model"
        tokenizer = Tokenizer.load(model)
        beside = folder_of(like, weights=False) if like else folder
        settings = GenerationSettings.load(beside / FILE)
        own_words = folder / SCHEMA_WORDS
        pointed = SchemaWords.load(own_words) if own_words.is_file() else None
        knowledge = replace(_knowledge(beside, schema), schema_words=pointed)
        made = cls(folder, name_of(Path(name)), tokenizer, model.read_bytes(), settings, knowledge, beside)
        return made if made._ngrams() is not None else replace(made, settings=settings.without_language_model())

    @property
    def autoregressive(self) -> bool:
        """Whether the model says one token after another instead of predicting a graph."""
        try:
            return bool(read_json(self.folder / "config.json")["model_type"] == "ar_t5")
        except (ValueError, KeyError, TypeError):
            return False  # loading the model tells what is wrong with it

    def ngram_weights(self, scale: float) -> LanguageWeights | None:
        """Its n-gram model times `scale`; None where that is 0, and for a twin, which has no use for it."""
        if not scale or self.autoregressive:
            return None
        path = self._ngrams()
        if path is None:
            raise InvalidInput.of("language_model", "be 0 without an n-gram model of the same tokens", scale)
        return load_weights(path, scale)

    def _ngrams(self) -> Path | None:
        """The file of the n-gram model; None where there is none for its tokens."""
        path, tokens = self.lists / NGRAMS, self.lists / "tokenizer.model"
        return path if path.is_file() and tokens.read_bytes() == self.tokenizer_model else None

    def paper_dictionary(self) -> TokenDictionary | None:
        """The paper's words and special tokens in this checkpoint's tokens; None where it has no such list."""
        entries = self.paper_entries()
        return TokenDictionary([tokens for tokens, _ in entries]) if entries else None

    def paper_entries(self) -> list[tuple[tuple[int, ...], bool]]:
        """Each entry of that dictionary, and whether it is a word (or else one special token)."""
        path = self.lists / "paper_words.txt"
        if not path.is_file():
            return []
        words = [tuple(self.tokenizer.encode(word)) for word in WordFile.load(path)]
        marks = [self.tokenizer.id_of(mark) for mark in (*PAPER_MARKS, BLANK_MARK)]
        # Our pieces hold a mark with its blank as one token too (`▁$`).
        marks += [self.tokenizer.id_of(BLANK_MARK + mark) for mark in PAPER_MARKS]
        return [*((word, True) for word in words), *(((mark,), False) for mark in marks if mark is not None)]


def save_learnt(examples: Iterable[Example], path: Path) -> None:
    """Writes the services that the examples speak of, or the relations that stand in enough of them."""
    services: set[str] = set()
    relations: Counter[str] = Counter()
    for example in examples:
        services.update([example.service] if example.acts else [])
        relations.update(triple.relation for triple in example.triples if "\n" not in triple.relation)
    often = {relation for relation, count in relations.items() if count >= _OFTEN}
    with atomic_write_text(path) as file:
        file.writelines(f"{name}\n" for name in sorted(services | often))


def bundled() -> tuple[str, ...]:
    """The names of the checkpoints that come with the package."""
    return tuple(sorted(path.name for path in BUNDLED.glob("*") if (path / FILE).is_file()))


def has_weights(name: str) -> bool:
    """Whether the bundled checkpoint of that name is there with its weights."""
    return any((BUNDLED / name).glob("*.safetensors"))


def folder_of(name: str | Path, *, weights: bool = True, revision: str = "") -> Path:
    """The folder of a bundled checkpoint, of one of the user's own, or of a Hub id once it is fetched.

    `weights`: they have to be there, or else settings and lists alone. `revision`: of a Hub id. InvalidInput where
    something is missing.
    """
    on_hub = is_hub_id(name)
    if revision and not on_hub:
        raise InvalidInput.of("revision", "go with an id of the Hub", revision, remedy="Leave it out for folders.")
    folder = fetched(str(name), revision) if on_hub else BUNDLED / name if str(name) in bundled() else Path(name)
    if not (folder / ("config.json" if weights else FILE)).is_file():
        rule = f"be one of {', '.join(bundled())}, a folder with a config.json or an id of the Hub with one"
        raise InvalidInput.of("model", rule, str(name), remedy="Train one.")
    if weights and not any(folder.glob("*.safetensors")):
        raise InvalidInput(
            f"The weights of {name} are not here ({folder} holds no *.safetensors).",
            remedy=f"Train them with `controldag train {Path(name).name}` and copy them into that folder.",
        )
    return folder


def name_of(folder: Path) -> str:
    """What a checkpoint is called: its folder, or of a finished run (`NAME/final`) the run."""
    return folder.parent.name if folder.name == "final" and folder.parent.name else folder.name


def _knowledge(folder: Path, schema: Schema | None) -> Knowledge:
    words, rules, length = folder / "words.txt", folder / "rules.json", folder / "length.json"
    own, order, learnt = folder / "schema.json", folder / ORDER, folder / LEARNT
    known = _learnt(learnt) if learnt.is_file() else frozenset()
    brought = Schema.load(own) if own.is_file() else None
    services = brought.services.values() if brought is not None else ()
    return Knowledge(
        schema=schema or brought,
        words=WordList(WordFile.load(words)) if words.is_file() else None,
        rules=OccurrenceRules.load(rules) if rules.is_file() else None,
        length=LengthModel.load(length) if length.is_file() else None,
        order=ActOrder.load(order) if order.is_file() else None,
        learnt=known,
        learnt_words=tuple(service_words(service) for service in services if service.name in known),
    )


def _learnt(path: Path) -> frozenset[str]:
    try:
        return frozenset(path.read_text("utf-8").split("\n"))
    except UnicodeDecodeError as error:
        raise DataError(
            f"is not UTF-8 ({error})", path=path, remedy="Copy it again from where the model is whole."
        ) from error


class Lists:
    """What decoders read from a checkpoint, each when first asked for, and once: for all of its models."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        self._checkpoint = checkpoint
        self._ngrams: dict[float, LanguageWeights | None] = {}

    @cached_property
    def paper_dictionary(self) -> TokenDictionary | None:
        """The paper's words and special tokens in the checkpoint's tokens; None where it has no such list."""
        return self._checkpoint.paper_dictionary()

    def ngrams(self, scale: float) -> LanguageWeights | None:
        """The n-gram model times `scale`; None where that is 0."""
        if scale not in self._ngrams:
            self._ngrams[scale] = self._checkpoint.ngram_weights(scale)
        return self._ngrams[scale]
