"""One request: what the text says, what it had to satisfy and where it does, and what that cost."""

import controldag as cd

nlg = cd.ControlDag.from_pretrained("sgd-mini")  # bundled, no download; or a folder of your own

acts = [
    cd.Act("OFFER", "airlines", ("Alaska Airlines",)),
    cd.Act("OFFER", "outbound_departure_time", ("5:05 am",)),
    cd.Act("OFFER", "price", ("$317",)),
]
result = nlg.generate(acts, service="Flights_1")
alone = nlg.generate(acts, service="Flights_1", decoder="greedy")

print("greedy     ", alone.text)
print("  breaks   ", ", ".join(alone.violated) or "nothing")
print("control-dag", result.text)
for each in result.constraints:
    where = ", ".join(f"{begin}:{end} {result.text[begin:end]!r}" for begin, end in each.spans)
    print("  holds    ", each.label, where)
print(f"constraints cost {result.extra_cost:.3f} of the objective {result.objective:.3f}")
