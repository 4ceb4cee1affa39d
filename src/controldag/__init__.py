"""Fast text generation that keeps its promises (Control-DAG, NAACL 2024, and past it).

Nothing here needs torch: it is for training, GPUs and autoregressive twins.
"""

from typing import TYPE_CHECKING, Any

from controldag import search
from controldag.constraints import (
    Constraint,
    Length,
    WordList,
    all_of,
    any_of,
    contains,
    in_order,
    pattern,
    vocabulary,
)
from controldag.dag import Dag, Surfaces
from controldag.data.records import Act, Example, Triple
from controldag.errors import (
    ControlDagError,
    DataError,
    Infeasible,
    InvalidInput,
    LatticeTooLarge,
    MissingDependency,
)
from controldag.lattice import Lattice, prune

if TYPE_CHECKING:
    from controldag.pipeline import ControlDag

__version__ = "0.1.0"

__all__ = [
    "Act",
    "Constraint",
    "ControlDag",
    "ControlDagError",
    "Dag",
    "DataError",
    "Example",
    "Infeasible",
    "InvalidInput",
    "Lattice",
    "LatticeTooLarge",
    "Length",
    "MissingDependency",
    "Surfaces",
    "Triple",
    "WordList",
    "__version__",
    "all_of",
    "any_of",
    "contains",
    "in_order",
    "pattern",
    "prune",
    "search",
    "vocabulary",
]


def __getattr__(name: str) -> Any:
    """`ControlDag`, imported when first asked for: it brings the tokenizer along, which engine users need not have."""
    if name == "ControlDag":
        from controldag.pipeline import ControlDag

        return ControlDag
    raise AttributeError(f"module 'controldag' has no attribute {name!r}")
