#include "testbenches/system/qemu/observation.h"

#include <algorithm>

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

bool concerns(const DifferenceRow& row, const std::string& script) {
  return (" " + std::string(row.scripts) + " ").find(" " + script + " ") != std::string::npos;
}

struct Candidate {
  const ExpectedDifference* entry;
  const DifferenceRow* row;
  bool met = false;

  bool explains(const Observation& qemu, const Observation& model) const {
    return matches(row->label, qemu.label) && matches(row->qemu, qemu.value) &&
           matches(row->model, model.value);
  }
};

std::string describe(const Observation& qemu, const Observation& model) {
  std::string text = qemu.label + ": QEMU " + qemu.value + ", model " + model.value;
  if (!qemu.detail.empty()) text += "\n    QEMU  " + qemu.detail;
  if (!model.detail.empty()) text += "\n    model " + model.detail;
  return text;
}

std::vector<Candidate> candidates_for(const std::string& script,
                                      const std::vector<ExpectedDifference>& table) {
  std::vector<Candidate> found;
  for (const ExpectedDifference& entry : table) {
    for (const DifferenceRow& row : entry.rows) {
      if (concerns(row, script)) found.push_back({&entry, &row});
    }
  }
  return found;
}

}  // namespace

Comparison compare(const std::string& script, const Log& qemu, const Log& model,
                   const std::vector<ExpectedDifference>& table) {
  Comparison result;
  std::vector<Candidate> candidates = candidates_for(script, table);
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
    std::vector<Candidate*> hits;
    for (Candidate& candidate : candidates) {
      if (candidate.explains(qemu[i], model[i])) hits.push_back(&candidate);
    }
    if (hits.size() == 1) {
      hits[0]->met = true;
      ++result.explained;
      continue;
    }
    std::string text = describe(qemu[i], model[i]);
    for (const Candidate* hit : hits) text += std::string(", explained by ") + hit->entry->id;
    result.unexplained.push_back(text);
  }
  for (const Candidate& candidate : candidates) {
    if (!candidate.met) {
      result.stale.push_back(std::string(candidate.entry->id) + ", row " + candidate.row->label);
    }
  }
  return result;
}

}  // namespace doorbell::qemu
