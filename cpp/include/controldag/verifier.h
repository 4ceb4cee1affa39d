// The verifier's network: reads the claims of an input once and texts beside them, each as if it were alone.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "controldag/matrix8.h"

namespace controldag {

struct VerifierSizes {
  int32_t embedding, width, heads, layers, judges, longest;
};

// Words of claims, one number each: row of the word table, field, claim (-1: the service), value (0: none), act's name.
struct ClaimWords {
  std::span<const int32_t> words, fields, claims, values, heads;
  std::span<const int32_t> starts;  // by claim, the word it begins with
};

// Words of all texts one after another, the value of each (0: none), and how many each text has.
struct TextWords {
  std::span<const int32_t> words, values, lengths;
};

// Different words, a row each: number in the vocabulary, stem, form (0: not compared), runs of letters.
struct WordRows {
  std::span<const int32_t> numbers;
  int32_t columns;
};

// A layer with few outputs, its weights [outputs, inputs] as they are.
struct FullLayer {
  std::vector<float> weight, bias;
};

struct Agreement;

struct Judgement {
  std::vector<float> claims;   // [texts, claims, 3]
  std::vector<float> overall;  // [texts, 2]
  std::vector<float> places;   // [texts, claims, longest text]
};

class VerifierNetwork {
 public:
  // By name and number of columns, weights row by row.
  using Weights = std::function<std::span<const float>(const std::string&)>;

  VerifierNetwork(const VerifierSizes& sizes, const Weights& weights);

  Judgement judge(const WordRows& table, const ClaimWords& claims, const TextWords& texts) const;

 private:
  using Floats = std::vector<float>;
  struct Norm {
    Floats scale, offset;
  };
  // Attention of words to each other, and what follows it.
  struct Layer {
    Matrix8 own, own_out;    // queries, keys and values in one
    Matrix8 query, look_out;  // of looking at other words
    Matrix8 up, down;
    std::array<Norm, 3> norms;
  };
  struct Block : Layer {
    Floats distances, same_claim, matches;  // [kinds, heads]
  };
  struct Judge : Layer {
    Floats relations;  // [kinds, heads]
    Matrix8 mass;
  };

  void load(Layer& layer, const std::string& part, const Weights& weights) const;
  Floats spelled(const WordRows& table) const;
  Floats read_claims(const Floats& words, const ClaimWords& claims) const;
  Floats read_texts(const Floats& words, const Floats& states, const TextWords& texts,
                    const std::vector<Agreement>& agreements) const;
  Judgement verdicts(const Floats& states, const Floats& text, const ClaimWords& claims, const TextWords& texts,
                     const std::vector<Agreement>& agreements) const;
  void normed(const Norm& norm, const Floats& rows, Floats& out) const;
  void feed(const Layer& layer, Floats& x) const;

  VerifierSizes sizes_;
  Floats word_, piece_, field_, head_, in_value_, place_, nothing_, whole_;
  Matrix8 widen_, block_sources_, judge_sources_;
  FullLayer verdict_, overall_, odd_;
  std::vector<Block> blocks_;
  std::vector<Judge> judges_;
  Norm claims_norm_, text_norm_, last_norm_;
};

}  // namespace controldag
