"""Searches over a pruned lattice, from greedy to exact."""

from controldag.search.batch import SearchItem, search_batch
from controldag.search.beam import beam
from controldag.search.cbs_dag import cbs_dag
from controldag.search.exact import EngineFault, Limits, Pruning, best_strings, exact
from controldag.search.greedy import greedy
from controldag.search.language import ConstrainedLanguage, Sample
from controldag.search.lookahead import lookahead
from controldag.search.paper import DfsOptions, dfs_viterbi, prune_paper
from controldag.search.result import Hypothesis
from controldag.search.shortest_path import shortest_path
from controldag.search.viterbi import joint_viterbi, viterbi
from controldag.search.weights import NgramWeights

__all__ = [
    "ConstrainedLanguage",
    "DfsOptions",
    "EngineFault",
    "Hypothesis",
    "Limits",
    "NgramWeights",
    "Pruning",
    "Sample",
    "SearchItem",
    "beam",
    "best_strings",
    "cbs_dag",
    "dfs_viterbi",
    "exact",
    "greedy",
    "joint_viterbi",
    "lookahead",
    "prune_paper",
    "search_batch",
    "shortest_path",
    "viterbi",
]
