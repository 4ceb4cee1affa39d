"""The n best texts, all of which keep every promise, and another order for them: by all paths that spell a text."""

import controldag as cd
from controldag.generation.request import Request
from controldag.search import Pruning

nlg = cd.ControlDag.from_pretrained("sgd-mini")
acts = [cd.Act("OFFER", "restaurant_name", ("71 Saint Peter",)), cd.Act("OFFER", "city", ("San Jose",))]

result = nlg.generate(acts, service="Restaurants_1", n_best=5)
for rank, found in enumerate(result.n_best, start=1):
    print(f"{rank}  objective {found.objective:.3f}  cost {found.cost:6.3f}  {found.text}")

# The same stages by hand. A text's probability is a sum over many paths; the search minimises over single ones.
item = nlg.prepare(Request(acts, "Restaurants_1"))
dag = nlg.predict([item])[0]
demands = item.demands
print("by summed probability:")
for found in cd.search.exact(
    dag,
    demands.constraint,
    length=demands.length,
    n_best=5,
    pruning=Pruning(keep=demands.keep),
    rescore="sum",
):
    print(f"   summed cost {found.summed_cost:6.3f}  {found.text}")

# Or by a score of your own: here, the text that is nearest to twelve words.
best = min(result.n_best, key=lambda found: abs(len(found.text.split()) - 12))
print("by my own score:", best.text)
