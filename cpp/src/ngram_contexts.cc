#include "controldag/ngram_contexts.h"

#include <algorithm>
#include <limits>

#include "controldag/limits.h"
#include "controldag/remembered.h"

namespace controldag {
namespace {

// By token class: the joint lexical states that one of its tokens can leave behind, without the hopeless ones.
std::vector<std::vector<uint32_t>> images_of(const LexicalClosure& closure, const Lattice& lattice, const Limits& limits) {
  std::vector<std::vector<uint32_t>> images(closure.classes());
  std::vector<bool> seen(closure.classes() * closure.states());
  const auto leave = [&](uint32_t token_class, uint32_t state) {
    const size_t pair = token_class * closure.states() + state;
    if (!seen[pair] && !closure.hopeless(state)) images[token_class].push_back(state);
    seen[pair] = true;
  };
  for (uint32_t s = 1; s < closure.states(); ++s) {
    limits.spend(4 * closure.classes());
    if (closure.hopeless(s)) continue;
    bool rest = false;
    for (uint32_t c = 0; c < closure.classes(); ++c) rest = rest || !closure.listed(s, c);
    for (const auto* move = closure.moves_begin(s); move != closure.moves_end(s); ++move)
      leave(move->token_class, move->next);
    for (uint32_t c = 0; rest && c < closure.classes(); ++c)
      if (!closure.listed(s, c)) leave(c, closure.rest(s));
  }
  for (size_t t = 0; t < lattice.token_id.size(); ++t)
    leave(closure.class_of(static_cast<int32_t>(t)), closure.after_first(static_cast<int32_t>(t)));
  for (auto& image : images) {
    limits.spend(32 * image.size());
    std::sort(image.begin(), image.end());
    image.shrink_to_fit();
    limits.take(image.size() * sizeof(uint32_t));  // until the search ends
  }
  return images;
}

}  // namespace

NgramContexts::NgramContexts(const Lattice& lattice, const ContextMachine& weights, const Program& program,
                             const LexicalClosure& closure, size_t most_sums)
    : lattice_(lattice), weights_(weights), program_(program), closure_(closure), meter_(program.limits()),
      images_(images_of(closure, lattice, program.limits())), class_words_(closure.classes() / 64 + 1) {
  for (const auto& image : images_) widest_image_ = std::max(widest_image_, image.size());
  if (lay_out(1, true, most_sums) || (program.wide.size() > 1 && lay_out(1, false, most_sums))) return;
  start_over(0, false);
  floor_ = lattice.emit_cost;
  for (size_t e = 0; e < floor_.size(); ++e) floor_[e] += weights.weights().least(lattice_.token_id[lattice_.emit_token[e]]);
}

bool NgramContexts::sharpen(size_t most_sums) {
  const uint32_t before = order_;
  if (before == 0 || before == TokenWeights::kLongestCut) return false;
  const bool with_words = with_words_;
  for (uint32_t order = TokenWeights::kLongestCut; order > before; --order)
    if (lay_out(order, with_words, most_sums)) return true;
  lay_out(before, with_words, SIZE_MAX);
  return false;
}

void NgramContexts::start_over(uint32_t order, bool with_words) {
  ++layout_;
  order_ = order;
  with_words_ = with_words;
  states_.reset();
  machines_.clear();
  for (size_t i = 0; with_words && i + 1 < program_.wide.size(); ++i)
    machines_.push_back(std::make_unique<BorrowedMachine>(*program_.wide[i]));
  auto cutter = std::make_unique<ContextMachine>(weights_.weights(), lattice_, program_.limits(), order);
  cutter_ = cutter.get();
  machines_.push_back(std::move(cutter));
  states_.emplace(machines_, lattice_.token_id.size(), program_.limits(), true,
                  with_words ? program_.decisive_wide() : std::vector<uint8_t>());
  meter_.give_back(meter_.used());
  const auto free = [](auto& items) { std::remove_reference_t<decltype(items)>().swap(items); };  // {} keeps the memory
  free(dead_);
  free(may_end_);
  free(classes_);
  cut_.clear();
  row_ = FlatMap{256};
  row_begin_.assign(1, 0);
  free(context_);
  cell_begin_.clear();
  free(cells_);
  turn_begin_.assign(1, 0);
  free(turns_);
  turn_rows_begin_.clear();
  free(turn_rows_);
  free(groups_);
  floor_.assign(lattice_.emit_cost.size(), std::numeric_limits<float>::infinity());
  add_context(kStart);
}

// Everything for contexts of up to `order` tokens; false where the bound would take too many sums or too much memory.
bool NgramContexts::lay_out(uint32_t order, bool with_words, size_t most_sums) {
  start_over(order, with_words);
  try {
    return lay_out_all(most_sums);
  } catch (const TooLarge&) {
    if (most_sums == SIZE_MAX) throw;  // there is nothing smaller to go back to
    return false;
  }
}

bool NgramContexts::lay_out_all(size_t most_sums) {
  const int32_t vertices = lattice_.vertices();
  std::vector<std::vector<uint32_t>> contexts(vertices);  // before each vertex, each once
  for (int32_t v = 0; v < vertices; ++v) {
    program_.limits().check_time();
    lay_out_vertex(v, contexts);
    if (cells_.size() > most_sums / widest_image_) return false;
    meter_.give_back(contexts[v].capacity() * sizeof(uint32_t));
    std::vector<uint32_t>().swap(contexts[v]);
  }
  make_groups();
  return true;
}

void NgramContexts::lay_out_vertex(int32_t v, std::vector<std::vector<uint32_t>>& contexts) {
  meter_.make_room(context_, contexts[v].size());
  context_.insert(context_.end(), contexts[v].begin(), contexts[v].end());
  row_begin_.push_back(static_cast<uint32_t>(context_.size()));
  cell_begin_.push_back(cells_.size());
  turn_rows_begin_.push_back(turn_rows_.size());
  FlatMap turn_of{64};  // (emission, context after it) -> turn
  const auto reach = [&](uint32_t context) {
    for (int32_t a = lattice_.arc_begin[v]; a < lattice_.arc_begin[v + 1]; ++a) {
      const int32_t to = lattice_.arc_to[a];
      bool added = false;
      const uint32_t row = to == lattice_.last() ? 0 : meter_.at(row_, key(to, context), static_cast<uint32_t>(contexts[to].size()), added);
      if (added) meter_.push(contexts[to], context);
      meter_.push(turn_rows_, row);
    }
  };
  if (v == 0) reach(kStart);  // the one turn without an emission
  for (const uint32_t context : contexts[v]) {
    program_.limits().spend(16 * emissions(v));
    for (int32_t e = lattice_.emit_begin[v]; e < lattice_.emit_begin[v + 1]; ++e) {
      const uint32_t token = static_cast<uint32_t>(lattice_.emit_token[e]);
      const uint32_t after = states_->step(context, token);
      add_context(after);
      if (dead_[after]) {
        meter_.push(cells_, Cell{std::numeric_limits<float>::infinity(), 0});
        continue;
      }
      const uint32_t token_class = closure_.class_of(lattice_.emit_token[e]);
      classes_[after * class_words_ + token_class / 64] |= uint64_t{1} << (token_class % 64);
      const float cost = lattice_.emit_cost[e] + cutter_->weight(states_->parts(context)[machines_.size() - 1], token);
      floor_[e] = std::min(floor_[e], cost);
      bool added = false;
      const uint32_t number = static_cast<uint32_t>(turns_.size()) - turn_begin_.back();
      const uint32_t turn = turn_of.at(key(e, after), number, added);
      if (added) {
        meter_.push(turns_, Turn{e, after});
        program_.limits().spend(8 * arcs(v));
        reach(after);
      }
      meter_.push(cells_, Cell{cost, turn});
    }
  }
  turn_begin_.push_back(static_cast<uint32_t>(turns_.size()));
}

void NgramContexts::add_context(uint32_t context) {
  while (dead_.size() <= context) {
    const uint32_t* parts = states_->parts(static_cast<uint32_t>(dead_.size()));
    dead_.push_back(with_words_ && program_.hopeless_wide(parts));
    may_end_.push_back(!with_words_ || program_.may_accept_wide(parts));
    meter_.make_room(classes_, class_words_);
    classes_.resize(classes_.size() + class_words_, 0);
  }
}

// The lexical states that go with each context: those that its last tokens lead to.
void NgramContexts::make_groups() {
  groups_.assign(1, {LexicalClosure::kStart});
  group_.assign(1, 0);
  std::vector<std::vector<uint64_t>> known{{}};
  for (size_t context = 1; context < dead_.size(); ++context) {
    const auto begin = classes_.begin() + static_cast<ptrdiff_t>(context * class_words_);
    const std::vector<uint64_t> set(begin, begin + static_cast<ptrdiff_t>(class_words_));
    size_t number = 1;
    while (number < known.size() && known[number] != set) ++number;
    program_.limits().spend(8 * number);
    group_.push_back(static_cast<uint32_t>(number));
    if (number < known.size()) continue;
    known.push_back(set);
    size_t most = 0;
    for (size_t c = 0; c < images_.size(); ++c)
      if (set[c / 64] >> (c % 64) & 1) most += images_[c].size();
    meter_.take(most * sizeof(uint32_t));
    std::vector<uint32_t> members;
    members.reserve(most);
    for (size_t c = 0; c < images_.size(); ++c)
      if (set[c / 64] >> (c % 64) & 1) members.insert(members.end(), images_[c].begin(), images_[c].end());
    program_.limits().spend(32 * members.size());
    std::sort(members.begin(), members.end());
    members.erase(std::unique(members.begin(), members.end()), members.end());
    members.shrink_to_fit();
    meter_.give_back((most - members.size()) * sizeof(uint32_t));
    groups_.push_back(std::move(members));
  }
}

uint32_t NgramContexts::find_cut(const uint32_t* parts, uint32_t wide_state) const {
  const size_t last = program_.wide.size() - 1;
  std::vector<uint32_t> tuple;
  if (with_words_) tuple.assign(parts, parts + last);
  tuple.push_back(cutter_->cut(weights_, parts[last]));
  if (wide_state >= cut_.size()) cut_.resize(wide_state + 1, kUnknown);
  // Every state a search can reach was laid out, so it is there.
  return cut_[wide_state] = wide_state == 0 ? kStart : states_->find(tuple.data());
}

}  // namespace controldag
