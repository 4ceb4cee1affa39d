// Searches without the GIL that Ctrl-C can end.
#pragma once

#include <nanobind/nanobind.h>

#include <exception>
#include <optional>
#include <utility>

#include "controldag/limits.h"

namespace controldag {

// Whether this is Python's main thread, the only one that signals are handled in.
inline bool on_main_thread() {
  const nanobind::object main = nanobind::module_::import_("threading").attr("main_thread")();
  return nanobind::cast<unsigned long>(main.attr("ident")) == PyThread_get_thread_ident();
}

// Runs `work` with a copy of the limits and without the GIL. A signal's handler runs while it works; where it raises,
// as that of Ctrl-C does, the work ends and its exception goes on.
template <typename Work>
void without_gil(const Limits& limits, Work&& work) {
  Limits caps = limits;
  caps.start();
  std::exception_ptr raised;
  Interrupt interrupt;
  interrupt.asked = [&raised] {
    const nanobind::gil_scoped_acquire held;
    if (PyErr_CheckSignals() == 0) return false;
    raised = std::make_exception_ptr(nanobind::python_error());
    return true;
  };
  if (on_main_thread()) caps.interrupt = &interrupt;
  try {
    const nanobind::gil_scoped_release release;
    work(std::as_const(caps));
  } catch (const Interrupted&) {
    if (!raised) throw;
  }
  if (raised) std::rethrow_exception(raised);
}

}  // namespace controldag
