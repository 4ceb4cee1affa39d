// Products with weights in eight bits: near those of the numbers themselves, and the same on every processor.
#include "controldag/matrix8.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "check.h"
#include "controldag/error.h"

using namespace controldag;

namespace {

std::vector<float> drawn(int32_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> numbers(count);
  for (float& each : numbers) each = normal(random);
  return numbers;
}

// The weights as eight bits can hold them, so that only rows are rounded.
std::vector<float> in_eight_bits(std::vector<float> weight, int32_t inputs) {
  for (size_t begin = 0; begin < weight.size(); begin += inputs) {
    float most = 0;
    for (int32_t i = 0; i < inputs; ++i) most = std::max(most, std::fabs(weight[begin + i]));
    for (int32_t i = 0; i < inputs; ++i) weight[begin + i] = std::round(weight[begin + i] / most * 127) * (most / 127);
  }
  return weight;
}

void near_what_the_numbers_give(int32_t count, int32_t inputs, int32_t outputs) {
  const auto rows = drawn(count * inputs, 1), bias = drawn(outputs, 2);
  const auto weight = in_eight_bits(drawn(outputs * inputs, 3), inputs);
  const Matrix8 matrix(weight, bias, inputs);
  std::vector<float> first(count * outputs), added(count * outputs, 1.0f);
  matrix.multiply(rows.data(), count, first.data(), false, Processor::kAny);
  matrix.multiply(rows.data(), count, added.data(), true, Processor::kAny);
  for (int32_t row = 0; row < count; ++row)
    for (int32_t o = 0; o < outputs; ++o) {
      double sum = bias[o];
      for (int32_t i = 0; i < inputs; ++i) sum += double{rows[row * inputs + i]} * weight[o * inputs + i];
      CHECK(std::fabs(first[row * outputs + o] - sum) < 1e-2);
      CHECK(std::fabs(added[row * outputs + o] - sum - 1) < 1e-2);
    }
  for (int32_t level = 1; level <= static_cast<int32_t>(this_processor()); ++level) {
    std::vector<float> other(count * outputs);
    matrix.multiply(rows.data(), count, other.data(), false, static_cast<Processor>(level));
    CHECK(other == first);
  }
  // A row alone gives what it gives among others.
  std::vector<float> alone(outputs);
  matrix.multiply(rows.data() + (count - 1) * inputs, 1, alone.data());
  CHECK(std::equal(alone.begin(), alone.end(), first.end() - outputs));
}

}  // namespace

int main() {
  for (const auto& [count, inputs, outputs] :
       std::vector<std::array<int32_t, 3>>{{1, 1, 1}, {3, 7, 5}, {9, 64, 32}, {21, 256, 70}, {8, 1024, 33}})
    near_what_the_numbers_give(count, inputs, outputs);
  const std::vector<float> huge(1025, 1.0f);
  CHECK_THROWS(Matrix8(huge, {}, 1025), InvalidArgument);
  const Matrix8 nothing(std::vector<float>(4, 0.0f), {}, 2);
  std::vector<float> out(2, 5.0f), zeros(2);
  nothing.multiply(zeros.data(), 1, out.data());
  CHECK(out == zeros);
}
