"""The linear length predictor: how long a text will be, from how long its input is (both in tokens)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

import numpy as np

from controldag.errors import DataError, InvalidInput
from controldag.files import read_format, write_json

Rounding = Literal["round", "ceil"]
FORMAT = "controldag-length-model/1"
_REMEDY = "Fit it again with `controldag data length`."


@dataclass(frozen=True, slots=True)
class LengthModel:
    """Target length L_tgt = rounding(slope · x + intercept), at least 1; `</s>` is counted on both sides.

    `r_squared` and `pairs` say how well and on how much it was fitted; they are None and 0 for given coefficients.
    """

    slope: float
    intercept: float
    rounding: Rounding = "round"
    r_squared: float | None = None
    pairs: int = 0
    source: str = ""

    def __post_init__(self) -> None:
        if not (math.isfinite(self.slope) and math.isfinite(self.intercept)):
            raise InvalidInput.of("slope, intercept", "be finite numbers", (self.slope, self.intercept))
        if self.rounding not in get_args(Rounding):
            raise InvalidInput.of("rounding", "be 'round' or 'ceil'", self.rounding)

    @classmethod
    def fit(cls, pairs: Iterable[tuple[int, int]], *, source: str = "") -> LengthModel:
        """The least-squares line through (input length, target length) pairs; needs two different input lengths."""
        lengths = np.array(list(pairs), dtype=np.float64).reshape(-1, 2)
        x, y = lengths[:, 0], lengths[:, 1]
        if len(np.unique(x)) < 2:
            raise InvalidInput.of(
                "pairs", "hold at least two different input lengths", lengths[:3].tolist(), remedy="Give more examples."
            )
        centred = x - x.mean()
        slope = float(centred @ y / (centred @ centred))
        intercept = float(y.mean() - slope * x.mean())
        left_over = float(((y - slope * x - intercept) ** 2).sum())
        spread = float(((y - y.mean()) ** 2).sum())
        r_squared = 1.0 - left_over / spread if spread > 0 else 1.0
        return cls(slope, intercept, r_squared=r_squared, pairs=len(x), source=source)

    def predict(self, input_length: int) -> int:
        """The target length for an input of `input_length` tokens, `</s>` counted on both sides; never below 1."""
        if input_length < 0:
            raise InvalidInput.of("input_length", "not be negative", input_length)
        exact = self.slope * input_length + self.intercept
        return max(1, math.ceil(exact) if self.rounding == "ceil" else round(exact))

    def save(self, path: str | Path) -> None:
        """Writes the model as JSON."""
        write_json(
            path,
            {
                "format": FORMAT,
                "slope": self.slope,
                "intercept": self.intercept,
                "rounding": self.rounding,
                "r_squared": self.r_squared,
                "pairs": self.pairs,
                "source": self.source,
            },
        )

    @classmethod
    def load(cls, path: str | Path) -> LengthModel:
        """The model of a file that `save` wrote."""
        content = read_format(path, FORMAT, _REMEDY)
        for name, types in _FIELDS.items():
            value = content.get(name)
            if name not in content or not isinstance(value, types) or isinstance(value, bool):
                raise _bad(path, name, f"is missing or of a wrong kind ({value!r})")
        try:
            return cls(**{name: content[name] for name in _FIELDS})
        except InvalidInput as error:
            raise _bad(path, "", error.message.rstrip(".")) from error


_FIELDS: dict[str, tuple[type, ...]] = {
    "slope": (int, float),
    "intercept": (int, float),
    "rounding": (str,),
    "r_squared": (int, float, type(None)),
    "pairs": (int,),
    "source": (str,),
}

# The paper's lines. The one printed for SGD has slope and intercept swapped; the released code uses the other order,
# with coefficients that were fitted on characters and are applied to tokens (about twice too long).
PRESETS: dict[str, LengthModel] = {
    "paper-sgd": LengthModel(0.3855, 26.0786, "round", source="the paper's released code, SGD"),
    "paper-sgd-printed": LengthModel(26.1, 0.4, "ceil", source="the paper's appendix, SGD"),
    "paper-dart": LengthModel(0.5, 11.9, "ceil", source="the paper's appendix, DART"),
}


def length_model(name_or_path: str) -> LengthModel:
    """The preset of that name, or else the model saved in that file."""
    if name_or_path in PRESETS:
        return PRESETS[name_or_path]
    if not Path(name_or_path).is_file():
        raise InvalidInput.of("length model", f"be one of {', '.join(PRESETS)}, or a file", name_or_path)
    return LengthModel.load(name_or_path)


def _bad(path: str | Path, where: str, reason: str) -> DataError:
    return DataError(f"{reason}.", path=path, field=where, remedy=_REMEDY)
