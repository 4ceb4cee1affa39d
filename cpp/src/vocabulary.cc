#include "controldag/vocabulary.h"

#include <algorithm>

#include "controldag/error.h"
#include "controldag/utf8.h"

namespace controldag {
namespace {

// Where a reader of the text can be; the low 28 bits hold a trie node.
enum Kind : uint32_t {
  kStart,        // at the beginning of a chunk
  kBefore,       // in its leading punctuation
  kAfter,        // in its trailing punctuation, or at the end of its core
  kWord,         // in a listed word
  kDigits,       // in a number, after a digit
  kSeparator,    // in a number, after one of . , : / -
  kSuffix,       // in the letters that may end a number
  kOverlay,      // in an entity or a licensed number
  kEntityEnd,    // after a whole entity: as kAfter, and 's may follow
  kApostrophe,   // after an entity and '
  kPunctBefore,  // inside a punctuation mark of several bytes, before the core
  kPunctAfter,   // the same, after the core
};
constexpr uint32_t position(Kind kind, uint32_t node = 0) { return (kind << 28) | node; }
constexpr Kind kind_of(uint32_t p) { return static_cast<Kind>(p >> 28); }
constexpr uint32_t node_of(uint32_t p) { return p & 0x0FFFFFFF; }

constexpr uint8_t kEntityMark = 1, kNumberMark = 2;

bool is_digit(uint8_t b) { return b >= '0' && b <= '9'; }
bool is_number_separator(uint8_t b) { return b == '.' || b == ',' || b == ':' || b == '/' || b == '-'; }

const Trie& number_suffixes() {
  static const Trie trie({{"st", 1}, {"nd", 1}, {"rd", 1}, {"th", 1}, {"s", 1}, {"am", 1}, {"pm", 1}, {"AM", 1},
                          {"PM", 1}});
  return trie;
}

}  // namespace

Trie::Trie(std::vector<std::pair<std::string, uint8_t>> strings) {
  std::sort(strings.begin(), strings.end());
  // Nodes are made level by level over ranges of the sorted strings, so that a node's edges lie together.
  struct Range {
    size_t from, to, depth;
  };
  std::vector<Range> nodes{{0, strings.size(), 0}};
  for (size_t n = 0; n < nodes.size(); ++n) {
    auto [from, to, depth] = nodes[n];
    begin_.push_back(static_cast<uint32_t>(to_.size()));
    mark_.push_back(0);
    while (from < to && strings[from].first.size() == depth) mark_[n] |= strings[from++].second;
    while (from < to) {
      const char byte = strings[from].first[depth];
      size_t end = from;
      while (end < to && strings[end].first[depth] == byte) ++end;
      label_.push_back(static_cast<uint8_t>(byte));
      to_.push_back(static_cast<uint32_t>(nodes.size()));
      nodes.push_back({from, end, depth + 1});
      from = end;
    }
  }
  if (nodes.size() > 0x0FFFFFFF) throw TooLarge("The number of nodes of a word list", nodes.size(), 0x0FFFFFFF);
  begin_.push_back(static_cast<uint32_t>(to_.size()));
  root_.fill(kNone);
  for (uint32_t e = begin_[0]; e < begin_[1]; ++e) root_[label_[e]] = to_[e];
}

WordList::WordList(const std::vector<std::string>& word_strings, const std::string& marks) {
  std::vector<std::pair<std::string, uint8_t>> mark_strings, kept;
  for (size_t at = 0; at < marks.size();) {
    char32_t code_point = 0;
    const size_t bytes = decode_utf8(marks, at, code_point);
    const std::string mark = marks.substr(at, std::max<size_t>(bytes, 1));
    if (bytes == 0 || mark == " " || is_digit(static_cast<uint8_t>(mark[0])))
      throw InvalidArgument("punctuation", "hold whole characters, no blank and no digit", "'" + marks + "'");
    mark_strings.emplace_back(mark, 1);
    at += bytes;
  }
  punctuation = Trie(mark_strings);
  const auto strip = [&](std::string word) {
    for (bool again = true; again;) {
      again = false;
      for (const auto& [mark, _] : mark_strings) {
        if (word.starts_with(mark)) word.erase(0, mark.size()), again = true;
        if (word.ends_with(mark)) word.erase(word.size() - mark.size()), again = true;
      }
    }
    return word;
  };
  for (const std::string& word : word_strings) {
    if (word.find(' ') != std::string::npos)
      throw InvalidArgument("words", "hold no blank (give names of several words as entities)", "'" + word + "'");
    std::string core = strip(word);
    if (!core.empty()) kept.emplace_back(std::move(core), 1);
  }
  size = kept.size();
  words = Trie(std::move(kept));
}

VocabularySpec make_vocabulary(std::shared_ptr<const WordList> list, const std::vector<std::string>& entities,
                               bool any_number, const std::vector<std::string>& numbers, bool genitives) {
  std::vector<std::pair<std::string, uint8_t>> overlay;
  for (const std::string& entity : entities) {
    if (entity.empty() || entity.front() == ' ' || entity.back() == ' ')
      throw InvalidArgument("entities", "not be empty nor begin or end with a blank", "'" + entity + "'");
    overlay.emplace_back(entity, kEntityMark);
  }
  for (const std::string& number : numbers) {
    if (number.empty() || number.find(' ') != std::string::npos)
      throw InvalidArgument("numbers", "not be empty and hold no blank", "'" + number + "'");
    overlay.emplace_back(number, kNumberMark);
  }
  return {std::move(list), Trie(std::move(overlay)), any_number, genitives};
}

VocabularyMachine::VocabularyMachine(const VocabularySpec& spec, const Lattice& lattice, const Limits& limits)
    : spec_(spec), lattice_(lattice), sets_(limits), accepts_(1, 0) {
  Positions start{position(kStart)};
  intern(start);
}

uint32_t VocabularyMachine::step(uint32_t state, uint32_t token, bool first) {
  const std::string& bytes = lattice_.surface[token];
  const auto members = sets_.members(state);
  here_.assign(members.begin(), members.end());
  for (size_t i = first && bytes[0] == ' ' ? 1 : 0; i < bytes.size(); ++i) {
    next_.clear();
    step_byte(here_, static_cast<uint8_t>(bytes[i]), next_);
    if (next_.empty()) return 0;
    if (next_.size() > 1) {
      std::sort(next_.begin(), next_.end());
      next_.erase(std::unique(next_.begin(), next_.end()), next_.end());
    }
    here_.swap(next_);
  }
  return intern(here_);
}

// What can follow at the beginning of a chunk or in its leading punctuation.
void VocabularyMachine::open_core(uint8_t byte, Positions& to) const {
  const bool digit = is_digit(byte);
  enter_mark(spec_.list->punctuation.child(0, byte), true, to);
  // Listed words with digits would be numbers nobody licensed, unless any number goes.
  if (!digit || spec_.any_number)
    if (const uint32_t node = spec_.list->words.child(0, byte); node != Trie::kNone)
      to.push_back(position(kWord, node));
  if (digit && spec_.any_number) to.push_back(position(kDigits));
  enter_overlay(spec_.overlay.child(0, byte), to);
}

// What can follow a finished core.
void VocabularyMachine::close_chunk(uint8_t byte, Positions& to) const {
  if (byte == ' ') {
    to.push_back(position(kStart));
  } else {
    enter_mark(spec_.list->punctuation.child(0, byte), false, to);
  }
}

void VocabularyMachine::enter_overlay(uint32_t node, Positions& to) const {
  if (node == Trie::kNone) return;
  if (!spec_.overlay.leaf(node)) to.push_back(position(kOverlay, node));
  if (spec_.overlay.mark(node) & kEntityMark) to.push_back(position(spec_.genitives ? kEntityEnd : kAfter));
  if (spec_.overlay.mark(node) & kNumberMark) to.push_back(position(kAfter));
}

void VocabularyMachine::enter_mark(uint32_t node, bool before_core, Positions& to) const {
  if (node == Trie::kNone) return;
  if (spec_.list->punctuation.mark(node)) to.push_back(position(before_core ? kBefore : kAfter));
  if (!spec_.list->punctuation.leaf(node)) to.push_back(position(before_core ? kPunctBefore : kPunctAfter, node));
}

void VocabularyMachine::step_byte(const Positions& from, uint8_t byte, Positions& to) const {
  for (uint32_t p : from) {
    const uint32_t node = node_of(p);
    if (ends(p)) close_chunk(byte, to);
    switch (kind_of(p)) {
      case kStart:
      case kBefore:
        open_core(byte, to);
        break;
      case kAfter:
        break;
      case kWord:
        if (is_digit(byte) && !spec_.any_number) break;
        if (const uint32_t next = spec_.list->words.child(node, byte); next != Trie::kNone)
          to.push_back(position(kWord, next));
        break;
      case kDigits:
        if (is_digit(byte)) to.push_back(position(kDigits));
        if (is_number_separator(byte)) to.push_back(position(kSeparator));
        [[fallthrough]];
      case kSuffix:
        if (const uint32_t next = number_suffixes().child(node, byte); next != Trie::kNone)
          to.push_back(position(kSuffix, next));
        break;
      case kSeparator:
        if (is_digit(byte)) to.push_back(position(kDigits));
        break;
      case kOverlay:
        enter_overlay(spec_.overlay.child(node, byte), to);
        break;
      case kEntityEnd:
        if (byte == '\'') to.push_back(position(kApostrophe));
        break;
      case kApostrophe:
        if (byte == 's') to.push_back(position(kAfter));
        break;
      case kPunctBefore:
      case kPunctAfter:
        enter_mark(spec_.list->punctuation.child(node, byte), kind_of(p) == kPunctBefore, to);
        break;
    }
  }
}

bool VocabularyMachine::ends(uint32_t p) const {
  switch (kind_of(p)) {
    case kAfter:
    case kEntityEnd:
    case kDigits:
      return true;
    case kWord:
      return spec_.list->words.mark(node_of(p));
    case kSuffix:
      return number_suffixes().mark(node_of(p));
    default:
      return false;
  }
}

uint32_t VocabularyMachine::intern(Positions& positions) {
  const uint32_t id = sets_.number(positions);
  if (id == accepts_.size())
    accepts_.push_back(std::any_of(positions.begin(), positions.end(), [&](uint32_t p) { return ends(p); }));
  return id;
}

}  // namespace controldag
