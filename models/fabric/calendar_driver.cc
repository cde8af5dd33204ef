#include "models/fabric/calendar_driver.h"

namespace doorbell::fabric {

CalendarDriver::CalendarDriver(sc_core::sc_module_name name, base::Calendar& calendar)
    : sc_module(name), calendar_(calendar) {
  SC_METHOD(run);
  sensitive << wake_;
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
  const base::Picos now = kernel_now();
  if (now > calendar_.now() || calendar_.next() <= now) {
    calendar_.run_until(now);
  }
  arm();
}

}  // namespace doorbell::fabric
