// What the engine throws: each type becomes one typed Python exception at the border.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace controldag {

// A user's argument breaks a rule: "`argument` must rule, but is value."
class InvalidArgument : public std::invalid_argument {
 public:
  InvalidArgument(std::string argument, std::string rule, std::string value)
      : std::invalid_argument("`" + argument + "` must " + rule + ", but is " + value + "."),
        argument(std::move(argument)), rule(std::move(rule)), value(std::move(value)) {}
  std::string argument, rule, value;
};

// A search needs more states or memory than its limits allow.
class TooLarge : public std::runtime_error {
 public:
  TooLarge(const std::string& what, uint64_t needed, uint64_t limit)
      : std::runtime_error(what + " passed its limit of " + std::to_string(limit) + " (at " +
                           std::to_string(needed) + ")."),
        what_grew(what), needed(needed), limit(limit) {}
  std::string what_grew;
  uint64_t needed, limit;
};

// A search has not found its answer in time.
class TooLate : public std::runtime_error {
 public:
  explicit TooLate(double seconds) : std::runtime_error("The search took too long."), seconds(seconds) {}
  double seconds;
};

// Whoever waits for a search wants it no longer (Ctrl-C).
class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("The search was interrupted.") {}
};

}  // namespace controldag
