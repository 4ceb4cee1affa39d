// The verifier's network as Python sees it.
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "convert.h"

#include "controldag/verifier.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace controldag {
namespace {

template <typename T>
std::span<const T> to_span(const Array<T>& array) {
  return {array.data(), array.shape(0)};
}

std::span<const int32_t> row_of(const Table<int32_t>& table, size_t row) {
  return {table.data() + row * table.shape(1), table.shape(1)};
}

// [sizes...] for numpy, which frees it.
nb::object to_array(std::vector<float> numbers, std::vector<size_t> shape) {
  auto* kept = new std::vector<float>(std::move(numbers));
  const nb::capsule owner(kept, [](void* each) noexcept { delete static_cast<std::vector<float>*>(each); });
  return nb::cast(nb::ndarray<nb::numpy, float>(kept->data(), shape.size(), shape.data(), owner));
}

void check_below(const char* name, std::span<const int32_t> numbers, int64_t least, int64_t end) {
  for (const int32_t each : numbers)
    if (each < least || each >= end) throw InvalidArgument(name, "be rows that there are", std::to_string(each));
}

}  // namespace

void bind_verifier(nb::module_& m) {
  nb::class_<VerifierNetwork>(m, "VerifierNetwork")
      .def("__init__", [](VerifierNetwork* self, const std::map<std::string, int32_t>& sizes,
                          const std::map<std::string, Array<float>>& weights) {
        const auto weight = [&](const std::string& name) {
          const auto found = weights.find(name);
          if (found == weights.end()) throw InvalidArgument("weights", "be all there", "without " + name);
          const auto numbers = to_span(found->second);
          if (!std::all_of(numbers.begin(), numbers.end(), [](float each) { return std::isfinite(each); }))
            throw InvalidArgument(name, "hold finite numbers", "infinite, or no number");
          return numbers;
        };
        new (self) VerifierNetwork({sizes.at("embedding"), sizes.at("width"), sizes.at("heads"), sizes.at("layers"),
                                    sizes.at("judges"), sizes.at("longest")},
                                   weight);
      }, "sizes"_a, "weights"_a)
      // Of the rows of `table`, words of claims [word, field, claim, value, head], where claims start, words of texts
      // [word, value] and the length of each text: logits of claims and of the whole, and where each claim looked.
      .def("judge", [](const VerifierNetwork& self, Table<int32_t> table, Table<int32_t> claims, Array<int32_t> starts,
                       Table<int32_t> texts, Array<int32_t> lengths) {
        const WordRows rows{{table.data(), table.size()}, static_cast<int32_t>(table.shape(1))};
        const ClaimWords claimed{row_of(claims, 0), row_of(claims, 1), row_of(claims, 2), row_of(claims, 3),
                                 row_of(claims, 4), to_span(starts)};
        const TextWords said{row_of(texts, 0), row_of(texts, 1), to_span(lengths)};
        const auto words = static_cast<int64_t>(table.shape(0));
        check_below("words", claimed.words, 0, words);
        check_below("words", said.words, 0, words);
        check_below("starts", claimed.starts, 0, static_cast<int64_t>(claims.shape(1)));
        check_below("claims", claimed.claims, -1, static_cast<int64_t>(starts.shape(0)));
        size_t longest = 0;
        for (const int32_t each : said.lengths) longest = std::max<size_t>(longest, each);
        Judgement judged;
        {
          const nb::gil_scoped_release release;
          judged = self.judge(rows, claimed, said);
        }
        const size_t count = lengths.shape(0), acts = starts.shape(0);
        return std::tuple(to_array(std::move(judged.claims), {count, acts, 3}),
                          to_array(std::move(judged.overall), {count, 2}),
                          to_array(std::move(judged.places), {count, acts, longest}));
      });
}

}  // namespace controldag
