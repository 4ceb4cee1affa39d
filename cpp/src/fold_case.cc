#include "controldag/fold_case.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "controldag/utf8.h"

namespace controldag {
namespace {

struct Run {
  uint32_t first;
  uint32_t last;
  uint32_t stride;
  int32_t offset;
};

constexpr Run kRuns[] = {
#include "fold_case_table.inc"
};

}  // namespace

char32_t lower(char32_t c) {
  if (c < 0x80) return c >= 'A' && c <= 'Z' ? c + 32 : c;
  const Run* run = std::upper_bound(std::begin(kRuns), std::end(kRuns), c,
                                    [](char32_t value, const Run& r) { return value < r.first; });
  if (run == std::begin(kRuns)) return c;
  --run;
  if (c > run->last || (c - run->first) % run->stride != 0) return c;
  return static_cast<char32_t>(static_cast<int32_t>(c) + run->offset);
}

std::vector<char32_t> cased_variants(char32_t lowered) {
  static const std::multimap<char32_t, char32_t> variants = [] {
    std::multimap<char32_t, char32_t> made;
    for (char32_t c = 'A'; c <= 'Z'; ++c) made.emplace(c + 32, c);
    for (const Run& run : kRuns)
      for (uint32_t c = run.first; c <= run.last; c += run.stride)
        made.emplace(static_cast<char32_t>(static_cast<int32_t>(c) + run.offset), c);
    return made;
  }();
  std::vector<char32_t> found;
  for (auto [it, end] = variants.equal_range(lowered); it != end; ++it) found.push_back(it->second);
  return found;
}

std::string fold_case(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    char32_t code_point = 0;
    const size_t size = decode_utf8(text, at, code_point);
    if (size == 0) {
      out += text[at++];
    } else {
      out += encode_utf8(lower(code_point));
      at += size;
    }
  }
  return out;
}

}  // namespace controldag
