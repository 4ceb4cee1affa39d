// Weights in eight bits, and products with rows of numbers rounded to fifteen: sums of whole numbers, so that a row
// gives the same on every machine, alone and among others.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace controldag {

// What a processor can do; the products are the same.
enum class Processor { kAny, kAvx2, kAvx512Vnni };

// The best that this machine has.
Processor this_processor();

// A layer x · weightᵀ + bias, its weights rounded to eight bits with a scale for each output.
class Matrix8 {
 public:
  Matrix8() = default;
  // `weight`: [outputs, inputs], row by row; `bias`: [outputs], or empty. At most 1,024 inputs: more could overflow.
  Matrix8(std::span<const float> weight, std::span<const float> bias, int32_t inputs);

  int32_t inputs() const { return inputs_; }
  int32_t outputs() const { return outputs_; }

  // [count, inputs] to [count, outputs]; with `add`, added to what stands there.
  void multiply(const float* rows, int32_t count, float* out, bool add = false) const {
    multiply(rows, count, out, add, this_processor());
  }
  void multiply(const float* rows, int32_t count, float* out, bool add, Processor processor) const;

 private:
  int32_t inputs_ = 0, outputs_ = 0, pairs_ = 0;
  // Panels of 32 outputs; in each, for every pair of inputs, the two weights of each output.
  std::vector<int8_t> weights_;
  std::vector<float> scales_, bias_;  // by output, up to whole panels
};

}  // namespace controldag
