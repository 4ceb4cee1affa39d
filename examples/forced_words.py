"""Words that a T5 or BART must say: what `force_words_ids` of `transformers` did until 4.57.

The model is a random one, so that nothing need be fetched, and talks like one; take yours, and your tokenizer's ids.
"""

import torch
from transformers import T5Config, T5ForConditionalGeneration

from controldag.adapters.transformers import generate, in_order

words = ["<pad>", "</s>", "<unk>", "the", "ferry", "boat", "leaves", "sails", "from"]
words += ["Oban", "Mull", "at", "noon", "today"]


def ids(phrase: str) -> list[int]:
    return [words.index(word) for word in phrase.split()]


torch.manual_seed(4)
sizes = {"d_model": 32, "d_kv": 8, "d_ff": 64, "num_layers": 2, "num_heads": 4}
model = T5ForConditionalGeneration(T5Config(vocab_size=len(words), decoder_start_token_id=0, **sizes)).eval()
source = torch.tensor([[*ids("ferry Oban noon"), 1]])

for name, forced in {
    "free": [],
    "a phrase": [ids("from Oban")],
    "one of a set": [[ids("the ferry"), ids("the boat")]],
    "in order": [in_order(ids("sails"), ids("Mull"), [ids("at noon"), ids("today")])],
}.items():
    found = generate(model, source, force_words_ids=forced, num_beams=5, max_new_tokens=10, no_repeat_ngram_size=1)
    print(f"{name:13}", " ".join(words[token] for token in found[0].tolist() if token > 1))
