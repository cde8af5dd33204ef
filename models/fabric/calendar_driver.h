// Joins the project's event calendar to the SystemC kernel.
//
// Runs the calendar's events when kernel time reaches them. While a CPU core runs ahead it runs the
// calendar itself (models/host); this module then finds nothing left to do. Whoever schedules an
// event from outside a calendar event and then gives control back to the kernel must call arm()
// first. Cost: one kernel event each time the calendar's next event changes while no core runs.
#pragma once

#include <systemc>

#include "models/base/calendar.h"
#include "models/fabric/time.h"

namespace doorbell::fabric {

class CalendarDriver : public sc_core::sc_module {
 public:
  CalendarDriver(sc_core::sc_module_name name, base::Calendar& calendar);

  /// How far past kernel time one activation may go. A core that is woken ends it early.
  void set_lookahead(base::Picos span) { lookahead_ = span; }
  /// Latest time an activation may run to, whatever the lookahead (a waiting core's time).
  void set_limit(base::Picos limit) { limit_ = limit; }

  /// Makes sure the kernel wakes this module at the calendar's next event.
  void arm();

 private:
  SC_HAS_PROCESS(CalendarDriver);
  void run();

  base::Calendar& calendar_;
  sc_core::sc_event wake_;
  base::Picos armed_ = base::kNever;
  base::Picos lookahead_;
  base::Picos limit_ = base::kNever;
};

}  // namespace doorbell::fabric
