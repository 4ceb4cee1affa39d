// Case folding of UTF-8 text: what every ignore-case automaton of the engine reads its bytes through.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace controldag {

// The simple lower-case form of a code point, as in Python's str.lower() where that is one code point;
// the few letters whose lower case is longer (U+0130) are left alone.
char32_t lower(char32_t code_point);

// The other code points whose lower-case form is `lowered`: A for a, and the Kelvin sign besides K for k.
std::vector<char32_t> cased_variants(char32_t lowered);

// `text` with each code point lowered. Bytes that are not valid UTF-8 pass through unchanged.
std::string fold_case(std::string_view text);

}  // namespace controldag
