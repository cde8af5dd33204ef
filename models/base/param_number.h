// Numbers of parameter tables: parsing by kind and checking against a row. Used by params.cc only.
//
// A number is held in the kind's smallest step (ps, B, b/s, Hz, packets/s) as an integer, or as a
// double for kReal and kPercent.
#pragma once

#include <string>
#include <string_view>

#include "models/base/params.h"
#include "models/base/result.h"

namespace doorbell::base {

struct ParamNumber {
  int64_t integer = 0;
  double real = 0;
  bool in_cycles = false;
};

/// Parses `text` as a value of a numeric kind.
Result<ParamNumber> parse_number(ParamKind kind, std::string_view text);
/// True when `v` is one of the row's numeric alternatives, or the row has none. Throws
/// std::logic_error when the row itself is malformed.
bool number_allowed(const ParamSpec& spec, const ParamNumber& v);
/// True when `word` is written among the row's alternatives.
bool word_allowed(const ParamSpec& spec, std::string_view word);
/// Whether values of this kind are written as strings.
bool takes_text(ParamKind kind);
/// "a time", "an integer".
std::string with_article(std::string_view noun);

}  // namespace doorbell::base
