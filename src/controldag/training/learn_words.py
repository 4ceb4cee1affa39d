"""`python -m controldag.training.learn_words DATA OUT`: the rule and the tokenizer that all mixtures share.

Both take minutes and are the same for every mixture of a preset, so they are learnt once, from all parts, and lie in
the folder `words` of the data from then on.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from controldag.data.schema_words import FILE as WORDS
from controldag.text.tokenizer_training import write_tokenizer
from controldag.training.mixture import PARTS, TAUGHT, Material
from controldag.training.options import load_options
from controldag.training.prepare_mixture import TOKENIZER, learn_rule, learn_tokenizer


def main() -> None:
    """Writes both files."""
    parser = argparse.ArgumentParser(prog="controldag.training.learn_words", description=__doc__)
    parser.add_argument("data", type=Path, help="folder of the raw data")
    parser.add_argument("out", type=Path, help="folder of the two files")
    parser.add_argument("--config", default="base", help="a preset or a YAML file with a mixture")
    parser.add_argument("--rule-only", action="store_true", help="leave the tokenizer as it is")
    asked = parser.parse_args()
    options = load_options(asked.config).data
    # What is taught is made in words of schemas by rule: it says nothing of what people repeat.
    material = Material.read(asked.data, frozenset(PARTS) - set(TAUGHT))
    rule = learn_rule(material, replace(options, word_marks=0))
    asked.out.mkdir(parents=True, exist_ok=True)
    rule.save(asked.out / WORDS)
    if not asked.rule_only:
        write_tokenizer(learn_tokenizer(material, options, rule), asked.out / TOKENIZER)


if __name__ == "__main__":
    main()
