#include "controldag/layers.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "controldag/clones.h"

namespace controldag {
namespace {

constexpr int32_t kLanes = 16;
constexpr float kEpsilon = 1e-5f;  // as in torch

// eˣ to seven digits, in steps that compilers turn into vector code.
[[gnu::always_inline]] inline float exp_of(float x) {
  x = std::max(-87.0f, std::min(88.0f, x));
  const float turns = x * 1.44269504f;
  const auto whole = static_cast<int32_t>(turns + (turns < 0 ? -0.5f : 0.5f));
  const auto part = static_cast<float>(whole);
  const float rest = x - part * 0.693359375f + part * 2.12194440e-4f;
  float sum = 1.9875691500e-4f;
  sum = sum * rest + 1.3981999507e-3f;
  sum = sum * rest + 8.3334519073e-3f;
  sum = sum * rest + 4.1665795894e-2f;
  sum = sum * rest + 1.6666665459e-1f;
  sum = sum * rest + 5.0000001201e-1f;
  sum = sum * rest * rest + rest + 1.0f;
  return sum * std::bit_cast<float>((whole + 127) << 23);
}

[[gnu::always_inline]] inline float sum_of(const float* numbers, int32_t count) {
  float lanes[kLanes] = {};
  int32_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    for (int32_t lane = 0; lane < kLanes; ++lane) lanes[lane] += numbers[i + lane];
  float sum = 0;
  for (; i < count; ++i) sum += numbers[i];
  for (const float each : lanes) sum += each;
  return sum;
}

[[gnu::always_inline]] inline float squares_of(const float* numbers, int32_t count, float mean) {
  float lanes[kLanes] = {};
  int32_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    for (int32_t lane = 0; lane < kLanes; ++lane)
      lanes[lane] += (numbers[i + lane] - mean) * (numbers[i + lane] - mean);
  float sum = 0;
  for (; i < count; ++i) sum += (numbers[i] - mean) * (numbers[i] - mean);
  for (const float each : lanes) sum += each;
  return sum;
}

// Sixteen numbers that are computed with at once, wherever they stand.
using Vector = float __attribute__((vector_size(4 * kLanes), aligned(4), may_alias));

[[gnu::always_inline]] inline int32_t whole_vectors(int32_t count) { return (count + kLanes - 1) / kLanes * kLanes; }

// Adds rows of whole vectors, each by its weight and all by `scale`. Several sums at once, or each waits for the last.
template <int32_t Vectors>
[[gnu::always_inline]] inline void add_some(const float* rows, int32_t width, const float* weights, int32_t count, float scale, float* to) {
  Vector sums[Vectors] = {};
  for (int32_t row = 0; row < count; ++row)
    for (int32_t each = 0; each < Vectors; ++each)
      sums[each] += weights[row] * *reinterpret_cast<const Vector*>(rows + row * width + each * kLanes);
  for (int32_t each = 0; each < Vectors; ++each) *reinterpret_cast<Vector*>(to + each * kLanes) += sums[each] * scale;
}

[[gnu::always_inline]] inline void add_weighted(const float* rows, int32_t width, const float* weights, int32_t count, float scale, float* to) {
  int32_t begin = 0;
  for (; begin + 4 * kLanes <= width; begin += 4 * kLanes) add_some<4>(rows + begin, width, weights, count, scale, to + begin);
  switch ((width - begin) / kLanes) {
    case 3: return add_some<3>(rows + begin, width, weights, count, scale, to + begin);
    case 2: return add_some<2>(rows + begin, width, weights, count, scale, to + begin);
    case 1: return add_some<1>(rows + begin, width, weights, count, scale, to + begin);
  }
}

// Scores to weights that sum to one; what stands behind `count` up to whole vectors becomes 0.
[[gnu::always_inline]] inline void softmax(float* __restrict row, int32_t count, int32_t padded) {
  float top = row[0];
  for (int32_t i = 1; i < count; ++i) top = std::max(top, row[i]);
  for (int32_t i = 0; i < padded; ++i) row[i] = exp_of(row[i] - top);
  for (int32_t i = count; i < padded; ++i) row[i] = 0;
  const float share = 1 / sum_of(row, padded);
  for (int32_t i = 0; i < padded; ++i) row[i] *= share;
}

}  // namespace

CONTROLDAG_CLONES void layer_norm(const float* rows, int32_t count, int32_t width, const float* __restrict scale,
                                  const float* __restrict offset, float* out) {
  for (int32_t row = 0; row < count; ++row) {
    const float* __restrict from = rows + static_cast<int64_t>(row) * width;
    float* __restrict to = out + static_cast<int64_t>(row) * width;
    const float mean = sum_of(from, width) / static_cast<float>(width);
    const float by = 1 / std::sqrt(squares_of(from, width, mean) / static_cast<float>(width) + kEpsilon);
    for (int32_t i = 0; i < width; ++i) to[i] = (from[i] - mean) * by * scale[i] + offset[i];
  }
}

CONTROLDAG_CLONES void gelu(float* numbers, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    // Φ by the error function (Abramowitz and Stegun 7.1.26): to 1.5e-7.
    const float x = numbers[i], z = std::fabs(x) * 0.70710678f;
    const float t = 1 / (1 + 0.3275911f * z);
    const float poly = ((((1.061405429f * t - 1.453152027f) * t + 1.421413741f) * t - 0.284496736f) * t + 0.254829592f) * t;
    const float beyond = 0.5f * poly * exp_of(-z * z);  // of the smaller side
    numbers[i] = x * (x < 0 ? beyond : 1 - beyond);
  }
}

CONTROLDAG_CLONES void attend(const Attended& parts, float* scores, float* out) {
  const auto& [queries, keys, values, asking, asked, heads, depth, query_stride, key_stride, value_stride] = parts;
  const float scale = 1 / std::sqrt(static_cast<float>(depth));
  const int32_t across = whole_vectors(asked), deep = whole_vectors(depth);
  // Of one head, up to whole vectors: keys [depth, asked], values [asked, depth], a query's weights, what it finds.
  thread_local std::vector<float> kept;
  kept.assign(static_cast<size_t>(depth) * across + static_cast<size_t>(asked) * deep + across + deep, 0.0f);
  float *turned = kept.data(), *own = turned + depth * across, *row = own + asked * deep, *sums = row + across;
  for (int32_t head = 0; head < heads; ++head) {
    for (int32_t key = 0; key < asked; ++key) {
      for (int32_t d = 0; d < depth; ++d) turned[d * across + key] = keys[key * key_stride + head * depth + d];
      std::memcpy(own + key * deep, values + key * value_stride + head * depth, sizeof(float) * depth);
    }
    for (int32_t query = 0; query < asking; ++query) {
      float* given = scores + (static_cast<int64_t>(head) * asking + query) * asked;
      const float* wanted = queries + static_cast<int64_t>(query) * query_stride + head * depth;
      std::memcpy(row, given, sizeof(float) * asked);
      add_weighted(turned, across, wanted, depth, scale, row);
      softmax(row, asked, across);
      std::memcpy(given, row, sizeof(float) * asked);
      std::fill_n(sums, deep, 0.0f);
      add_weighted(own, deep, row, asked, 1.0f, sums);
      std::memcpy(out + (static_cast<int64_t>(query) * heads + head) * depth, sums, sizeof(float) * depth);
    }
  }
}

}  // namespace controldag
