"""The engine without any model, torch or tokenizer: your own graph of tokens, searched exactly under constraints."""

import sys

import numpy as np

import controldag as cd

words = ["The", "A", "ferry", "boat", "leaves", "sails", "from", "Oban", "Obann", "at", "noon"]
surfaces = cd.Surfaces([*(f" {word}".encode() for word in words), b"."])

# Probabilities of a made-up model. Vertex 0 stands for <s>, the last one for </s>.
guesses = [{}, {"The": 7, "A": 3}, {"boat": 6, "ferry": 4}, {"leaves": 8, "sails": 2}, {"from": 9}]
guesses += [{"Obann": 6, "Oban": 4}, {"at": 9}, {"noon": 9}, {".": 9}, {}]
emissions = np.full((len(guesses), len(surfaces)), 0.05)
for vertex, guess in enumerate(guesses):
    for word, weight in guess.items():
        emissions[vertex, words.index(word) if word in words else -1] = weight
transitions = np.triu(0.2 ** np.arange(len(guesses)), k=1)  # forward only, each step further is less likely
with np.errstate(divide="ignore", invalid="ignore"):
    emissions = np.log(emissions / emissions.sum(axis=1, keepdims=True))
    transitions = np.log(np.nan_to_num(transitions / transitions.sum(axis=1, keepdims=True)))

dag = cd.Dag(emissions, transitions, surfaces)
dag.check()

want = cd.contains("Oban", whole_word=True) & (cd.contains("ferry") | cd.contains("sails"))
print("free:       ", cd.search.exact(dag)[0].text)
for found in cd.search.exact(dag, want, n_best=3):
    print(f"constrained: {found.text}  (cost {found.cost:.2f})")

lattice = cd.prune(dag, emissions=3, transitions=3, keep=["Oban"])
language = cd.search.ConstrainedLanguage(lattice, want)
print(f"probability that a random text of the lattice satisfies it: {np.exp(language.log_probability):.3f}")
assert "torch" not in sys.modules
