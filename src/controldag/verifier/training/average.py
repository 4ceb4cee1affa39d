"""The mean of two verifiers of one size and vocabulary: `python -m controldag.verifier.training.average ONE TWO OUT`.

Weights of two runs that began from the same ones lie close enough for it, and their mean errs less than either.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from controldag.errors import InvalidInput
from controldag.verifier.weights import Stored, load_network, save_network


def averaged(one: Stored, two: Stored, share: float) -> Stored:
    """One, moved towards two by that share."""
    same_sizes = replace(one.options, dropout=0.0) == replace(two.options, dropout=0.0)
    if not same_sizes or list(one.lexicon.vocabulary) != list(two.lexicon.vocabulary):
        raise InvalidInput.of("two", "have the sizes and words of one", "another verifier", remedy="Train from one.")
    tensors = {name: (1 - share) * each + share * two.tensors[name] for name, each in one.tensors.items()}
    return Stored(one.options, tensors, one.lexicon)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("one", type=Path)
    parser.add_argument("two", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--share", type=float, default=0.5, help="how far towards the second")
    given = parser.parse_args()
    network = averaged(load_network(given.one), load_network(given.two), given.share)
    save_network(network, given.out, about={"mean_of": [given.one.name, given.two.name], "share": given.share})


if __name__ == "__main__":
    main()
