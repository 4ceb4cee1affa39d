// The verifier's network with drawn weights: a text gives the same alone and among others, and odd ones do no harm.
#include "controldag/verifier.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "check.h"

using namespace controldag;

namespace {

constexpr VerifierSizes kSizes{12, 24, 4, 2, 2, 6};
constexpr int32_t kWords = 9, kColumns = 3 + 16, kPieces = 20;

class Drawn {
 public:
  std::span<const float> operator()(const std::string& name) {
    auto& numbers = kept_[name];
    if (numbers.empty()) {
      std::normal_distribution<float> normal(0, 0.3f);
      numbers.resize(16384);
      for (float& each : numbers) each = normal(random_);
    }
    return std::span<const float>(numbers).first(size_of(name));
  }

 private:
  static size_t size_of(const std::string& name) {
    const auto ends = [&](const std::string& end) { return name.ends_with(end); };
    const size_t width = kSizes.width, inner = 20, mass = kSizes.heads * 8;
    const bool judge = name.starts_with("judges");
    for (const auto& [layer, outputs, inputs] : std::vector<std::tuple<std::string, size_t, size_t>>{
             {"widen", width, kSizes.embedding}, {"verdict", 3, width}, {"overall", 2, width}, {"odd", 2, width},
             {"key_value", 2 * width, width}, {"query", width, width}, {"out", width, width}, {"mass", width, mass},
             {"up", judge ? width : inner, width}, {"down", width, judge ? width : inner}}) {
      if (ends(layer + ".weight")) return outputs * inputs;
      if (ends(layer + ".bias")) return outputs;
    }
    if (name == "word.weight" || name == "piece.weight") return kPieces * kSizes.embedding;
    if (name.find("norm") != std::string::npos || name == "whole") return width;
    if (name == "nothing") return 2 * width;
    if (ends("distances")) return 33 * kSizes.heads;
    return 8 * width;
  }

  std::map<std::string, std::vector<float>> kept_;
  std::mt19937 random_{3};
};

}  // namespace

int main() {
  const VerifierNetwork network(kSizes, Drawn());
  std::vector<int32_t> table(kWords * kColumns);
  for (int32_t word = 1; word < kWords; ++word)
    for (int32_t column = 0; column < kColumns; ++column) table[word * kColumns + column] = (word * 7 + column) % kPieces;
  const WordRows rows{table, kColumns};
  const std::vector<int32_t> words{1, 2, 3, 4, 2}, fields{5, 0, 1, 4, 3}, of{-1, 0, 0, 0, 0}, values{0, 0, 0, 1, 2},
      heads{0, 3, 0, 0, 0}, starts{1};
  const ClaimWords claims{words, fields, of, values, heads, starts};
  const std::vector<int32_t> said{3, 4, 8, 1, 2, 3, 4, 5, 6, 7}, marked{0, 1, 0, 0, 2, 0, 0, 0, 0, 0}, lengths{3, 0, 7};
  const Judgement together = network.judge(rows, claims, {said, marked, lengths});
  CHECK(together.claims.size() == 9 && together.overall.size() == 6 && together.places.size() == 21);
  for (const float each : together.claims) CHECK(std::isfinite(each));
  size_t begin = 0;
  for (size_t text = 0; text < lengths.size(); ++text) {
    const std::span<const int32_t> own(lengths.data() + text, 1);
    const auto part = [&](const std::vector<int32_t>& all) { return std::span(all).subspan(begin, lengths[text]); };
    const Judgement alone = network.judge(rows, claims, {part(said), part(marked), own});
    CHECK(std::equal(alone.claims.begin(), alone.claims.end(), together.claims.begin() + text * 3));
    CHECK(std::equal(alone.overall.begin(), alone.overall.end(), together.overall.begin() + text * 2));
    begin += lengths[text];
  }
  // Nothing claimed, nothing said.
  const Judgement none = network.judge(rows, {}, {{}, {}, {}});
  CHECK(none.claims.empty() && none.overall.empty());
  const std::vector<int32_t> empty{0};
  CHECK(network.judge(rows, {}, {{}, {}, empty}).overall.size() == 2);
}
