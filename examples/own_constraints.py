"""Constraints of your own: `&`, `|`, `~` and wishes; what cannot be satisfied is named."""

import controldag as cd

nlg = cd.ControlDag.from_pretrained("sgd-mini")
acts = [cd.Act("OFFER", "restaurant_name", ("71 Saint Peter",)), cd.Act("OFFER", "city", ("San Jose",))]

wishes = {
    "as it is": None,
    "a question": cd.pattern(r"\?$"),
    "nice or good, no 'restaurant'": (cd.contains("nice") | cd.contains("good")) & ~cd.contains("restaurant"),
    "city before name": cd.in_order("San Jose", "71 Saint Peter"),
    "rather a 'place'": cd.contains("place").soft(5.0),
}
for name, constraint in wishes.items():
    result = nlg.generate(acts, service="Restaurants_1", constraint=constraint)
    print(f"{name:30} {result.text}")

short = nlg.generate(acts, service="Restaurants_1", length=cd.Length(maximum=8))
print(f"{'at most 8 tokens':30} {short.text}")

try:
    nlg.generate(acts, service="Restaurants_1", constraint=~cd.contains("San"))
except cd.Infeasible as error:
    print("excluded:", " and ".join(error.conflict))  # dropping any one of them would do
