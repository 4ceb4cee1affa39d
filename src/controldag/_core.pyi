"""Typed face of the C++ extension (cpp/bindings). Python code elsewhere wraps it; users need not call it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from controldag.errors import ControlDagError

def fold_case(text: bytes) -> bytes:
    """UTF-8 text with each letter in lower case, as the engine's ignore-case automata read it."""

class Lattice:
    vertices: int
    emissions: int
    arcs: int
    emit_begin: list[int]
    emit_token: list[int]
    emit_cost: list[float]
    arc_begin: list[int]
    arc_to: list[int]
    arc_cost: list[float]
    token_id: list[int]
    surface: list[bytes]

def make_lattice(
    emit_begin: NDArray[np.int32],
    emit_token: NDArray[np.int32],
    emit_cost: NDArray[np.float32],
    arc_begin: NDArray[np.int32],
    arc_to: NDArray[np.int32],
    arc_cost: NDArray[np.float32],
    token_id: NDArray[np.int64],
    surface: Sequence[bytes],
    /,
) -> Lattice: ...

class SurfaceTable:
    def __len__(self) -> int: ...

def make_surface_table(surfaces: Sequence[bytes], /) -> SurfaceTable: ...
def change_surface_table(table: SurfaceTable, changes: Sequence[tuple[int, bytes]], /) -> SurfaceTable: ...
def prune(
    tokens: NDArray[np.int64],
    log_emissions: NDArray[np.float32],
    kept: NDArray[np.int64],
    log_kept: NDArray[np.float32],
    log_transitions: NDArray[np.float32],
    max_arcs: int,
    surfaces: SurfaceTable,
    /,
) -> Lattice: ...
def check_rows(name: str, rows: NDArray[np.float32], first: int, end: int, whole: bool, forward: bool, /) -> None: ...

class WordList:
    size: int

def make_word_list(words: Sequence[bytes], punctuation: bytes, /) -> WordList: ...

class TokenTrie: ...

def make_token_trie(words: Sequence[Sequence[int]], /) -> TokenTrie: ...

class Constraint:
    label: str

def phrases(stages: Sequence[Sequence[tuple[bytes, bool, bool]]], own: bool, label: str, /) -> Constraint: ...
def vocabulary(
    words: WordList,
    entities: Sequence[bytes],
    any_number: bool,
    numbers: Sequence[bytes],
    genitives: bool,
    label: str,
    /,
) -> Constraint: ...
def token_phrase(tokens: Sequence[int], label: str, /) -> Constraint: ...
def token_vocabulary(dictionary: TokenTrie, dynamic: Sequence[Sequence[int]], label: str, /) -> Constraint: ...
def nfa(
    states: int,
    start: int,
    accept: int,
    sticky: bool,
    edges: Sequence[tuple[int, int, int, int]],
    epsilons: Sequence[tuple[int, int, int]],
    label: str,
    /,
) -> Constraint: ...
def all_of(children: Sequence[Constraint], /) -> Constraint: ...
def one_of(children: Sequence[Constraint], /) -> Constraint: ...
def negation(child: Constraint, /) -> Constraint: ...
def soft(child: Constraint, penalty: float, /) -> Constraint: ...
def conjuncts(constraint: Constraint, /) -> list[Constraint]: ...

class Limits:
    max_states: int
    closure_states: int
    max_bytes: int
    max_seconds: float
    sharpen_after: int
    def expire_in(self, seconds: float) -> None: ...

class SearchStats:
    states: int
    relaxations: int
    rounds: int

class Found:
    tokens: list[int]
    vertices: list[int]
    text: bytes
    cost: float
    objective: float
    penalty: float
    ngrams: float

class TokenWeights: ...

def ngram_weights(ngrams: Sequence[tuple[Sequence[int], float]], /) -> TokenWeights: ...
def alias_weights(weights: TokenWeights, aliases: Sequence[tuple[int, int]], /) -> TokenWeights: ...
def backoff_weights(
    costs: Sequence[tuple[NDArray[np.int64], NDArray[np.float32]]],
    backoffs: Sequence[tuple[NDArray[np.int64], NDArray[np.float32]]],
    unknown: float,
    scale: float,
    aliases: Sequence[tuple[int, int]] = ...,
) -> TokenWeights: ...
def search_exact(
    lattice: Lattice,
    constraints: Sequence[Constraint],
    weights: NDArray[np.float64],
    limits: Limits,
    ngrams: TokenWeights | None = None,
) -> tuple[Found | None, SearchStats]: ...
def search_n_best(
    lattice: Lattice,
    constraints: Sequence[Constraint],
    weights: NDArray[np.float64],
    n: int,
    limits: Limits,
    ngrams: TokenWeights | None = None,
) -> tuple[list[Found], SearchStats]: ...

class BatchItem:
    def __init__(
        self,
        lattice: Lattice,
        constraints: Sequence[Constraint],
        weights: NDArray[np.float64],
        n_best: int,
        ngrams: TokenWeights | None = None,
    ) -> None: ...

def search_batch(
    items: Sequence[BatchItem], limits: Limits, threads: int, /
) -> list[list[Found] | ControlDagError]: ...

class Language:
    def __init__(
        self,
        lattice: Lattice,
        constraints: Sequence[Constraint],
        weights: NDArray[np.float64],
        limits: Limits,
        track_lengths: bool,
        /,
    ) -> None: ...
    log_probability: float
    states: int
    def sample(self, count: int, seed: int, /) -> list[tuple[Found, list[float]]]: ...
    def emission_posteriors(self) -> list[float]: ...
    def vertex_posteriors(self) -> list[float]: ...
    def token_counts(self) -> list[float]: ...
    def expected_ngrams(self, order: int, least: float, /) -> list[tuple[list[int], float]]: ...

def search_greedy(lattice: Lattice, /) -> Found | None: ...
def search_lookahead(lattice: Lattice, /) -> Found | None: ...
def search_viterbi(lattice: Lattice, weights: NDArray[np.float64], limits: Limits, /) -> Found | None: ...
def search_beam(
    lattice: Lattice, phrases: Sequence[Sequence[int]], size: int, weights: NDArray[np.float64], limits: Limits, /
) -> Found | None: ...
def search_dfs_viterbi(
    lattice: Lattice,
    constraints: Sequence[Constraint],
    weights: NDArray[np.float64],
    share: float,
    successors: int,
    longest: int,
    limits: Limits,
    /,
) -> Found | None: ...

class VerifierNetwork:
    def __init__(self, sizes: dict[str, int], weights: dict[str, NDArray[np.float32]]) -> None: ...
    def judge(
        self,
        table: NDArray[np.int32],
        claims: NDArray[np.int32],
        starts: NDArray[np.int32],
        texts: NDArray[np.int32],
        lengths: NDArray[np.int32],
        /,
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]: ...
