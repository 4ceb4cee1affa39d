"""What a training run is made of: YAML files read into typed, checked options."""

from __future__ import annotations

import dataclasses
import types
import typing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import yaml

from controldag.data.value_marks import MARKED, NAMES
from controldag.errors import InvalidInput

T = TypeVar("T")
PRESETS = Path(__file__).resolve().parent / "presets"


@dataclass(frozen=True, slots=True)
class DataOptions:
    """Which data, and how it is written out and cut into tokens."""

    dataset: str = "sgd"  # sgd, dart, toy, mixture (training/mixture.py), or own: the user's, see data/own_data.py
    lineariser: str = "schema-guided"
    value_separator: str = " , "
    tokenizer: str = "own"  # `own`: trained on the training data; `t5`: T5's SentencePiece model
    vocabulary: int = 8000  # pieces of an own tokenizer
    variants: int = 1  # copies of the training data; all but the first with values exchanged
    shuffled: bool = False  # all variants but the first name their acts or triples in random order
    value_marks: int = 0  # of an own tokenizer: this many values of an input are pointed at, not spelled; 0: none
    # What of acts has them. names: values of non-categorical slots; values: of categorical ones too (yes and no never).
    marked: str = NAMES
    # Distillation, see recipes/distil: the autoregressive twin whose words are the targets, and how many further inputs
    # of a part of the triples each training input gives.
    distilled_from: str = ""
    parts: int = 0
    word_marks: int = 0  # words of the schema that are pointed at, behind the values
    # Of dataset `mixture`: how many copies of each part (training/mixture.py), each drawn anew.
    mixture: dict[str, Any] = field(default_factory=dict)
    # Of own data: a checksum, so that changed files are prepared anew and do not go on with another run.
    files: str = ""


@dataclass(frozen=True, slots=True)
class BatchOptions:
    """How examples are put together. Shapes come from few buckets, so that kernels see few shapes."""

    tokens: int = 64_000  # vertices (autoregressive: source and target tokens) a step, padding counted
    step: int = 16  # graph widths are multiples of this
    least_share: float = 0.005  # a bucket with a smaller share of the examples is merged into the next wider one
    source_step: int = 0  # buckets are split where sources are longer than multiples of this; 0: never


@dataclass(frozen=True, slots=True)
class OptimiserOptions:
    """AdamW and its schedule, a cosine after the warm-up, by the share of steps or minutes that is done."""

    learning_rate: float = 8e-4
    warmup_steps: int = 500
    weight_decay: float = 0.01
    ema: float = 0.999  # decay of the averaged weights, which are the ones saved; 0: none


@dataclass(frozen=True, slots=True)
class GlancingOptions:
    """Share of the wrong positions that are revealed, from start to end of training (linear in progress)."""

    start: float = 0.5
    end: float = 0.1
    forced: bool = True  # a vertex that was revealed emits its token and no other


@dataclass(frozen=True, slots=True)
class TrainingOptions:
    """One training run."""

    name: str
    kind: str = "da"  # da: DA-T5; ar: the autoregressive twin
    init: str = ""  # a checkpoint whose weights, tokenizer and linearisation it starts from; empty: from scratch
    model: dict[str, Any] = field(default_factory=dict)  # fields of the model's config
    data: DataOptions = DataOptions()
    batch: BatchOptions = BatchOptions()
    optimiser: OptimiserOptions = OptimiserOptions()
    glancing: GlancingOptions = GlancingOptions()
    # Fine-tuning by the expected overlap of n-grams of this order (model.definition.fuzzy); 0: the likelihood.
    fuzzy_order: int = 0
    # With it: what each value said too often or not at all costs (`miscount` there); needs value marks.
    miscount_weight: float = 0.0
    label_smoothing: float = 0.0  # autoregressive only
    hidden_source: float = 0.0  # share of the source's pieces that training hides, see training/hiding.py
    epochs: float = 30.0  # the end, where neither steps nor minutes say otherwise
    steps: int = 0  # 0: as many as the epochs make
    precision: str = "bf16"  # bf16 or float32 (a CPU always computes in float32)
    compile: bool = True  # on a GPU
    fused: bool = True  # Triton kernels in the loss, on a GPU
    attention: str = "plain"  # plain; sdpa: torch's scaled_dot_product_attention; fused: our Triton kernels, on a GPU
    residual: str = "float32"  # of what runs from layer to layer: float32, or bf16 where precision is bf16 (a GPU)
    seed: int = 1
    log_every: int = 50
    validation_examples: int = 2000
    viterbi_betas: tuple[float, ...] = (1.0, 1.15, 1.3, 1.45, 1.6)
    save_every: int = 0  # steps; 0: every two minutes, and at the end

    def check(self) -> None:
        """Raises `InvalidInput` where an option breaks a rule."""
        _one_of("kind", self.kind, ("da", "ar"))
        _one_of("attention", self.attention, ("plain", "sdpa", "fused"))
        _one_of("residual", self.residual, ("float32", "bf16"))
        _one_of("precision", self.precision, ("bf16", "float32"))
        _one_of("data.marked", self.data.marked, MARKED)
        _one_of("data.tokenizer", self.data.tokenizer, ("own", "t5"))
        for name, value in (("glancing.start", self.glancing.start), ("glancing.end", self.glancing.end)):
            if not 0.0 <= value <= 1.0:
                raise InvalidInput.of(name, "be in [0, 1]", value)
        if not 0 <= self.fuzzy_order <= 4 or (self.fuzzy_order and (self.kind != "da" or self.glancing.start)):
            rule = "be 0, or up to 4 for DA-T5 with `glancing.start` 0"
            raise InvalidInput.of("fuzzy_order", rule, self.fuzzy_order, remedy="Add `glancing: {start: 0, end: 0}`.")
        if self.miscount_weight < 0 or (self.miscount_weight and not self.fuzzy_order):
            raise InvalidInput.of("miscount_weight", "be 0, or above it with a `fuzzy_order`", self.miscount_weight)
        if not 0.0 <= self.hidden_source < 1.0:
            raise InvalidInput.of("hidden_source", "be in [0, 1)", self.hidden_source)
        if not 0.0 <= self.optimiser.ema < 1.0:
            raise InvalidInput.of("optimiser.ema", "be in [0, 1)", self.optimiser.ema)
        if self.optimiser.learning_rate <= 0:
            raise InvalidInput.of("optimiser.learning_rate", "be positive", self.optimiser.learning_rate)
        for name, count in (("batch.tokens", self.batch.tokens), ("batch.step", self.batch.step)):
            if count < 1:
                raise InvalidInput.of(name, "be at least 1", count)
        if self.data.value_marks < 0 or (self.data.value_marks and self.data.tokenizer != "own"):
            raise InvalidInput.of("data.value_marks", "be 0, or more with an own tokenizer", self.data.value_marks)
        if self.init and self.model:
            raise InvalidInput.of("model", "be left to the checkpoint it starts from", self.model)
        if self.data.variants < 1:
            raise InvalidInput.of("data.variants", "be at least 1", self.data.variants)
        if self.data.parts < 0 or (
            self.data.parts and not (self.data.distilled_from and self.data.lineariser.startswith("triples"))
        ):
            raise InvalidInput.of("data.parts", "be 0, or more for triples that a twin tells", self.data.parts)
        if self.steps < 0 or self.epochs <= 0:
            raise InvalidInput.of("steps, epochs", "be at least 0, and above 0", (self.steps, self.epochs))


def _one_of(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise InvalidInput.of(name, f"be one of {', '.join(allowed)}", value)


def load_options(config: str | Path) -> TrainingOptions:
    """Options of a preset (`sgd-small`) or of a YAML file."""
    path = Path(config)
    if path.suffix not in (".yaml", ".yml"):
        path = PRESETS / f"{config}.yaml"
    if not path.is_file():
        names = ", ".join(preset_names())
        raise InvalidInput.of("config", f"be a YAML file or one of {names}", str(config))
    try:
        values = yaml.safe_load(path.read_text("utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path} is not readable YAML: {error}.", remedy="Mend the file.") from error
    if not isinstance(values, dict):
        raise InvalidInput.of("config", "be a YAML mapping of options", values)
    return options_from(values)


def preset_names() -> list[str]:
    """The names of the presets."""
    return sorted(path.stem for path in PRESETS.glob("*.yaml"))


def options_from(values: dict[str, Any]) -> TrainingOptions:
    """Options from nested mappings, each key and type checked."""
    options = _build(TrainingOptions, values, "")
    options.check()
    return options


def options_to(options: TrainingOptions) -> dict[str, Any]:
    """The options as nested mappings, as `options_from` takes them."""
    values = dataclasses.asdict(options)
    values["viterbi_betas"] = list(options.viterbi_betas)
    return values


def _build(kind: type[T], values: Any, prefix: str) -> T:
    if not isinstance(values, dict):
        raise InvalidInput.of(prefix.rstrip(".") or "config", "be a mapping of options", values)
    hints = typing.get_type_hints(kind)
    known = {f.name for f in dataclasses.fields(kind)}  # type: ignore[arg-type]
    for key in values:
        if key not in known:
            raise InvalidInput(f"unknown option `{prefix}{key}`.", remedy=f"Known here: {', '.join(sorted(known))}.")
    if "name" in known and "name" not in values:
        raise InvalidInput("the option `name` is missing.", remedy="Give the run a name.")
    return kind(**{key: _convert(hints[key], value, prefix + key) for key, value in values.items()})


def _convert(wanted: Any, value: Any, name: str) -> Any:
    if dataclasses.is_dataclass(wanted):
        return _build(typing.cast(type, wanted), value, name + ".")
    origin = typing.get_origin(wanted)
    if origin is tuple:
        if not isinstance(value, list | tuple) or not all(_is_number(item) for item in value):
            raise InvalidInput.of(name, "be a list of numbers", value)
        return tuple(float(item) for item in value)
    if origin is dict:
        if not isinstance(value, dict):
            raise InvalidInput.of(name, "be a mapping", value)
        return dict(value)
    if wanted is float and _is_number(value):
        return float(value)
    if isinstance(wanted, types.UnionType) or type(value) is not wanted:
        raise InvalidInput.of(name, f"be of type {getattr(wanted, '__name__', wanted)}", value)
    return value


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
