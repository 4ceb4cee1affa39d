"""Fast text generation that keeps its promises (Control-DAG, NAACL 2024, and past it).

`import controldag` needs no torch: engine, constraints, metrics and data work alone.
"""

from controldag.data.records import Act, Example, Triple
from controldag.errors import ControlDagError, DataError, InvalidInput

__version__ = "0.1.0"

__all__ = ["Act", "ControlDagError", "DataError", "Example", "InvalidInput", "Triple", "__version__"]
