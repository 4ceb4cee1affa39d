// What networks are made of beside products with weights; rows of numbers lie one after another.
#pragma once

#include <cstdint>

namespace controldag {

// Each row of `width` numbers with mean 0 and variance 1, then scaled and moved.
void layer_norm(const float* rows, int32_t count, int32_t width, const float* scale, const float* offset, float* out);

// x · Φ(x), in place.
void gelu(float* numbers, int64_t count);

// Queries, keys and values of attention; of each, rows of `heads` · `depth` numbers, so far apart.
struct Attended {
  const float *queries, *keys, *values;
  int32_t asking, asked, heads, depth;
  int32_t query_stride, key_stride, value_stride;
};

// What each query finds, [asking, heads · depth]. `scores`: [heads, asking, asked], what is added to the scores of
// the keys; it comes back as their weights.
void attend(const Attended& parts, float* scores, float* out);

}  // namespace controldag
