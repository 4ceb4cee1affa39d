// The engine as Python sees it; the searches of the literature are in classic.cc, the verifier in verifier.cc.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "convert.h"
#include "signals.h"

#include "controldag/batch.h"
#include "controldag/error.h"
#include "controldag/fold_case.h"
#include "controldag/language.h"
#include "controldag/prune.h"
#include "controldag/search.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace controldag;

namespace {

std::string to_string(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }
nb::bytes to_bytes(const std::string& text) { return nb::bytes(text.data(), text.size()); }

std::vector<std::string> to_strings(const std::vector<nb::bytes>& items) {
  std::vector<std::string> strings;
  strings.reserve(items.size());
  for (const nb::bytes& item : items) strings.push_back(to_string(item));
  return strings;
}

std::shared_ptr<Lattice> make_lattice(Array<int32_t> emit_begin, Array<int32_t> emit_token, Array<float> emit_cost,
                                      Array<int32_t> arc_begin, Array<int32_t> arc_to, Array<float> arc_cost,
                                      Array<int64_t> token_id, const std::vector<nb::bytes>& surface) {
  auto lattice = std::make_shared<Lattice>();
  lattice->emit_begin = to_vector(emit_begin);
  lattice->emit_token = to_vector(emit_token);
  lattice->emit_cost = to_vector(emit_cost);
  lattice->arc_begin = to_vector(arc_begin);
  lattice->arc_to = to_vector(arc_to);
  lattice->arc_cost = to_vector(arc_cost);
  lattice->token_id = to_vector(token_id);
  lattice->surface = to_strings(surface);
  lattice->check();
  return lattice;
}

template <typename T>
using Matrix = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <typename Array>
auto to_span(const Array& array) {
  return std::span(array.data(), array.size());
}

std::shared_ptr<Lattice> prune_arrays(Matrix<int64_t> tokens, Matrix<float> log_emissions, Array<int64_t> kept,
                                      Matrix<float> log_kept, Matrix<float> log_transitions, int64_t max_arcs,
                                      const SurfaceTable& surfaces) {
  const int64_t vertices = tokens.shape(0);
  const auto must_be = [](const char* name, bool holds, const char* rule) {
    if (!holds) throw InvalidArgument(name, rule, "of another shape");
  };
  must_be("emissions", log_emissions.shape(0) == tokens.shape(0) && log_emissions.shape(1) == tokens.shape(1),
          "have the shape of tokens");
  must_be("kept", log_kept.shape(0) == tokens.shape(0) && log_kept.shape(1) == kept.shape(0),
          "have one row per vertex and one column per kept token");
  must_be("transitions", log_transitions.shape(0) == tokens.shape(0) && log_transitions.shape(1) == tokens.shape(0),
          "be vertices x vertices");
  nb::gil_scoped_release release;
  return std::make_shared<Lattice>(prune({vertices, to_span(tokens), to_span(log_emissions), to_span(kept),
                                          to_span(log_kept), to_span(log_transitions)},
                                         max_arcs, surfaces));
}

// A language's sums with everything they refer to.
struct Language {
  std::shared_ptr<Lattice> lattice;
  std::unique_ptr<std::vector<Constraint>> constraints;
  std::unique_ptr<LengthWeights> lengths;
  std::unique_ptr<Limits> limits;
  std::unique_ptr<SearchInput> input;
  std::unique_ptr<ConstrainedLanguage> sums;
};

// The engine's error as an instance of its Python class. The classes are looked up when they are needed, so that the
// package can import this module.
nb::object to_python_error(const std::exception_ptr& pointer) {
  const auto errors = [] { return nb::module_::import_("controldag.errors"); };
  try {
    std::rethrow_exception(pointer);
  } catch (const InvalidArgument& error) {
    return errors().attr("InvalidInput")(error.what());
  } catch (const TooLarge& error) {
    return errors().attr("LatticeTooLarge")(error.what_grew, error.needed, error.limit);
  } catch (const TooLate& error) {
    return errors().attr("SearchTooLong")(error.seconds);
  }
}

}  // namespace

NB_MODULE(_core, m) {
  m.doc() = "The engine of controldag: C++20, typed in _core.pyi.";
  // Constraints that a module still holds when the interpreter ends are no leaks, but would be reported as such.
  nb::set_leak_warnings(false);

  nb::register_exception_translator([](const std::exception_ptr& pointer, void*) {
    const nb::object error = to_python_error(pointer);  // lets any other exception pass on to nanobind
    PyErr_SetObject(error.type().ptr(), error.ptr());
  });

  m.def("fold_case", [](nb::bytes text) { return to_bytes(fold_case({text.c_str(), text.size()})); }, "text"_a);

  nb::class_<Lattice>(m, "Lattice")
      .def_prop_ro("vertices", &Lattice::vertices)
      .def_prop_ro("emissions", [](const Lattice& l) { return l.emit_token.size(); })
      .def_prop_ro("arcs", [](const Lattice& l) { return l.arc_to.size(); })
      .def_ro("emit_begin", &Lattice::emit_begin)
      .def_ro("emit_token", &Lattice::emit_token)
      .def_ro("emit_cost", &Lattice::emit_cost)
      .def_ro("arc_begin", &Lattice::arc_begin)
      .def_ro("arc_to", &Lattice::arc_to)
      .def_ro("arc_cost", &Lattice::arc_cost)
      .def_ro("token_id", &Lattice::token_id)
      .def_prop_ro("surface", [](const Lattice& l) {
        std::vector<nb::bytes> surfaces;
        for (const std::string& surface : l.surface) surfaces.push_back(to_bytes(surface));
        return surfaces;
      });
  nb::class_<SurfaceTable>(m, "SurfaceTable").def("__len__", [](const SurfaceTable& t) { return t.bytes.size(); });
  m.def("make_surface_table", [](const std::vector<nb::bytes>& surfaces) {
    return std::make_shared<SurfaceTable>(SurfaceTable{to_strings(surfaces)});
  });
  m.def("change_surface_table", [](const SurfaceTable& table, const std::vector<std::pair<int64_t, nb::bytes>>& changes) {
    auto changed = std::make_shared<SurfaceTable>(table);
    for (const auto& [token, surface] : changes) {
      if (token < 0 || token >= static_cast<int64_t>(table.bytes.size()))
        throw InvalidArgument("token", "be one of the table", std::to_string(token));
      changed->bytes[token] = std::string(surface.c_str(), surface.size());
    }
    return changed;
  });
  m.def("prune", &prune_arrays);
  m.def("check_rows", [](const std::string& name, Matrix<float> rows, int64_t first, int64_t end, bool whole,
                         bool forward) {
    if (first < 0 || end > static_cast<int64_t>(rows.shape(0)))
      throw InvalidArgument("rows", "exist", std::to_string(first) + " to " + std::to_string(end));
    nb::gil_scoped_release release;
    check_rows(name, to_span(rows), rows.shape(1), {first, end, whole, forward});
  });
  m.def("make_lattice", &make_lattice);

  nb::class_<WordList>(m, "WordList").def_ro("size", &WordList::size);
  m.def("make_word_list", [](const std::vector<nb::bytes>& words, nb::bytes punctuation) {
    const std::vector<std::string> strings = to_strings(words);
    const std::string marks = to_string(punctuation);
    nb::gil_scoped_release release;
    return std::make_shared<WordList>(strings, marks);
  });

  nb::class_<ConstraintNode>(m, "Constraint").def_ro("label", &ConstraintNode::label);
  using PhraseTuple = std::tuple<nb::bytes, bool, bool>;
  m.def("phrases", [](const std::vector<std::vector<PhraseTuple>>& stages, bool own, std::string label) {
    std::vector<std::vector<Phrase>> made;
    for (const auto& alternatives : stages) {
      made.emplace_back();
      for (const auto& [text, ignore_case, whole_word] : alternatives)
        made.back().push_back({to_string(text), ignore_case, whole_word});
    }
    return phrase_constraint(std::move(made), own, std::move(label));
  });
  m.def("vocabulary", [](std::shared_ptr<WordList> list, const std::vector<nb::bytes>& entities, bool any_number,
                         const std::vector<nb::bytes>& numbers, bool genitives, std::string label) {
    return vocabulary_constraint(
        make_vocabulary(std::move(list), to_strings(entities), any_number, to_strings(numbers), genitives),
        std::move(label));
  });
  m.def("token_phrase", [](TokenSequence tokens, std::string label) {
    return token_phrase_constraint(std::move(tokens), std::move(label));
  });
  nb::class_<TokenTrie>(m, "TokenTrie");
  m.def("make_token_trie",
        [](const std::vector<TokenSequence>& words) { return std::make_shared<TokenTrie>(words); });
  m.def("token_vocabulary",
        [](std::shared_ptr<TokenTrie> dictionary, const std::vector<TokenSequence>& dynamic, std::string label) {
          return token_vocabulary_constraint({std::move(dictionary), TokenTrie(dynamic)}, std::move(label));
        });
  using Edge = std::tuple<uint32_t, uint8_t, uint8_t, uint32_t>;
  using Epsilon = std::tuple<uint32_t, uint32_t, uint8_t>;
  m.def("nfa", [](uint32_t states, uint32_t start, uint32_t accept, bool sticky, const std::vector<Edge>& edges,
                  const std::vector<Epsilon>& epsilons, std::string label) {
    Nfa nfa;
    nfa.states = states;
    nfa.start = start;
    nfa.accept = accept;
    nfa.sticky = sticky;
    for (const auto& [from, low, high, to] : edges) nfa.add_edge(from, low, high, to);
    for (const auto& [from, to, guard] : epsilons) nfa.add_epsilon(from, to, static_cast<Guard>(guard));
    return nfa_constraint(nfa, std::move(label));
  });
  m.def("all_of", [](std::vector<Constraint> children) { return all_of(std::move(children)); });
  m.def("one_of", [](std::vector<Constraint> children) { return one_of(std::move(children)); });
  m.def("negation", [](Constraint child) { return negation(std::move(child)); });
  m.def("soft", [](Constraint child, double penalty) { return soft(std::move(child), penalty); });
  m.def("conjuncts", [](Constraint constraint) { return conjuncts(constraint); });

  nb::class_<Limits>(m, "Limits")
      .def(nb::init<>())
      .def_rw("max_states", &Limits::max_states)
      .def_rw("closure_states", &Limits::closure_states)
      .def_rw("max_bytes", &Limits::max_bytes)
      .def_rw("max_seconds", &Limits::max_seconds)
      .def_rw("sharpen_after", &Limits::sharpen_after)
      .def("expire_in", &Limits::expire_in, "seconds"_a);
  nb::class_<SearchStats>(m, "SearchStats")
      .def_ro("states", &SearchStats::states)
      .def_ro("relaxations", &SearchStats::relaxations)
      .def_ro("rounds", &SearchStats::rounds);
  nb::class_<Found>(m, "Found")
      .def_ro("tokens", &Found::tokens)
      .def_ro("vertices", &Found::vertices)
      .def_prop_ro("text", [](const Found& f) { return to_bytes(f.text); })
      .def_ro("cost", &Found::cost)
      .def_ro("objective", &Found::objective)
      .def_ro("penalty", &Found::penalty)
      .def_ro("ngrams", &Found::ngrams);

  nb::class_<TokenWeights>(m, "TokenWeights");
  using WeightedNgrams = std::vector<std::pair<TokenSequence, float>>;
  m.def("ngram_weights", [](const WeightedNgrams& ngrams) {
    return std::const_pointer_cast<TokenWeights>(TokenWeights::of_ngrams(ngrams));
  });
  m.def("alias_weights", [](std::shared_ptr<TokenWeights> weights, const std::vector<std::pair<uint32_t, uint32_t>>& aliases) {
    return std::const_pointer_cast<TokenWeights>(TokenWeights::of_aliases(std::move(weights), aliases));
  });
  // N-grams come as arrays, by length: lists of Python would take most of a second.
  using NgramArrays = std::vector<std::pair<Table<int64_t>, Array<float>>>;
  m.def("backoff_weights", [](const NgramArrays& costs, const NgramArrays& backoffs, float unknown, float scale,
                              const std::vector<std::pair<uint32_t, uint32_t>>& aliases) {
    return std::const_pointer_cast<TokenWeights>(
        TokenWeights::of_backoff(to_ngrams(costs), to_ngrams(backoffs), unknown, scale, aliases));
  }, "costs"_a, "backoffs"_a, "unknown"_a, "scale"_a, "aliases"_a = std::vector<std::pair<uint32_t, uint32_t>>{});

  using Weights = std::optional<std::shared_ptr<TokenWeights>>;
  m.def("search_exact", [](std::shared_ptr<Lattice> lattice, std::vector<Constraint> constraints,
                           Array<double> weights, const Limits& limits, Weights ngrams) {
    const LengthWeights lengths{to_vector(weights)};
    SearchStats stats;
    std::optional<Found> found;
    without_gil(limits, [&](const Limits& caps) {
      const auto path = search_exact({*lattice, constraints, lengths, caps, ngrams ? ngrams->get() : nullptr}, stats);
      if (path) found = to_found(*lattice, *path);
    });
    return std::pair{found, stats};
  }, "lattice"_a, "constraints"_a, "weights"_a, "limits"_a, "ngrams"_a.none() = nb::none());
  m.def("search_n_best", [](std::shared_ptr<Lattice> lattice, std::vector<Constraint> constraints,
                            Array<double> weights, int32_t n, const Limits& limits, Weights ngrams) {
    const LengthWeights lengths{to_vector(weights)};
    SearchStats stats;
    std::vector<Found> found;
    without_gil(limits, [&](const Limits& caps) {
      for (const Path& path :
           search_n_best({*lattice, constraints, lengths, caps, ngrams ? ngrams->get() : nullptr}, n, stats))
        found.push_back(to_found(*lattice, path));
    });
    return std::pair{found, stats};
  }, "lattice"_a, "constraints"_a, "weights"_a, "n"_a, "limits"_a, "ngrams"_a.none() = nb::none());

  nb::class_<BatchItem>(m, "BatchItem")
      .def("__init__", [](BatchItem* item, std::shared_ptr<Lattice> lattice, std::vector<Constraint> constraints,
                          Array<double> weights, int32_t n_best, Weights ngrams) {
        new (item) BatchItem{std::move(lattice), std::move(constraints), {to_vector(weights)}, n_best,
                             ngrams ? *ngrams : nullptr};
      }, "lattice"_a, "constraints"_a, "weights"_a, "n_best"_a, "ngrams"_a.none() = nb::none());
  // By item: its results, best first, or the exception its search threw.
  m.def("search_batch", [](const std::vector<const BatchItem*>& items, const Limits& limits, int32_t threads) {
    std::vector<BatchItem> batch;
    for (const BatchItem* item : items) {
      if (!item) throw InvalidArgument("items", "be searches", "None");
      batch.push_back(*item);
    }
    std::vector<BatchResult> results;
    without_gil(limits, [&](const Limits& caps) { results = search_batch(batch, caps, threads); });
    nb::list out;
    for (size_t i = 0; i < results.size(); ++i) {
      if (results[i].error) {
        out.append(to_python_error(results[i].error));
        continue;
      }
      nb::list found;
      for (const Path& path : results[i].paths) found.append(nb::cast(to_found(*batch[i].lattice, path)));
      out.append(found);
    }
    return out;
  });

  nb::class_<Language>(m, "Language")
      .def("__init__", [](Language* self, std::shared_ptr<Lattice> lattice, std::vector<Constraint> constraints,
                          Array<double> weights, const Limits& limits, bool track_lengths) {
        auto lengths = std::make_unique<LengthWeights>(LengthWeights{to_vector(weights)});
        auto caps = std::make_unique<Limits>(limits);
        auto members = std::make_unique<std::vector<Constraint>>(std::move(constraints));
        std::unique_ptr<SearchInput> input(new SearchInput{*lattice, *members, *lengths, *caps});
        std::unique_ptr<ConstrainedLanguage> sums;
        without_gil(limits, [&](const Limits& watched) {
          caps->start();
          caps->interrupt = watched.interrupt;
          sums = std::make_unique<ConstrainedLanguage>(*input, track_lengths);
        });
        caps->interrupt = nullptr;
        new (self) Language{std::move(lattice), std::move(members), std::move(lengths), std::move(caps),
                            std::move(input), std::move(sums)};
      })
      .def_prop_ro("log_probability", [](const Language& l) { return l.sums->log_probability(); })
      .def_prop_ro("states", [](const Language& l) { return l.sums->states(); })
      .def("sample", [](const Language& l, int32_t count, uint64_t seed) {
        nb::list out;
        for (const Sample& sample : l.sums->sample(count, seed))
          out.append(nb::make_tuple(to_found(*l.lattice, sample.path), sample.steps));
        return out;
      })
      .def("emission_posteriors", [](const Language& l) { return l.sums->emission_posteriors(); })
      .def("vertex_posteriors", [](const Language& l) { return l.sums->vertex_posteriors(); })
      .def("token_counts", [](const Language& l) { return l.sums->token_counts(); })
      .def("expected_ngrams", [](const Language& l, int32_t order, double least) {
        std::vector<std::pair<TokenSequence, double>> out;
        for (const auto& [tokens, count] : l.sums->expected_ngrams(order, least)) out.emplace_back(tokens, count);
        return out;
      });

  bind_classic(m);
  bind_verifier(m);
}
