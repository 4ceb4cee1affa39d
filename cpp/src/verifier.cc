#include "controldag/verifier.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "controldag/agreement.h"
#include "controldag/error.h"
#include "controldag/layers.h"

namespace controldag {
namespace {

constexpr int32_t kFarthest = 16;  // words farther apart are all alike far
constexpr float kNoOddWord = -30.0f;

using Floats = std::vector<float>;

// Weights and offsets of several layers with the same input, put together.
struct Together {
  Floats weight, bias;

  void add(std::span<const float> rows, std::span<const float> offsets) {
    weight.insert(weight.end(), rows.begin(), rows.end());
    bias.insert(bias.end(), offsets.begin(), offsets.end());
  }
  Matrix8 matrix(int32_t inputs) const { return {weight, bias, inputs}; }
};

// The keys, then the values: they are stored head by head, key beside value.
void add_keys_values(Together& to, const std::string& name, const VerifierSizes& sizes,
                     const VerifierNetwork::Weights& weights) {
  const auto rows = weights(name + ".weight"), offsets = weights(name + ".bias");
  const int32_t depth = sizes.width / sizes.heads;
  for (int32_t part = 0; part < 2; ++part)
    for (int32_t head = 0; head < sizes.heads; ++head) {
      const size_t begin = static_cast<size_t>(2 * head + part) * depth;
      to.add(rows.subspan(begin * sizes.width, static_cast<size_t>(depth) * sizes.width), offsets.subspan(begin, depth));
    }
}

void add_row(float* to, const Floats& table, size_t row, int32_t width) {
  const float* from = table.data() + row * width;
  for (int32_t i = 0; i < width; ++i) to[i] += from[i];
}

int32_t apart(int32_t from, int32_t to) { return std::clamp(to - from, -kFarthest, kFarthest) + kFarthest; }

Floats product(const Matrix8& matrix, const Floats& rows) {
  const auto count = static_cast<int32_t>(rows.size() / matrix.inputs());
  Floats out(static_cast<size_t>(count) * matrix.outputs());
  matrix.multiply(rows.data(), count, out.data());
  return out;
}

// In full: what is said at last is too little to be worth rounding.
Floats product(const FullLayer& layer, const Floats& rows) {
  const size_t outputs = layer.bias.size(), inputs = layer.weight.size() / outputs, count = rows.size() / inputs;
  Floats out(count * outputs);
  for (size_t row = 0; row < count; ++row)
    for (size_t o = 0; o < outputs; ++o)
      out[row * outputs + o] = std::inner_product(rows.begin() + row * inputs, rows.begin() + (row + 1) * inputs,
                                                  layer.weight.begin() + o * inputs, layer.bias[o]);
  return out;
}

void add_product(const Matrix8& matrix, const Floats& rows, Floats& to) {
  matrix.multiply(rows.data(), static_cast<int32_t>(rows.size() / matrix.inputs()), to.data(), true);
}

}  // namespace

VerifierNetwork::VerifierNetwork(const VerifierSizes& sizes, const Weights& weights) : sizes_(sizes) {
  const auto copied = [&](const std::string& name) {
    const auto found = weights(name);
    return Floats(found.begin(), found.end());
  };
  const auto linear = [&](const std::string& name, int32_t inputs) {
    return Matrix8(weights(name + ".weight"), weights(name + ".bias"), inputs);
  };
  const auto norm = [&](const std::string& name) { return Norm{copied(name + ".weight"), copied(name + ".bias")}; };
  word_ = copied("word.weight"), piece_ = copied("piece.weight"), field_ = copied("field.weight");
  head_ = copied("head.weight"), in_value_ = copied("in_value.weight"), place_ = copied("place.weight");
  nothing_ = copied("nothing"), whole_ = copied("whole");
  widen_ = linear("widen", sizes.embedding);
  const auto full = [&](const std::string& name) { return FullLayer{copied(name + ".weight"), copied(name + ".bias")}; };
  verdict_ = full("verdict"), overall_ = full("overall"), odd_ = full("odd");
  claims_norm_ = norm("claims_norm"), text_norm_ = norm("text_norm"), last_norm_ = norm("last_norm");
  Together of_blocks, of_judges;
  for (int32_t number = 0; number < sizes.layers; ++number) {
    const std::string part = "blocks." + std::to_string(number) + ".";
    Block& block = blocks_.emplace_back();
    load(block, part, weights);
    block.distances = copied(part + "distances"), block.same_claim = copied(part + "same_claim");
    block.matches = copied(part + "matches");
    add_keys_values(of_blocks, part + "look.key_value", sizes, weights);
  }
  for (int32_t number = 0; number < sizes.judges; ++number) {
    const std::string part = "judges." + std::to_string(number) + ".";
    Judge& judge = judges_.emplace_back();
    load(judge, part, weights);
    judge.relations = copied(part + "relations");
    judge.mass = linear(part + "mass", sizes.heads * kRelations);
    add_keys_values(of_judges, part + "look.key_value", sizes, weights);
  }
  block_sources_ = of_blocks.matrix(sizes.width), judge_sources_ = of_judges.matrix(sizes.width);
}

void VerifierNetwork::load(Layer& layer, const std::string& part, const Weights& weights) const {
  const auto linear = [&](const std::string& name, int32_t inputs) {
    return Matrix8(weights(part + name + ".weight"), weights(part + name + ".bias"), inputs);
  };
  Together own;
  own.add(weights(part + "attend.query.weight"), weights(part + "attend.query.bias"));
  add_keys_values(own, part + "attend.key_value", sizes_, weights);
  layer.own = own.matrix(sizes_.width), layer.own_out = linear("attend.out", sizes_.width);
  layer.query = linear("look.query", sizes_.width), layer.look_out = linear("look.out", sizes_.width);
  layer.up = linear("feed.up", sizes_.width), layer.down = linear("feed.down", layer.up.outputs());
  for (int32_t number = 0; number < 3; ++number) {
    const auto scale = weights(part + "norms." + std::to_string(number) + ".weight");
    const auto offset = weights(part + "norms." + std::to_string(number) + ".bias");
    layer.norms[number] = {{scale.begin(), scale.end()}, {offset.begin(), offset.end()}};
  }
}

Judgement VerifierNetwork::judge(const WordRows& table, const ClaimWords& claims, const TextWords& texts) const {
  std::vector<Agreement> agreements;
  size_t begin = 0;
  for (const int32_t length : texts.lengths) {
    agreements.push_back(
        agreement(table, claims, texts.words.subspan(begin, length), texts.values.subspan(begin, length)));
    begin += length;
  }
  const Floats words = spelled(table);
  const Floats states = read_claims(words, claims);
  return verdicts(states, read_texts(words, states, texts, agreements), claims, texts, agreements);
}

void VerifierNetwork::normed(const Norm& norm, const Floats& rows, Floats& out) const {
  out.resize(rows.size());
  const auto count = static_cast<int32_t>(rows.size() / sizes_.width);
  layer_norm(rows.data(), count, sizes_.width, norm.scale.data(), norm.offset.data(), out.data());
}

void VerifierNetwork::feed(const Layer& layer, Floats& x) const {
  Floats rows;
  normed(layer.norms[2], x, rows);
  Floats inner = product(layer.up, rows);
  gelu(inner.data(), static_cast<int64_t>(inner.size()));
  add_product(layer.down, inner, x);
}

// States of the different words, each spelled once: [words, width].
Floats VerifierNetwork::spelled(const WordRows& table) const {
  const int32_t size = sizes_.embedding;
  const size_t count = table.numbers.size() / table.columns;
  Floats rows(count * size);
  for (size_t word = 0; word < count; ++word) {
    const int32_t* row = table.numbers.data() + word * table.columns;
    float* to = rows.data() + word * size;
    int32_t pieces = 0;
    for (int32_t column = 3; column < table.columns; ++column) {
      add_row(to, piece_, row[column], size);
      pieces += row[column] > 0;
    }
    for (int32_t i = 0; i < size; ++i) to[i] /= static_cast<float>(std::max(1, pieces));
    add_row(to, word_, row[0], size);
  }
  return product(widen_, rows);
}

// States of *nothing* and of the words of the claims: [1 + words, width].
Floats VerifierNetwork::read_claims(const Floats& words, const ClaimWords& claims) const {
  const int32_t width = sizes_.width, heads = sizes_.heads, count = static_cast<int32_t>(claims.words.size());
  Floats x(static_cast<size_t>(count) * width), rows, scores(static_cast<size_t>(heads) * count * count), found(x.size());
  for (int32_t word = 0; word < count; ++word) {
    float* to = x.data() + static_cast<size_t>(word) * width;
    add_row(to, words, claims.words[word], width);
    add_row(to, field_, claims.fields[word], width);
    add_row(to, head_, claims.heads[word], width);
  }
  for (const Block& block : blocks_) {
    normed(block.norms[0], x, rows);
    const Floats own = product(block.own, rows);
    float* score = scores.data();
    for (int32_t head = 0; head < heads; ++head)
      for (int32_t i = 0; i < count; ++i)
        for (int32_t j = 0; j < count; ++j)
          *score++ = block.distances[apart(i, j) * heads + head] +
                     block.same_claim[(claims.claims[i] == claims.claims[j]) * heads + head];
    attend({own.data(), own.data() + width, own.data() + 2 * width, count, count, heads, width / heads, 3 * width,
            3 * width, 3 * width},
           scores.data(), found.data());
    add_product(block.own_out, found, x);
    feed(block, x);
  }
  normed(claims_norm_, x, rows);
  Floats states(nothing_.begin(), nothing_.begin() + width);
  states.insert(states.end(), rows.begin(), rows.end());
  return states;
}

// States of *nothing* and of the words of all texts: [1 + words, width].
Floats VerifierNetwork::read_texts(const Floats& words, const Floats& states, const TextWords& texts,
                                   const std::vector<Agreement>& agreements) const {
  const int32_t width = sizes_.width, heads = sizes_.heads;
  const auto asked = static_cast<int32_t>(states.size()) / width;  // *nothing* first
  const Floats sources = product(block_sources_, states);
  const auto stride = static_cast<int32_t>(2 * width * blocks_.size());
  Floats x(texts.words.size() * width), rows, scores, found(x.size());
  size_t begin = 0;
  for (const int32_t length : texts.lengths) {
    for (int32_t place = 0; place < length; ++place) {
      float* to = x.data() + (begin + place) * width;
      add_row(to, words, texts.words[begin + place], width);
      add_row(to, in_value_, texts.values[begin + place] > 0, width);
      add_row(to, place_, std::min(place, sizes_.longest - 1), width);
    }
    begin += length;
  }
  for (size_t number = 0; number < blocks_.size(); ++number) {
    const Block& block = blocks_[number];
    normed(block.norms[0], x, rows);
    const Floats own = product(block.own, rows);
    begin = 0;
    for (const int32_t length : texts.lengths) {
      scores.resize(static_cast<size_t>(heads) * length * length);
      float* score = scores.data();
      for (int32_t head = 0; head < heads; ++head)
        for (int32_t i = 0; i < length; ++i)
          for (int32_t j = 0; j < length; ++j) *score++ = block.distances[apart(i, j) * heads + head];
      const float* from = own.data() + begin * 3 * width;
      attend({from, from + width, from + 2 * width, length, length, heads, width / heads, 3 * width, 3 * width, 3 * width},
             scores.data(), found.data() + begin * width);
      begin += length;
    }
    add_product(block.own_out, found, x);
    normed(block.norms[1], x, rows);
    const Floats queries = product(block.query, rows);
    begin = 0;
    for (size_t text = 0; text < texts.lengths.size(); ++text) {
      const int32_t length = texts.lengths[text];
      const auto& matches = agreements[text].matches;
      scores.resize(static_cast<size_t>(heads) * length * asked);
      float* score = scores.data();
      for (int32_t head = 0; head < heads; ++head)
        for (int32_t i = 0; i < length; ++i) {
          *score++ = 0;
          for (int32_t j = 0; j + 1 < asked; ++j)
            *score++ = block.matches[matches[i * (asked - 1) + j] * heads + head];
        }
      const float* source = sources.data() + 2 * width * number;
      attend({queries.data() + begin * width, source, source + width, length, asked, heads, width / heads, width, stride, stride},
             scores.data(), found.data() + begin * width);
      begin += length;
    }
    add_product(block.look_out, found, x);
    feed(block, x);
  }
  normed(text_norm_, x, rows);
  Floats text(nothing_.begin() + width, nothing_.end());
  text.insert(text.end(), rows.begin(), rows.end());
  return text;
}

Judgement VerifierNetwork::verdicts(const Floats& states, const Floats& text, const ClaimWords& claims,
                                    const TextWords& texts, const std::vector<Agreement>& agreements) const {
  const int32_t width = sizes_.width, heads = sizes_.heads, depth = width / heads;
  const auto count = static_cast<int32_t>(texts.lengths.size());
  const auto acts = static_cast<int32_t>(claims.starts.size()), questions = acts + 1;
  const int32_t longest = texts.lengths.empty() ? 0 : *std::max_element(texts.lengths.begin(), texts.lengths.end());
  Judgement judged{Floats(static_cast<size_t>(count) * acts * 3), Floats(static_cast<size_t>(count) * 2),
                   Floats(static_cast<size_t>(count) * acts * longest)};
  // A question for each claim and one for the whole, the same for every text.
  Floats asked;
  for (const int32_t start : claims.starts)
    asked.insert(asked.end(), states.begin() + (start + 1) * width, states.begin() + (start + 2) * width);
  asked.insert(asked.end(), whole_.begin(), whole_.end());
  Floats x;
  for (int32_t each = 0; each < count; ++each) x.insert(x.end(), asked.begin(), asked.end());

  const Floats sources = product(judge_sources_, text);
  const auto stride = static_cast<int32_t>(2 * width * judges_.size());
  Floats rows, scores, found(x.size()), mass(static_cast<size_t>(count) * questions * heads * kRelations), looked;
  for (size_t number = 0; number < judges_.size(); ++number) {
    const Judge& judge = judges_[number];
    normed(judge.norms[0], x, rows);
    const Floats own = product(judge.own, rows);
    for (int32_t each = 0; each < count; ++each) {
      scores.assign(static_cast<size_t>(heads) * questions * questions, 0.0f);
      const float* from = own.data() + static_cast<size_t>(each) * questions * 3 * width;
      attend({from, from + width, from + 2 * width, questions, questions, heads, depth, 3 * width, 3 * width, 3 * width},
             scores.data(), found.data() + static_cast<size_t>(each) * questions * width);
    }
    add_product(judge.own_out, found, x);
    normed(judge.norms[1], x, rows);
    const Floats queries = product(judge.query, rows);
    std::fill(mass.begin(), mass.end(), 0.0f);
    size_t begin = 0;
    for (int32_t each = 0; each < count; ++each) {
      const int32_t length = texts.lengths[each], seen = length + 1;  // *nothing* first
      const auto& relations = agreements[each].relations;
      const auto relation = [&](int32_t question, int32_t place) {
        return place ? relations[question * length + place - 1] : uint8_t{0};
      };
      scores.resize(static_cast<size_t>(heads) * questions * seen);
      float* score = scores.data();
      for (int32_t head = 0; head < heads; ++head)
        for (int32_t question = 0; question < questions; ++question)
          for (int32_t place = 0; place < seen; ++place) *score++ = judge.relations[relation(question, place) * heads + head];
      // *Nothing* is one row for all texts: it goes before the words of each.
      looked.assign(sources.begin(), sources.begin() + stride);
      looked.insert(looked.end(), sources.begin() + (begin + 1) * stride, sources.begin() + (begin + 1 + length) * stride);
      const float* source = looked.data() + 2 * width * number;
      attend({queries.data() + static_cast<size_t>(each) * questions * width, source, source + width, questions, seen,
              heads, depth, width, stride, stride},
             scores.data(), found.data() + static_cast<size_t>(each) * questions * width);
      const float* weight = scores.data();
      for (int32_t head = 0; head < heads; ++head)
        for (int32_t question = 0; question < questions; ++question)
          for (int32_t place = 0; place < seen; ++place, ++weight) {
            mass[((static_cast<size_t>(each) * questions + question) * heads + head) * kRelations + relation(question, place)] += *weight;
            if (number + 1 == judges_.size() && place && question < acts)
              judged.places[(static_cast<size_t>(each) * acts + question) * longest + place - 1] += *weight / heads;
          }
      begin += length;
    }
    add_product(judge.look_out, found, x);
    add_product(judge.mass, mass, x);
    feed(judge, x);
  }
  normed(last_norm_, x, rows);
  const Floats verdict = product(verdict_, rows), overall = product(overall_, rows), odd = product(odd_, text);
  size_t begin = 1;
  for (int32_t each = 0; each < count; ++each) {
    const size_t first = static_cast<size_t>(each) * questions;
    std::copy_n(verdict.begin() + first * 3, acts * 3, judged.claims.begin() + static_cast<size_t>(each) * acts * 3);
    for (int32_t part = 0; part < 2; ++part) {
      float most = kNoOddWord;
      for (size_t place = begin; place < begin + texts.lengths[each]; ++place) most = std::max(most, odd[place * 2 + part]);
      judged.overall[each * 2 + part] = overall[(first + acts) * 2 + part] + most;
    }
    begin += texts.lengths[each];
  }
  return judged;
}

}  // namespace controldag
