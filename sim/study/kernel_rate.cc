#include "sim/study/kernel_rate.h"

#include <chrono>
#include <systemc>

namespace doorbell::study {
namespace {

class Metronome : public sc_core::sc_module {
 public:
  Metronome(const sc_core::sc_module_name& name, uint64_t events)
      : sc_core::sc_module(name), left_(events), period_(1, sc_core::SC_NS) {
    SC_HAS_PROCESS(Metronome);
    SC_METHOD(tick);
  }

 private:
  void tick() {
    if (left_ > 0) {
      --left_;
      next_trigger(period_);
    }
  }
  uint64_t left_;
  sc_core::sc_time period_;
};

}  // namespace

double kernel_events_per_second(uint64_t events) {
  const Metronome metronome("metronome", events);
  const auto start = std::chrono::steady_clock::now();
  sc_core::sc_start();
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  return static_cast<double>(events) / wall.count();
}

}  // namespace doorbell::study
