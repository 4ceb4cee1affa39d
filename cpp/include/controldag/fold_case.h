// Case folding of UTF-8 text: what every ignore-case automaton of the engine reads its bytes through.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace controldag {

// The simple lower-case form of a code point, as in Python's str.lower() where that is one code point;
// the few letters whose lower case is longer (U+0130) are left alone.
char32_t lower(char32_t code_point);

// `text` with each code point lowered. Bytes that are not valid UTF-8 pass through unchanged.
std::string fold_case(std::string_view text);

}  // namespace controldag
