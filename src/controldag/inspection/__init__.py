"""What happened to one request, for people to look at: a page with the graph, the paths and the constraints."""

from controldag.inspection.inspection import Inspection, inspect_dag
from controldag.inspection.table import ResultTable

__all__ = ["Inspection", "ResultTable", "inspect_dag"]
