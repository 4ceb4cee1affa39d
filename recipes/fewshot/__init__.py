"""How many examples of one's own are needed: `python -m recipes.fewshot`."""
