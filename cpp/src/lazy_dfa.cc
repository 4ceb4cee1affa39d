#include "controldag/lazy_dfa.h"

#include <algorithm>

#include "controldag/error.h"
#include "controldag/limits.h"

namespace controldag {

CompiledNfa::CompiledNfa(const Nfa& nfa) : start(nfa.start), accept(nfa.accept), sticky(nfa.sticky) {
  nfa.check();
  edge_begin.assign(nfa.states + 1, 0);
  epsilon_begin.assign(nfa.states + 1, 0);
  for (const auto& edge : nfa.edges) ++edge_begin[edge.from + 1];
  for (const auto& epsilon : nfa.epsilons) ++epsilon_begin[epsilon.from + 1];
  for (uint32_t s = 0; s < nfa.states; ++s) {
    edge_begin[s + 1] += edge_begin[s];
    epsilon_begin[s + 1] += epsilon_begin[s];
  }
  edges.resize(nfa.edges.size());
  epsilons.resize(nfa.epsilons.size());
  std::vector<uint32_t> edge_at(edge_begin), epsilon_at(epsilon_begin);
  for (const auto& edge : nfa.edges) edges[edge_at[edge.from]++] = {edge.low, edge.high, edge.to};
  for (const auto& e : nfa.epsilons) epsilons[epsilon_at[e.from]++] = {e.to, e.guard};
  // Two bytes are of one class when no edge and no guard tells them apart.
  std::array<bool, 257> cut{};
  for (const auto& edge : nfa.edges) cut[edge.low] = cut[edge.high + 1] = true;
  const bool guarded =
      std::any_of(nfa.epsilons.begin(), nfa.epsilons.end(), [](const auto& e) { return e.guard != Guard::kNone; });
  for (int b = 1; guarded && b < 256; ++b) cut[b] = cut[b] || is_word_byte(b) != is_word_byte(b - 1);
  for (int b = 0; b < 256; ++b) {
    if (b == 0 || cut[b]) class_byte.push_back(static_cast<uint8_t>(b));
    byte_class[b] = static_cast<uint8_t>(class_byte.size() - 1);
  }
}

LazyDfa::LazyDfa(const CompiledNfa& nfa, const Lattice& lattice, const Limits& limits)
    : nfa_(nfa), lattice_(lattice), limits_(limits), meter_(limits), classes_(nfa.class_byte.size()), sets_(limits),
      seen_(nfa.edge_begin.size(), 0) {
  accepts_ = {0, 1};
  next_.assign(classes_, kDeadState);
  next_.insert(next_.end(), classes_, kForeverState);
  moved_ = {nfa_.start};
  start_ = intern(moved_, kNothing);
}

uint32_t LazyDfa::step(uint32_t state, uint32_t token, bool first) {
  const std::string& bytes = lattice_.surface[token];
  for (size_t i = first && bytes[0] == ' ' ? 1 : 0; i < bytes.size(); ++i) {
    state = step_byte(state, static_cast<uint8_t>(bytes[i]));
    if (state <= kForeverState) return state;
  }
  return state;
}

uint32_t LazyDfa::step_byte(uint32_t state, uint8_t byte) {
  const uint8_t byte_class = nfa_.byte_class[byte];
  const uint32_t known = next_[state * classes_ + byte_class];
  return known != kUnknown ? known : compute(state, byte_class);
}

bool LazyDfa::accepts(uint32_t state) {
  if (accepts_[state] < 0) {
    load(state);
    close(members_, before_, -1);
    accepts_[state] = std::find(members_.begin(), members_.end(), nfa_.accept) != members_.end();
  }
  return accepts_[state] > 0;
}

void LazyDfa::load(uint32_t state) {
  const auto set = sets_.members(state - 1);
  members_.assign(set.begin(), set.end() - 1);
  before_ = static_cast<Before>(UINT32_MAX - set.back());
}

// Adds to `members` what epsilon edges reach, given the neighbours (`next_byte` -1: the text ends, -2: not known,
// so that only unguarded and look-behind edges are followed).
void LazyDfa::close(std::vector<uint32_t>& members, Before before, int next_byte) {
  for (uint32_t m : members) seen_[m] = 1;
  const bool word_before = before == kWord;
  const bool word_after = next_byte >= 0 && is_word_byte(static_cast<uint8_t>(next_byte));
  const bool known = next_byte != -2;
  for (size_t i = 0; i < members.size(); ++i) {
    const uint32_t m = members[i];
    for (uint32_t e = nfa_.epsilon_begin[m]; e < nfa_.epsilon_begin[m + 1]; ++e) {
      const auto& epsilon = nfa_.epsilons[e];
      bool open = true;
      switch (epsilon.guard) {
        case Guard::kNone: break;
        case Guard::kNotWordBefore: open = !word_before; break;
        case Guard::kNotWordAfter: open = known && !word_after; break;
        case Guard::kBegin: open = before == kNothing; break;
        case Guard::kEnd: open = next_byte == -1; break;
        case Guard::kBoundary: open = known && word_before != word_after; break;
        case Guard::kNotBoundary: open = known && word_before == word_after; break;
      }
      if (open && !seen_[epsilon.to]) {
        seen_[epsilon.to] = 1;
        members.push_back(epsilon.to);
      }
    }
  }
  for (uint32_t m : members) seen_[m] = 0;
}

uint32_t LazyDfa::compute(uint32_t state, uint8_t byte_class) {
  const uint8_t byte = nfa_.class_byte[byte_class];
  load(state);
  close(members_, before_, byte);
  moved_.clear();
  for (uint32_t m : members_)
    for (uint32_t e = nfa_.edge_begin[m]; e < nfa_.edge_begin[m + 1]; ++e)
      if (byte >= nfa_.edges[e].low && byte <= nfa_.edges[e].high && !seen_[nfa_.edges[e].to]) {
        seen_[nfa_.edges[e].to] = 1;
        moved_.push_back(nfa_.edges[e].to);
      }
  for (uint32_t m : moved_) seen_[m] = 0;
  limits_.spend(16 * (members_.size() + moved_.size()));
  const uint32_t next = intern(moved_, is_word_byte(byte) ? kWord : kOther);
  next_[state * classes_ + byte_class] = next;
  return next;
}

uint32_t LazyDfa::intern(std::vector<uint32_t>& members, Before before) {
  if (members.empty()) return kDeadState;
  if (nfa_.sticky) {
    members_ = members;
    close(members_, before, -2);
    if (std::find(members_.begin(), members_.end(), nfa_.accept) != members_.end()) return kForeverState;
  }
  members.push_back(UINT32_MAX - before);  // sorts last, above every NFA state
  const uint32_t state = sets_.number(members) + 1;
  if (state == accepts_.size()) {
    if (next_.size() > kMaxAutomatonCells)
      throw TooLarge("The memory of one constraint's automaton in cells", next_.size(), kMaxAutomatonCells);
    accepts_.push_back(-1);
    meter_.make_room(next_, classes_);
    next_.insert(next_.end(), classes_, kUnknown);
  }
  return state;
}

}  // namespace controldag
