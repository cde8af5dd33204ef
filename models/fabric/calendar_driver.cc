#include "models/fabric/calendar_driver.h"

namespace doorbell::fabric {

CalendarDriver::CalendarDriver(sc_core::sc_module_name name, base::Calendar& calendar)
    : sc_module(name), calendar_(calendar) {
  SC_METHOD(run);
  sensitive << wake_;
  dont_initialize();
}

void CalendarDriver::arm() {
  const base::Picos next = calendar_.next();
  if (next == base::kNever || armed_ <= next) {
    return;
  }
  armed_ = next;
  const base::Picos now = kernel_now();
  wake_.notify(to_sc(next > now ? next - now : base::Picos(0)));
}

void CalendarDriver::run() {
  armed_ = base::kNever;
  // A core that runs ahead may already have taken the calendar past kernel time.
  const base::Picos until = base::max(kernel_now(), base::min(kernel_now() + lookahead_, limit_));
  if (calendar_.next() <= until) {
    calendar_.run_until(until);
  }
  arm();
}

}  // namespace doorbell::fabric
