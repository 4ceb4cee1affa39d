"""Required phrases join the entities of the vocabulary beside them."""

from controldag.constraints import WordList, any_of, contains, vocabulary
from controldag.constraints.required import with_required_entities
from controldag.lattice import Lattice, make_lattice
from controldag.search.batch import SearchItem, search_batch
from controldag.search.exact import best_strings
from controldag.search.language import ConstrainedLanguage

WORDS = WordList(["in"])
SURFACES = [b" in", b" San", b" Jose"]


def chain() -> Lattice:
    """One text: "in San Jose"."""
    emissions = [[], [(0, 0.5)], [(1, 0.5)], [(2, 0.5)], []]
    return make_lattice(emissions, [[(1, 0.0)], [(2, 0.0)], [(3, 0.0)], [(4, 0.0)], []], SURFACES)


def test_a_required_phrase_is_allowed_whole() -> None:
    assert best_strings(chain(), vocabulary(WORDS)) == []
    required = contains("San Jose") & vocabulary(WORDS)
    assert [each.text for each in best_strings(chain(), required)] == ["in San Jose"]
    either = vocabulary(WORDS) & any_of("San Jose", "SJ")
    assert [each.text for each in best_strings(chain(), either)] == ["in San Jose"]
    assert ConstrainedLanguage(chain(), required).log_probability > -10
    (found,) = search_batch([SearchItem(chain(), required)])
    assert isinstance(found, list)


def test_its_parts_are_not() -> None:
    assert best_strings(chain(), contains("San") & vocabulary(WORDS)) == []


def test_what_is_not_required_is_not_allowed() -> None:
    alternative = contains("San Jose") | contains("in")
    assert best_strings(chain(), alternative & vocabulary(WORDS)) == []
    assert best_strings(chain(), contains("San Jose").soft(1.0) & vocabulary(WORDS)) == []


def test_nothing_is_rebuilt_without_need() -> None:
    already = contains("San Jose") & vocabulary(WORDS, entities=["San Jose"])
    assert with_required_entities(already) is already
    assert with_required_entities(None) is None
