"""What stands beside every figure: its settings, and whether less of it is better."""

from __future__ import annotations

from importlib.metadata import version

from controldag.data import samples
from controldag.data.read import read_examples
from controldag.data.records import Example
from controldag.data.schema import Schema
from controldag.metrics.background import Background, TrainingData
from controldag.metrics.suite import measures
from controldag.text.independent_words import independent_words

SCHEMA = Schema.load(samples.SCHEMA)
SPELLING = f"pyspellchecker {version('pyspellchecker')}"
BLEU = f"case:mixed|eff:no|tok:13a|smooth:exp|version:{version('sacrebleu')}"
TOKENS = "|tokens of the texts by those of the references"
CHRF = f"case:mixed|eff:yes|nc:6|nw:0|space:no|as sacrebleu:{version('sacrebleu')}"
SINGLE = "1, each of a line's a pair of its own"
STRICT = "each non-categorical slot's value, once a slot|case:mixed|whole words|places of their own"
REPEATED = "words without punctuation|case:ignored|not those of the input"
COMMON = {
    "neo_independent": f"words:{len(independent_words())} of {SPELLING}, controldag/text/allow_list.py"
    "|or in: values of the input, also with 's|case:ignored",
    "unsupported": "digits with . , : / - inside|in the values of the input",
    "repeated_trigrams": f"{REPEATED}|n:3",
    "doubled_words": f"{REPEATED}|n:1",
    "empty": "nothing but blanks",
}
OF_ACTS = COMMON | {
    "bleu": f"nrefs:1|{BLEU}",
    "bp": f"nrefs:1|{BLEU}",
    "length_ratio": f"nrefs:1|{BLEU}{TOKENS}",
    "chrf": f"nrefs:1|{CHRF}",
    "ser": "values of non-categorical slots|case:ignored|substring|over all responses",
    "ser_applicable": "values of non-categorical slots|case:ignored|substring|over those with such a slot",
    "ser_strict": f"{STRICT}|over all responses",
    "ser_strict_applicable": f"{STRICT}|over those with a value",
    "categorical_said": "lexicon:controldag-categorical-lexicon/1|case:ignored|over values",
    "counts_said": "lexicon:controldag-categorical-lexicon/1|case:ignored|over values",
    "neo": f"words:115 of train, dev, case:mixed|or in: {SPELLING}, case ignored|or in: reference, input",
    "neo_strict": f"words:97 of train, case:mixed|or in: {SPELLING}, case ignored|or in: input",
    "foreign_values": "names:4 of train|case:mixed|whole words",
    "any_error": "any of ser, ser_strict, neo, neo_strict, neo_independent, unsupported, empty",
}
OF_TRIPLES = COMMON | {
    "bleu": f"nrefs:up to 3 together|{BLEU}",
    "bp": f"nrefs:up to 3 together|{BLEU}",
    "length_ratio": f"nrefs:up to 3 together|{BLEU}{TOKENS}",
    "bleu_single": f"nrefs:{SINGLE}|{BLEU}",
    "bp_single": f"nrefs:{SINGLE}|{BLEU}",
    "length_ratio_single": f"nrefs:{SINGLE}|{BLEU}{TOKENS}",
    "chrf": f"nrefs:best of all|{CHRF}",
    "eor": "rules:0, support 10 or more|case:ignored|substring|over all texts",
    "eor_constrained": "rules:0, support 10 or more|case:ignored|substring|over those with a rule",
    "ends_said": "different subjects and objects without table markers, yes and no|case:ignored|substring",
    "neo": f"words:72 of train, dev, case:mixed|or in: {SPELLING}, case ignored|or in: reference, input",
    "neo_strict": f"words:54 of train, case:mixed|or in: {SPELLING}, case ignored|or in: input",
    "foreign_values": "names:14 of train|case:mixed|whole words",
    "any_error": "any of eor, neo, neo_strict, neo_independent, unsupported, empty",
}
BETTER_HIGH = {"categorical_said", "counts_said", "ends_said"}
AS_THEY_ARE = {"bleu", "bp", "length_ratio", "bleu_single", "bp_single", "length_ratio_single", "chrf"}


def told(examples: list[Example], schema: Schema | None) -> dict[str, str]:
    background = Background.of(schema, examples, TrainingData.of(examples, schema, source="train"), source="dev")
    found = measures(examples, [example.target for example in examples], background)
    lower = {name for name, each in found.items() if each.lower_is_better}
    assert lower == set(found) - BETTER_HIGH - AS_THEY_ARE
    assert [each.name for each in found.values()] == list(found)
    return {name: each.signature for name, each in found.items()}


def test_of_acts() -> None:
    assert told(list(read_examples(samples.ACTS, schema=SCHEMA)), SCHEMA) == OF_ACTS


def test_of_triples() -> None:
    assert told(list(read_examples(samples.TRIPLES)), None) == OF_TRIPLES


def test_lists_without_a_name_say_so() -> None:
    examples = list(read_examples(samples.TRIPLES))[:1]
    training = TrainingData.of(examples)
    assert (training.source, training.words.source, training.known.source) == ("", "", "")
    texts = [example.target for example in examples]
    unnamed = measures(examples, texts, Background.of(None, examples, training))
    assert "of an unnamed list, case" in unnamed["neo"].signature
    half = measures(examples, texts, Background.of(None, examples, training, source="dev"))
    assert "of dev, case" in half["neo"].signature
    untrained = measures(examples, texts, Background.of(None, examples, source="dev"))
    assert "of dev, case" in untrained["neo"].signature


def test_rules_are_learnt_where_any_example_has_triples() -> None:
    acts, triples = list(read_examples(samples.ACTS, schema=SCHEMA))[:1], list(read_examples(samples.TRIPLES))[:1]
    assert TrainingData.of([*acts, *triples], SCHEMA).rules is not None
    assert TrainingData.of(acts, SCHEMA).rules is None
