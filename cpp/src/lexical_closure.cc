#include "controldag/lexical_closure.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace controldag {
namespace {

constexpr size_t kMaxSteps = size_t{1} << 22;         // of one machine: states × tokens
constexpr size_t kMaxTableEntries = size_t{1} << 20;  // states × classes
constexpr size_t kMaxClosures = 8;
constexpr size_t kIndexed = 64;  // bytes of a state in a table's list and index

uint64_t hash_words(const uint32_t* words, size_t count) {
  uint64_t h = count;
  for (size_t i = 0; i < count; ++i) h = (h ^ words[i]) * 0x9E3779B97F4A7C15ull, h ^= h >> 29;
  return h;
}

// Numbers equal columns alike.
class ColumnNumbers {
 public:
  uint32_t number(const std::vector<uint32_t>& column) {
    for (auto [it, end] = known_.equal_range(hash_words(column.data(), column.size())); it != end; ++it)
      if (columns_[it->second] == column) return it->second;
    known_.emplace(hash_words(column.data(), column.size()), static_cast<uint32_t>(columns_.size()));
    columns_.push_back(column);
    return static_cast<uint32_t>(columns_.size() - 1);
  }
  const std::vector<std::vector<uint32_t>>& columns() const { return columns_; }

 private:
  std::unordered_multimap<uint64_t, uint32_t> known_;
  std::vector<std::vector<uint32_t>> columns_;
};

bool make_table(Machine& machine, const Lattice& lattice, const Limits& limits, MachineTable& table) {
  const uint32_t tokens = static_cast<uint32_t>(lattice.token_id.size());
  const auto index_of = [&](uint32_t state) {
    const auto [found, added] = table.index.emplace(state, static_cast<uint32_t>(table.states.size()));
    if (added) table.states.push_back(state);
    return found->second;
  };
  const uint32_t start = machine.start();
  // A step of an automaton that explodes takes its time.
  const auto step = [&](uint32_t state, uint32_t token, bool first) {
    if (token % 16 == 0) limits.check_time();
    return index_of(machine.step(state, token, first));
  };
  for (uint32_t t = 0; t < tokens; ++t) table.after_first.push_back(step(start, t, true));
  MemoryMeter meter(limits);
  std::vector<uint32_t> rows;  // states × tokens
  for (size_t s = 0; s < table.states.size(); ++s) {
    if (rows.size() + tokens > kMaxSteps) return false;
    meter.make_room(rows, tokens);
    const uint32_t state = table.states[s];
    const bool settled = machine.verdict(state) != Verdict::kOpen;
    for (uint32_t t = 0; t < tokens; ++t)
      rows.push_back(settled ? static_cast<uint32_t>(s) : step(state, t, false));
  }
  meter.take(2 * rows.size() * sizeof(uint32_t));  // of the columns
  ColumnNumbers numbers;
  std::vector<uint32_t> column(table.states.size());
  for (uint32_t t = 0; t < tokens; ++t) {
    limits.spend(8 * column.size());
    for (size_t s = 0; s < column.size(); ++s) column[s] = rows[s * tokens + t];
    table.class_of.push_back(numbers.number(column));
  }
  table.classes = static_cast<uint32_t>(numbers.columns().size());
  if (table.states.size() * table.classes > kMaxTableEntries) return false;
  limits.take(table.states.size() * (table.classes * sizeof(uint32_t) + kIndexed));  // until the search ends
  table.next.resize(table.states.size() * table.classes);
  for (size_t s = 0; s < table.states.size(); ++s)
    for (uint32_t c = 0; c < table.classes; ++c) table.next[s * table.classes + c] = numbers.columns()[c][s];
  return true;
}

}  // namespace

std::vector<LexicalClosure> LexicalClosure::all(const Lattice& lattice, const Program& program) {
  std::vector<MachineTable> waiting;
  for (size_t i = 0; i < program.lexical.size(); ++i) {
    MachineTable table;
    table.machine = i;
    if (make_table(*program.lexical[i], lattice, program.limits(), table)) waiting.push_back(std::move(table));
  }
  std::vector<LexicalClosure> closures;
  do {
    closures.push_back(LexicalClosure(lattice, program, waiting));
  } while (!waiting.empty() && closures.size() < kMaxClosures);
  closures.front().find_unavoidable();
  return closures;
}

LexicalClosure::LexicalClosure(const Lattice& lattice, const Program& program, std::vector<MachineTable>& waiting)
    : meter_(program.limits()) {
  size_t count = waiting.size();
  while (!close(program, lattice, waiting, count)) count -= (count + 3) / 4;
  // One that is too large alone is passed over.
  const auto taken = waiting.begin() + static_cast<std::ptrdiff_t>(std::max(count, std::min<size_t>(1, waiting.size())));
  if (count > 0) tables_.assign(std::make_move_iterator(waiting.begin()), std::make_move_iterator(taken));
  waiting.erase(waiting.begin(), taken);
}

// Explores the joint states of the first `count` tables; false when they are too many.
bool LexicalClosure::close(const Program& program, const Lattice& lattice, const std::vector<MachineTable>& tables,
                           size_t count) {
  width_ = count;
  const size_t tokens = lattice.token_id.size();
  ColumnNumbers joint;
  class_of_.clear();
  std::vector<uint32_t> column(width_);
  for (size_t t = 0; t < tokens; ++t) {
    for (size_t i = 0; i < width_; ++i) column[i] = tables[i].class_of[t];
    class_of_.push_back(joint.number(column));
  }
  classes_ = joint.columns().size();
  words_ = classes_ / 64 + 1;
  tuples_.assign(width_, kUnknown);  // state 0, the start, has no tuple of its own
  count_ = 1;
  buckets_.assign(256, kUnknown);
  first_move_.assign(2, 0);
  rest_.assign(1, 0);
  hopeless_.assign(1, 0);
  may_end_.assign(1, 0);
  end_penalty_.assign(1, 0);
  moves_.clear();
  listed_.assign(words_, 0);
  numbers_.assign(1, kStart);
  after_first_.clear();
  std::vector<uint32_t> tuple(width_), nexts(classes_), sorted;
  for (size_t t = 0; t < tokens; ++t) {
    for (size_t i = 0; i < width_; ++i) tuple[i] = tables[i].after_first[t];
    after_first_.push_back(intern(tuple.data()));
  }
  std::vector<uint32_t> own(program.lexical.size(), 0);
  std::vector<uint8_t> known(program.lexical.size(), 0);
  for (size_t i = 0; i < width_; ++i) known[tables[i].machine] = 1;
  for (uint32_t s = 1; s < count_; ++s) {
    if (width_ > 0 && count_ > program.limits().closure_states) return false;
    program.limits().spend(8 * classes_ * (width_ + 1));
    for (size_t i = 0; i < width_; ++i) own[tables[i].machine] = tables[i].states[tuples_[s * width_ + i]];
    hopeless_.push_back(program.hopeless_lexical(own.data(), known.data()));
    may_end_.push_back(program.may_accept_lexical(own.data(), known.data()));
    end_penalty_.push_back(program.has_soft() ? program.least_penalty(own.data(), known.data()) : 0);
    for (uint32_t c = 0; c < classes_; ++c) {
      for (size_t i = 0; i < width_; ++i) {
        const MachineTable& table = tables[i];
        tuple[i] = table.next[size_t{tuples_[s * width_ + i]} * table.classes + joint.columns()[c][i]];
      }
      nexts[c] = hopeless_[s] ? s : intern(tuple.data());
    }
    sorted = nexts;
    std::sort(sorted.begin(), sorted.end());
    uint32_t rest = sorted.empty() ? s : sorted[0];
    for (size_t i = 0, most = 0, run = 0; i < sorted.size(); ++i) {
      run = i > 0 && sorted[i] == sorted[i - 1] ? run + 1 : 1;
      if (run > most) most = run, rest = sorted[i];
    }
    rest_.push_back(rest);
    meter_.make_room(listed_, words_);
    meter_.make_room(moves_, classes_);
    listed_.resize(listed_.size() + words_, 0);
    for (uint32_t c = 0; c < classes_; ++c)
      if (nexts[c] != rest) {
        moves_.push_back({c, nexts[c]});
        listed_[size_t{s} * words_ + c / 64] |= uint64_t{1} << (c % 64);
      }
    first_move_.push_back(moves_.size());
  }
  return true;
}

void LexicalClosure::find_unavoidable() {
  unavoidable_ = std::numeric_limits<double>::infinity();
  for (uint32_t s = 1; s < count_; ++s)
    if (may_end_[s]) unavoidable_ = std::min(unavoidable_, end_penalty_[s]);
  if (std::isinf(unavoidable_)) unavoidable_ = 0;  // nothing may end at all
}

uint32_t LexicalClosure::intern(const uint32_t* tuple) {
  if (2 * count_ > buckets_.size()) {
    meter_.take(2 * buckets_.size() * sizeof(uint32_t));
    std::vector<uint32_t> wider(buckets_.size() * 2, kUnknown);
    for (uint32_t s = 1; s < count_; ++s) {
      size_t i = hash_words(tuples_.data() + s * width_, width_) & (wider.size() - 1);
      while (wider[i] != kUnknown) i = (i + 1) & (wider.size() - 1);
      wider[i] = s;
    }
    meter_.give_back(buckets_.size() * sizeof(uint32_t));
    buckets_.swap(wider);
  }
  size_t i = hash_words(tuple, width_) & (buckets_.size() - 1);
  for (; buckets_[i] != kUnknown; i = (i + 1) & (buckets_.size() - 1))
    if (std::equal(tuple, tuple + width_, tuples_.data() + size_t{buckets_[i]} * width_)) return buckets_[i];
  buckets_[i] = count_;
  meter_.make_room(tuples_, width_);
  tuples_.insert(tuples_.end(), tuple, tuple + width_);
  return count_++;
}

uint32_t LexicalClosure::find(const uint32_t* parts, uint32_t product_state) const {
  std::vector<uint32_t> tuple(width_);
  for (size_t i = 0; i < width_; ++i) tuple[i] = tables_[i].index.at(parts[tables_[i].machine]);
  size_t i = hash_words(tuple.data(), width_) & (buckets_.size() - 1);
  // Every state a search can reach was closed over, so it is there.
  while (!std::equal(tuple.begin(), tuple.end(), tuples_.data() + size_t{buckets_[i]} * width_))
    i = (i + 1) & (buckets_.size() - 1);
  if (product_state >= numbers_.size()) numbers_.resize(product_state + 1, kUnknown);
  return numbers_[product_state] = buckets_[i];
}

}  // namespace controldag
