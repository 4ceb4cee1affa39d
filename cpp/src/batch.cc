#include "controldag/batch.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "controldag/error.h"

namespace controldag {
namespace {

BatchResult search_one(const BatchItem& item, Limits limits) {
  limits.start();
  BatchResult result;
  try {
    SearchStats stats;
    const SearchInput input{*item.lattice, item.constraints, item.lengths, limits, item.weights.get()};
    if (item.n_best > 1) {
      result.paths = search_n_best(input, item.n_best, stats);
    } else if (auto path = search_exact(input, stats)) {
      result.paths.push_back(std::move(*path));
    }
  } catch (...) {
    result.error = std::current_exception();
  }
  return result;
}

}  // namespace

std::vector<BatchResult> search_batch(const std::vector<BatchItem>& items, const Limits& limits, int32_t threads) {
  if (threads < 1 || threads > 1024)
    throw InvalidArgument("threads", "be between 1 and 1024", std::to_string(threads));
  std::vector<BatchResult> results(items.size());
  std::atomic<size_t> next{0};
  const auto work = [&] {
    for (size_t i = next++; i < items.size(); i = next++) results[i] = search_one(items[i], limits);
  };
  const size_t helpers = std::min<size_t>(threads, items.size());
  std::mutex mutex;
  std::condition_variable changed;
  size_t at_work = helpers > 0 ? helpers - 1 : 0;
  std::vector<std::jthread> pool;
  for (size_t t = 1; t < helpers; ++t)
    pool.emplace_back([&] {
      work();
      const std::lock_guard lock(mutex);
      --at_work;
      changed.notify_one();
    });
  work();
  // While the others finish, this thread goes on to ask whether their work is wanted.
  std::unique_lock lock(mutex);
  while (at_work > 0) {
    changed.wait_for(lock, Interrupt::kBetweenAsking);
    lock.unlock();
    try {
      if (limits.interrupt) limits.interrupt->check(std::chrono::steady_clock::now());
    } catch (const Interrupted&) {  // the others have heard of it and end
    }
    lock.lock();
  }
  lock.unlock();
  pool.clear();  // joins
  return results;
}

}  // namespace controldag
