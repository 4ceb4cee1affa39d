// Reading and writing UTF-8, one code point at a time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace controldag {

// Number of bytes of the valid UTF-8 sequence at `text[at]`, with its code point; 0 where there is none.
size_t decode_utf8(std::string_view text, size_t at, char32_t& code_point);

std::string encode_utf8(char32_t code_point);

}  // namespace controldag
