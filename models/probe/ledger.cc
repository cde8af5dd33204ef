#include "models/probe/ledger.h"

namespace doorbell::probe {

Counter& Ledger::add_reason(std::string_view name, std::string_view help) {
  if (const Counter* known = drops_.find(name)) return const_cast<Counter&>(*known);
  return drops_.add(std::string(name), "frames", std::string(help));
}

uint64_t Ledger::dropped() const {
  uint64_t sum = 0;
  for (const Counter& reason : drops_) sum += reason.value;
  return sum;
}

std::string Ledger::text() const {
  std::string out = direction_ + " ledger: injected " + std::to_string(injected_) + ", delivered " +
                    std::to_string(delivered_);
  for (const Counter& reason : drops_) {
    if (reason.value != 0) out += ", " + reason.name + " " + std::to_string(reason.value);
  }
  out += ", in flight " + std::to_string(in_flight_) + ": ";
  const uint64_t booked = delivered_ + dropped() + in_flight_;
  if (booked == injected_) return out + "balanced";
  if (booked < injected_) return out + std::to_string(injected_ - booked) + " missing";
  return out + std::to_string(booked - injected_) + " too many";
}

}  // namespace doorbell::probe
