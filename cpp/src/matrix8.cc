#include "controldag/matrix8.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "controldag/clones.h"
#include "controldag/error.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define CONTROLDAG_X86
#include <immintrin.h>
#endif

namespace controldag {
namespace {

constexpr int32_t kPanel = 32;  // outputs that are computed together
constexpr int32_t kRows = 8;    // rows that are, at most
// Products of this and of weights of seven bits and a sign do not overflow a sum of 1,024.
constexpr float kLargest = 16383;
constexpr int32_t kMostInputs = 1024;

// One row as whole numbers, and the scale that gives it back.
CONTROLDAG_CLONES float rounded(const float* __restrict row, int32_t count, int16_t* __restrict out) {
  float largest[16] = {};
  int32_t i = 0;
  for (; i + 16 <= count; i += 16)
    for (int32_t lane = 0; lane < 16; ++lane) largest[lane] = std::max(largest[lane], std::fabs(row[i + lane]));
  for (; i < count; ++i) largest[0] = std::max(largest[0], std::fabs(row[i]));
  float most = 1e-20f;
  for (const float each : largest) most = std::max(most, each);
  const float up = kLargest / most;
  for (i = 0; i < count; ++i) {
    // What is no number becomes some whole number, and the scale says so.
    const float scaled = std::max(-kLargest, std::min(kLargest, row[i] * up));
    out[i] = static_cast<int16_t>(static_cast<int32_t>(scaled + (scaled < 0 ? -0.5f : 0.5f)));
  }
  return most / kLargest;
}

// The sums of `count` rows with one panel, [count, 32].
void sums_anywhere(const int16_t* rows, int32_t count, int32_t pairs, const int8_t* panel, int32_t* sums) {
  std::fill_n(sums, count * kPanel, 0);
  for (int32_t row = 0; row < count; ++row)
    for (int32_t pair = 0; pair < pairs; ++pair) {
      const int32_t first = rows[(row * pairs + pair) * 2], second = rows[(row * pairs + pair) * 2 + 1];
      const int8_t* weights = panel + pair * 2 * kPanel;
      for (int32_t o = 0; o < kPanel; ++o)
        sums[row * kPanel + o] += first * weights[2 * o] + second * weights[2 * o + 1];
    }
}

#ifdef CONTROLDAG_X86

int32_t pair_at(const int16_t* rows, int32_t place) {
  int32_t pair;
  std::memcpy(&pair, rows + 2 * place, sizeof pair);
  return pair;
}

template <int32_t M>
__attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni"))) void sums_avx512(const int16_t* rows, int32_t pairs,
                                                                               const int8_t* panel, int32_t* sums) {
  __m512i low[M], high[M];
  for (int32_t m = 0; m < M; ++m) low[m] = high[m] = _mm512_setzero_si512();
  for (int32_t pair = 0; pair < pairs; ++pair, panel += 2 * kPanel) {
    const auto* weights = reinterpret_cast<const __m256i*>(panel);
    const __m512i first = _mm512_cvtepi8_epi16(_mm256_loadu_si256(weights));
    const __m512i second = _mm512_cvtepi8_epi16(_mm256_loadu_si256(weights + 1));
#pragma GCC unroll 8
    for (int32_t m = 0; m < M; ++m) {
      const __m512i x = _mm512_set1_epi32(pair_at(rows, m * pairs + pair));
      low[m] = _mm512_dpwssd_epi32(low[m], x, first);
      high[m] = _mm512_dpwssd_epi32(high[m], x, second);
    }
  }
  for (int32_t m = 0; m < M; ++m) {
    _mm512_storeu_si512(sums + m * kPanel, low[m]);
    _mm512_storeu_si512(sums + m * kPanel + 16, high[m]);
  }
}

template <int32_t M>
__attribute__((target("avx2"))) void sums_avx2(const int16_t* rows, int32_t pairs, const int8_t* panel, int32_t* sums) {
  for (int32_t half = 0; half < kPanel; half += 16) {
    __m256i low[M], high[M];
    for (int32_t m = 0; m < M; ++m) low[m] = high[m] = _mm256_setzero_si256();
    for (int32_t pair = 0; pair < pairs; ++pair) {
      const auto* weights = reinterpret_cast<const __m128i*>(panel + 2 * (pair * kPanel + half));
      const __m256i first = _mm256_cvtepi8_epi16(_mm_loadu_si128(weights));
      const __m256i second = _mm256_cvtepi8_epi16(_mm_loadu_si128(weights + 1));
#pragma GCC unroll 8
      for (int32_t m = 0; m < M; ++m) {
        const __m256i x = _mm256_set1_epi32(pair_at(rows, m * pairs + pair));
        low[m] = _mm256_add_epi32(low[m], _mm256_madd_epi16(x, first));
        high[m] = _mm256_add_epi32(high[m], _mm256_madd_epi16(x, second));
      }
    }
    for (int32_t m = 0; m < M; ++m) {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(sums + m * kPanel + half), low[m]);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(sums + m * kPanel + half + 8), high[m]);
    }
  }
}

// As many rows at once as there are registers for; the rest of them one by one.
template <int32_t M, void (*Several)(const int16_t*, int32_t, const int8_t*, int32_t*),
          void (*One)(const int16_t*, int32_t, const int8_t*, int32_t*)>
void in_groups(const int16_t* rows, int32_t count, int32_t pairs, const int8_t* panel, int32_t* sums) {
  int32_t row = 0;
  for (; row + M <= count; row += M) Several(rows + row * pairs * 2, pairs, panel, sums + row * kPanel);
  for (; row < count; ++row) One(rows + row * pairs * 2, pairs, panel, sums + row * kPanel);
}

#endif

void sums_of(const int16_t* rows, int32_t count, int32_t pairs, const int8_t* panel, int32_t* sums,
             Processor processor) {
#ifdef CONTROLDAG_X86
  if (processor == Processor::kAvx512Vnni) {
    switch (count) {
      case 8: return sums_avx512<8>(rows, pairs, panel, sums);
      case 7: return sums_avx512<7>(rows, pairs, panel, sums);
      case 6: return sums_avx512<6>(rows, pairs, panel, sums);
      case 5: return sums_avx512<5>(rows, pairs, panel, sums);
      case 4: return sums_avx512<4>(rows, pairs, panel, sums);
      case 3: return sums_avx512<3>(rows, pairs, panel, sums);
      case 2: return sums_avx512<2>(rows, pairs, panel, sums);
      default: return sums_avx512<1>(rows, pairs, panel, sums);
    }
  }
  if (processor == Processor::kAvx2) return in_groups<4, sums_avx2<4>, sums_avx2<1>>(rows, count, pairs, panel, sums);
#endif
  (void)processor;
  sums_anywhere(rows, count, pairs, panel, sums);
}

// What the sums of one row and panel mean.
CONTROLDAG_CLONES void put(const int32_t* __restrict sums, float scale, const float* __restrict scales,
                           const float* __restrict bias, int32_t count, float* __restrict out, bool add) {
  if (add)
    for (int32_t o = 0; o < count; ++o) out[o] += static_cast<float>(sums[o]) * (scale * scales[o]) + bias[o];
  else
    for (int32_t o = 0; o < count; ++o) out[o] = static_cast<float>(sums[o]) * (scale * scales[o]) + bias[o];
}

Processor found() {
#ifdef CONTROLDAG_X86
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
    return Processor::kAvx512Vnni;
  if (__builtin_cpu_supports("avx2")) return Processor::kAvx2;
#endif
  return Processor::kAny;
}

}  // namespace

Processor this_processor() {
  static const Processor processor = found();
  return processor;
}

Matrix8::Matrix8(std::span<const float> weight, std::span<const float> bias, int32_t inputs)
    : inputs_(inputs), outputs_(static_cast<int32_t>(weight.size()) / inputs), pairs_((inputs + 1) / 2) {
  if (inputs > kMostInputs)
    throw InvalidArgument("weight", "have at most 1,024 inputs", std::to_string(inputs));
  const int32_t panels = (outputs_ + kPanel - 1) / kPanel;
  weights_.assign(static_cast<size_t>(panels) * pairs_ * 2 * kPanel, 0);
  scales_.assign(panels * kPanel, 0.0f);
  bias_.assign(panels * kPanel, 0.0f);
  std::copy(bias.begin(), bias.end(), bias_.begin());
  for (int32_t o = 0; o < outputs_; ++o) {
    const float* row = weight.data() + static_cast<size_t>(o) * inputs;
    float most = 1e-20f;
    for (int32_t i = 0; i < inputs; ++i) most = std::max(most, std::fabs(row[i]));
    scales_[o] = most / 127;
    int8_t* panel = weights_.data() + static_cast<size_t>(o / kPanel) * pairs_ * 2 * kPanel + 2 * (o % kPanel);
    for (int32_t i = 0; i < inputs; ++i)
      panel[i / 2 * 2 * kPanel + i % 2] = static_cast<int8_t>(std::lround(row[i] / scales_[o]));
  }
}

void Matrix8::multiply(const float* rows, int32_t count, float* out, bool add, Processor processor) const {
  thread_local std::vector<int16_t> whole;
  thread_local std::vector<float> scales;
  whole.assign(static_cast<size_t>(count) * pairs_ * 2, 0);
  scales.resize(count);
  for (int32_t row = 0; row < count; ++row)
    scales[row] = rounded(rows + static_cast<size_t>(row) * inputs_, inputs_, whole.data() + static_cast<size_t>(row) * pairs_ * 2);
  int32_t sums[kRows * kPanel];
  for (int32_t begin = 0; begin < outputs_; begin += kPanel) {
    const int8_t* panel = weights_.data() + static_cast<size_t>(begin) * pairs_ * 2;
    const int32_t wide = std::min(kPanel, outputs_ - begin);
    for (int32_t row = 0; row < count; row += kRows) {
      const int32_t some = std::min(kRows, count - row);
      sums_of(whole.data() + static_cast<size_t>(row) * pairs_ * 2, some, pairs_, panel, sums, processor);
      for (int32_t each = 0; each < some; ++each)
        put(sums + each * kPanel, scales[row + each], scales_.data() + begin, bias_.data() + begin, wide,
            out + static_cast<size_t>(row + each) * outputs_ + begin, add);
    }
  }
}

}  // namespace controldag
