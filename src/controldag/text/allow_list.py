"""Common words that pyspellchecker's American English list lacks, chosen by hand for the independent word list.

Each is a word a careful editor would let stand in a sentence about services, restaurants, travel or general facts.
The list was written by looking at training text of SGD and DART; proper names, typos and words that need an input
(`£20-25`) were left out. Nothing is computed from a corpus, and the lists that steer decoding do not read it.
"""

from __future__ import annotations

_ABBREVIATIONS = """
a.d a.m approx b.a b.c b.s bbq bsc d.c etc fc ft gbp gdp hq i.d iata icao imax isbn issn km lb lbs m.a m.s mm mph nasa
ny nyc oclc p.m pcm ph.d r&b sc.d sf suv tv tvs u.k u.n u.s u.s.a uk usa usd utc
"""

_COMPOUNDS = """
above-average add-on adult-only adults-only all-you-can-eat and/or average-priced average-rated built-in check-in
check-ins check-out child-free child-friendly children-friendly co-founded co-written counter-clockwise dine-in
double-check drop-off e-mail eat-in ex-president family-friendly family-run fast-food first-class five-star four-star
full-size full-time good-bye half-price he/she high-end high-price high-priced high-quality high-rated highly-rated
his/her home-cooked kid-friendly kids-friendly know-how left-handed long-term low-cost low-price low-priced low-rated
make-up medium-priced mid-level mid-price mid-priced mid-range mid-size moderately-priced non-alcoholic
non-family-friendly non-fiction non-furnished non-profit non-refundable non-smoking non-stop old-fashioned on-board
on-site one-star one-way pay-per-view pet-friendly pick-up poorly-rated post-graduate pre-booked pre-purchase
price-wise pub-style re-election reasonably-priced red-eye ride-share ride-sharing right-handed round-trip runner-up
runners-up second-hand self-taught short-list sit-down sold-out sub-genre take-away take-off take-out three-star to-do
to-go top-rated twenty-five two-star two-way up-to-date walk-in well-known well-rated wheelchair-accessible wi-fi
will-call x-ray
"""

_BRITISH_SPELLINGS = """
aeroplane authorised behaviour categorised centre centres cheque colour colours favour favourite favourites finalised
flavour flavoured flavours harbour honour honoured kilometre kilometres labour litre metre metres millimetres
neighbour neighbourhood neighbouring neighbours organisation organisations organised programme realise recognised
specialises
"""

_SHORT_FORMS = """
children's how're men's that'll there'd there'll there're what're when're where're women's
"""

_NEWER_WORDS = """
airbnb aircrafts airdate alrighty app apps cafe callsign carbs checkin coden covid demonym dropoff emoji enroute
greenlight imdb ios livestream lyft oneway paralympics playlist playlists redeye selfie showtimes smartphone spotify
streamable timeframe timeslot timeslots uber venmo voicemail wifi zipcode
"""

ALLOWED_WORDS: frozenset[str] = frozenset(
    (_ABBREVIATIONS + _COMPOUNDS + _BRITISH_SPELLINGS + _SHORT_FORMS + _NEWER_WORDS).split()
)
