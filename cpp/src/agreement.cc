#include "controldag/agreement.h"

#include <algorithm>

namespace controldag {
namespace {

// Fields and relations as they are numbered in Python; a relation goes before those of lower rank.
enum Field { kHead, kName, kDescription, kSubject, kValue, kService };
enum Relation { kNothing, kOwnValue, kOwnName, kOwnDescription, kOtherValue, kOtherName, kOfService, kOwnSubject };
constexpr uint8_t kRank[kRelations] = {0, 7, 4, 3, 5, 2, 1, 6};

void raise(uint8_t& relation, Relation other) {
  if (kRank[other] > kRank[relation]) relation = static_cast<uint8_t>(other);
}

}  // namespace

Agreement agreement(const WordRows& table, const ClaimWords& claims, std::span<const int32_t> words,
                    std::span<const int32_t> values) {
  const size_t count = words.size(), asked = claims.words.size(), rows = claims.starts.size() + 1;
  Agreement found{std::vector<uint8_t>(count * asked), std::vector<uint8_t>(rows * count)};
  for (size_t place = 0; place < count; ++place) {
    const int32_t* word = table.numbers.data() + static_cast<size_t>(words[place]) * table.columns;
    const int32_t value = values[place];
    uint8_t anywhere = kNothing;
    for (size_t other = 0; other < asked; ++other) {
      const int32_t* claimed = table.numbers.data() + static_cast<size_t>(claims.words[other]) * table.columns;
      const bool same_value = value > 0 && claims.values[other] == value;
      const bool same_stem = word[1] > 0 && claimed[1] == word[1];
      const bool same_form = word[2] > 0 && claimed[2] == word[2];
      found.matches[place * asked + other] = same_value ? 3 : same_form ? 2 : same_stem ? 1 : 0;

      const int32_t field = claims.fields[other], claim = claims.claims[other];
      const auto tell = [&](Relation own, Relation others) {
        raise(anywhere, others);
        if (claim >= 0) raise(found.relations[claim * count + place], own);
      };
      if (same_value && field == kValue) tell(kOwnValue, kOtherValue);
      if (same_value && field == kSubject) tell(kOwnSubject, kOtherValue);
      if (!same_stem || value != 0) continue;
      if (field == kName) tell(kOwnName, kOtherName);
      if (field == kDescription) tell(kOwnDescription, kOtherName);
      if (claim < 0) raise(anywhere, kOfService);
    }
    for (size_t row = 0; row < rows; ++row)
      raise(found.relations[row * count + place], static_cast<Relation>(anywhere));
  }
  return found;
}

}  // namespace controldag
