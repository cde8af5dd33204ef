// Interrupt moderation: throttle timers, rate limit, arming, and the adaptive algorithm's tables.
#include "models/reg/reg_spec.h"
#include "sim/drivers/ice/ice_driver.h"

namespace doorbell::drivers::ice {

namespace reg = hw::reg;
namespace dyn = hw::glint_dyn_ctl;
using doorbell::reg::put_field;

namespace {

// Linux 6.12 ice_lib.c or ice_main.c: microseconds of the five profiles.
constexpr uint32_t kRxProfiles[Dim::kProfiles] = {2, 8, 16, 62, 126};
constexpr uint32_t kTxProfiles[Dim::kProfiles] = {2, 8, 40, 128, 256};
constexpr uint32_t kDimIntrlMicros = 4;
constexpr uint32_t kSwItrMicros = 50;  // 20 k software interrupts a second
constexpr base::Picos kDimTooOld{1000000000000};

// Every arming write also ends write-back on timer expiry.
constexpr uint32_t kArm =
    dyn::kIntEna | dyn::kClearPba | put_field(dyn::kItrIndx, hw::kItrNoUpdate);
// INTENA_MSK: the vector stays as it is.
constexpr uint32_t kWbOnItr =
    dyn::kIntEnaMsk | dyn::kWbOnItr | put_field(dyn::kItrIndx, hw::kItrNoUpdate);
constexpr uint32_t kArmAfterWbOnItr = dyn::kIntEna | dyn::kClearPba | dyn::kSwIntTrig |
                                      dyn::kSwItrIndxEna | put_field(dyn::kItrIndx, hw::kSwItr) |
                                      put_field(dyn::kSwItrIndx, hw::kSwItr) |
                                      put_field(dyn::kInterval, hw::itr_value(kSwItrMicros));
constexpr uint32_t kSoftware =
    dyn::kSwIntTrig | dyn::kIntEna | put_field(dyn::kItrIndx, hw::kItrNoUpdate);

uint32_t profile_micros(const RingContainer& container) {
  return (container.itr_index == hw::kRxItr ? kRxProfiles : kTxProfiles)[container.dim.profile()];
}

}  // namespace

void IceDriver::write_itr(const IceVector& v, unsigned itr, uint32_t micros) {
  ++stats_.itr_writes;
  wr(reg::glint_itr(itr, v.msix), hw::itr_value(micros));
}

void IceDriver::write_intrl(const IceVector& v, uint32_t micros) {
  const uint32_t units = micros / hw::kIntrlUnitMicros;
  wr(reg::glint_rate(v.msix),
     units == 0 ? 0 : put_field(hw::glint_rate::kInterval, units) | hw::glint_rate::kIntrlEna);
}

// Static values first, also where the algorithm takes over when the vector starts.
void IceDriver::configure_moderation(IceVector& v) {
  v.rx_moderation.setting = config_.rx_itr;
  v.tx_moderation.setting = config_.tx_itr;
  write_itr(v, hw::kRxItr, config_.rx_itr.micros);
  write_itr(v, hw::kTxItr, config_.tx_itr.micros);
  const bool adaptive = config_.rx_itr.adaptive || config_.tx_itr.adaptive;
  write_intrl(v, adaptive ? kDimIntrlMicros : config_.intrl_micros);
}

void IceDriver::init_moderation(IceVector& v) {
  for (RingContainer* container : {&v.tx_moderation, &v.rx_moderation}) {
    container->dim.reset();
    if (container->setting.adaptive) {
      write_itr(v, container->itr_index, profile_micros(*container));
    }
  }
}

// The poll goes on with the vector disarmed: without this, a line that is not full stays in the
// device. Once is enough until the vector is armed again.
void IceDriver::set_wb_on_itr(IceVector& v) {
  ++stats_.wb_on_itr;
  if (v.wb_on_itr) return;
  wr(reg::glint_dyn_ctl(v.msix), kWbOnItr);
  v.wb_on_itr = true;
}

// Leaving write-back on expiry, events may have been used up by it: a software interrupt, limited
// in rate, makes sure that nobody waits for ever.
void IceDriver::enable_interrupt(IceVector& v) {
  if (!running()) return;
  const uint32_t value = v.wb_on_itr ? kArmAfterWbOnItr : kArm;
  v.wb_on_itr = false;
  wr(reg::glint_dyn_ctl(v.msix), value);
}

void IceDriver::software_interrupt(const IceVector& v) {
  wr(reg::glint_dyn_ctl(v.msix), kSoftware);
}

void IceDriver::net_dim(IceVector& v) {
  uint64_t packets = v.tx->packets;
  uint64_t bytes = v.tx->bytes;
  for (const TxRing* ring : v.xdp) {
    packets += ring->packets;
    bytes += ring->bytes;
  }
  sample_dim(v, v.tx_moderation, packets, bytes);
  sample_dim(v, v.rx_moderation, v.rx->packets, v.rx->bytes);
}

void IceDriver::sample_dim(IceVector& v, RingContainer& container, uint64_t packets,
                           uint64_t bytes) {
  if (!container.setting.adaptive) return;
  DimSample now;
  now.at = hal_.cpu.now();
  now.packets = packets;
  now.bytes = bytes;
  now.events = v.events;
  if (now.at - container.dim.measured_since() >= kDimTooOld) container.dim.restart();
  if (container.dim.sample(now)) {
    ++stats_.dim_decisions;
    v.hal.timers.schedule(container.work, base::Picos(0));
  }
}

void IceDriver::apply_dim(IceVector& v, RingContainer& container) {
  write_itr(v, container.itr_index, profile_micros(container));
  container.dim.applied();
}

}  // namespace doorbell::drivers::ice
