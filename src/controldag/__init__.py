"""Fast text generation that keeps its promises (Control-DAG, NAACL 2024, and past it).

Nothing here needs torch: it is for training, GPUs and autoregressive twins.
"""

from importlib import import_module
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
    words,
)
from controldag.dag import Dag
from controldag.data.records import Act, Example, Triple
from controldag.data.schema import Schema
from controldag.errors import (
    ControlDagError,
    DataError,
    Infeasible,
    InvalidInput,
    LatticeTooLarge,
    MissingDependency,
    OddInput,
)
from controldag.lattice import Lattice, prune
from controldag.surfaces import Surfaces

if TYPE_CHECKING:
    from controldag.generation.request import Request
    from controldag.generation.result import Result
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
    "OddInput",
    "Request",
    "Result",
    "Schema",
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
    "words",
]
_ON_DEMAND = {
    "ControlDag": "controldag.pipeline",
    "Request": "controldag.generation.request",
    "Result": "controldag.generation.result",
}


def __getattr__(name: str) -> Any:
    """What belongs to generation, imported when first asked for: engine users need not have what it brings along."""
    if name in _ON_DEMAND:
        return getattr(import_module(_ON_DEMAND[name]), name)
    raise AttributeError(f"module 'controldag' has no attribute {name!r}")
