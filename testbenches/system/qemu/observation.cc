#include "testbenches/system/qemu/observation.h"

#include <algorithm>
#include <set>

namespace doorbell::qemu {

bool matches(const std::string& pattern, const std::string& text) {
  size_t p = 0;
  size_t t = 0;
  size_t star = std::string::npos;
  size_t mark = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      mark = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string::npos) {
      p = star + 1;
      t = ++mark;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

namespace {

std::string describe(const Observation& qemu, const Observation& model) {
  std::string text = qemu.label + ": QEMU " + qemu.value + ", model " + model.value;
  if (!qemu.detail.empty()) text += "\n    QEMU  " + qemu.detail;
  if (!model.detail.empty()) text += "\n    model " + model.detail;
  return text;
}

}  // namespace

Comparison compare(const std::string& script, const Log& qemu, const Log& model,
                   const std::vector<ExpectedDifference>& table) {
  Comparison result;
  std::vector<const ExpectedDifference*> entries;
  for (const ExpectedDifference& entry : table) {
    if (concerns(entry, script)) entries.push_back(&entry);
  }
  std::set<const ExpectedDifference*> met;
  if (qemu.size() != model.size()) {
    result.unexplained.push_back("the script made " + std::to_string(qemu.size()) +
                                 " observations on QEMU and " + std::to_string(model.size()) +
                                 " on the model");
  }
  for (size_t i = 0; i < std::min(qemu.size(), model.size()); ++i) {
    if (qemu[i].label != model[i].label) {
      result.unexplained.push_back("labels differ: " + qemu[i].label + ", " + model[i].label);
      break;
    }
    if (qemu[i].value == model[i].value) {
      ++result.equal;
      continue;
    }
    std::vector<const ExpectedDifference*> hits;
    for (const ExpectedDifference* entry : entries) {
      if (matches(entry->label, qemu[i].label) && matches(entry->qemu, qemu[i].value) &&
          matches(entry->model, model[i].value)) {
        hits.push_back(entry);
      }
    }
    if (hits.size() == 1) {
      met.insert(hits[0]);
      ++result.explained;
      continue;
    }
    std::string text = describe(qemu[i], model[i]);
    for (const ExpectedDifference* hit : hits) text += std::string(", explained by ") + hit->id;
    result.unexplained.push_back(text);
  }
  for (const ExpectedDifference* entry : entries) {
    if (met.count(entry) == 0) result.stale.push_back(entry->id);
  }
  return result;
}

}  // namespace doorbell::qemu
