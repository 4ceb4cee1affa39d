#include <cmath>

#include "controldag/error.h"
#include "controldag/prune.h"

namespace controldag {
namespace {

std::string shown(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

}  // namespace

void check_rows(const std::string& name, std::span<const float> values, int64_t columns, const RowRule& rule) {
  for (int64_t row = rule.first; row < rule.end; ++row) {
    const float* cells = values.data() + row * columns;
    const int64_t from = rule.forward ? row + 1 : 0;
    for (int64_t c = 0; c < from && c < columns; ++c)
      if (!(std::isinf(cells[c]) && cells[c] < 0))
        throw InvalidArgument(name, "go forward only", std::to_string(row) + " -> " + std::to_string(c));
    double sum = 0;
    for (int64_t c = from; c < columns; ++c) {
      // Written so that NaN fails too.
      if (!(cells[c] <= kNormalisationTolerance))
        throw InvalidArgument(name, "hold log-probabilities (at most 0, no NaN)",
                              shown(cells[c]) + " in row " + std::to_string(row));
      if (cells[c] > -30.0f) sum += std::exp(cells[c]);  // what is left out could not be seen in the sum
    }
    const bool wrong = rule.whole ? std::abs(sum - 1) > kNormalisationTolerance
                                  : sum > 1 + kNormalisationTolerance || sum <= 0;
    if (wrong)
      throw InvalidArgument(name,
                            rule.whole ? "have rows whose probabilities sum to 1 (apply a log-softmax first)"
                                       : "have rows whose probabilities sum to at most 1, and not to 0",
                            shown(sum) + " in row " + std::to_string(row));
  }
}

}  // namespace controldag
