// The only file that sees Python.
#include <nanobind/nanobind.h>

#include "controldag/fold_case.h"

namespace nb = nanobind;
using namespace nb::literals;

NB_MODULE(_core, m) {
  m.doc() = "The engine of controldag: C++20, typed in _core.pyi.";
  m.def(
      "fold_case",
      [](nb::bytes text) {
        const std::string folded = controldag::fold_case({text.c_str(), text.size()});
        return nb::bytes(folded.data(), folded.size());
      },
      "text"_a, "UTF-8 text with each letter in lower case, as the engine's ignore-case automata read it.");
}
