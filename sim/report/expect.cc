#include "sim/report/expect.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <string_view>

namespace doorbell::report {
namespace {

std::string number_text(double v) {
  char text[40];
  std::snprintf(text, sizeof text, "%.12g", v);
  return text;
}

// Child of `node` named `key`, or null. Lists take an index.
const Json* child(const Json& node, const std::string& key) {
  if (node.is_object()) {
    const auto it = node.find(key);
    return it == node.end() ? nullptr : &*it;
  }
  if (node.is_array()) {
    size_t index = 0;
    const auto parsed = std::from_chars(key.data(), key.data() + key.size(), index);
    if (parsed.ec == std::errc() && parsed.ptr == key.data() + key.size() && index < node.size()) {
      return &node[index];
    }
  }
  return nullptr;
}

// Names may contain dots themselves ("counters.fec.rx.packets"), so the longest name is tried
// first.
const Json* find_path(const Json& node, std::string_view path) {
  for (size_t end = path.size(); end != std::string_view::npos && end > 0;
       end = path.rfind('.', end - 1)) {
    const Json* next = child(node, std::string(path.substr(0, end)));
    if (next != nullptr) {
      const Json* found = end == path.size() ? next : find_path(*next, path.substr(end + 1));
      if (found != nullptr) {
        return found;
      }
    }
  }
  return nullptr;
}

bool number_holds(const Expectation& e, double got) {
  if (e.min && got < *e.min) {
    return false;
  }
  if (e.max && got > *e.max) {
    return false;
  }
  double want = got;
  if (const auto* integer = std::get_if<int64_t>(&e.value)) {
    want = static_cast<double>(*integer);
  } else if (const auto* real = std::get_if<double>(&e.value)) {
    want = *real;
  }
  return std::fabs(got - want) <= std::fabs(want) * e.tolerance;
}

bool holds(const Expectation& e, const Json& got) {
  if (const auto* boolean = std::get_if<bool>(&e.value)) {
    return got.is_boolean() && got.get<bool>() == *boolean;
  }
  if (const auto* text = std::get_if<std::string>(&e.value)) {
    return got.is_string() && got.get<std::string>() == *text;
  }
  return got.is_number() && number_holds(e, got.get<double>());
}

}  // namespace

std::string describe_want(const Expectation& e) {
  std::string text;
  if (const auto* boolean = std::get_if<bool>(&e.value)) {
    text = *boolean ? "true" : "false";
  } else if (const auto* word = std::get_if<std::string>(&e.value)) {
    text = "\"" + *word + "\"";
  } else if (const auto* integer = std::get_if<int64_t>(&e.value)) {
    text = std::to_string(*integer);
  } else if (const auto* real = std::get_if<double>(&e.value)) {
    text = number_text(*real);
  }
  if (e.tolerance > 0) {
    text += " within " + number_text(e.tolerance * 100) + " %";
  }
  if (e.min) {
    text += "at least " + number_text(*e.min);
  }
  if (e.max) {
    text += (e.min ? " and at most " : "at most ") + number_text(*e.max);
  }
  return text;
}

std::vector<ExpectResult> evaluate(const std::vector<Expectation>& expectations,
                                   const Json& result) {
  std::vector<ExpectResult> outcomes;
  for (const auto& e : expectations) {
    ExpectResult outcome{e.key, describe_want(e), nullptr, false};
    if (const Json* got = find_path(result, e.key)) {
      outcome.got = *got;
    }
    outcome.pass = holds(e, outcome.got);
    outcomes.push_back(std::move(outcome));
  }
  return outcomes;
}

}  // namespace doorbell::report
