// Bring-up after a reset, and the misc vector: firmware events, malicious driver reports, recovery.
#include <algorithm>
#include <array>
#include <cerrno>

#include "models/reg/reg_spec.h"
#include "sim/drivers/ice/ice_driver.h"

namespace doorbell::drivers::ice {

namespace reg = hw::reg;
using doorbell::reg::get_field;
using doorbell::reg::put_field;
using Buffer = AdminQueue::Buffer;

namespace {

constexpr base::Picos kResetStep{1000000000};  // 1 ms
constexpr unsigned kResetPolls = 500;
constexpr uint32_t kItr8kMicros = 124;  // of vector 0
constexpr uint32_t kGranularity = hw::kItrUnitMicros;
constexpr uint32_t kMiscCauses = hw::pfint_oicr::kEccErr | hw::pfint_oicr::kMalDetect |
                                 hw::pfint_oicr::kGrst | hw::pfint_oicr::kPciException |
                                 hw::pfint_oicr::kVflr | hw::pfint_oicr::kHmcErr |
                                 hw::pfint_oicr::kPeCritErr;
// Events of the PHY that firmware shall keep to itself: all but link up and down, media gone
// (bits 1, 2), module fault (bit 6). Linux 6.12 ice_main.c; the other bits are not modelled.
constexpr uint32_t kMaskedEvents = 0xFFFF & ~uint32_t{0x46};
constexpr base::Picos kResetForgotten{20000000000000};  // 20 s

// VSI context of the PF: a buffer of which only the VLAN section matters here.
constexpr uint32_t kVsiBytes = 128;
constexpr uint16_t kVsiVlanValid = 1u << 2;
constexpr unsigned kVsiVlanFlags = 12;
constexpr uint8_t kVlanModeAll = 0x3;        // accept tagged and untagged
constexpr uint8_t kVlanStripBoth = 0u << 3;  // tag goes to the descriptor
constexpr uint8_t kVlanKeep = 3u << 3;

}  // namespace

bool IceDriver::wait_register(uint32_t offset, uint32_t mask, uint32_t value, unsigned polls) {
  for (unsigned i = 0; i < polls; ++i) {
    if ((rd(offset) & mask) == value) return true;
    hal_.cpu.delay(kResetStep);
  }
  return false;
}

int IceDriver::reset_function() {
  constexpr uint32_t kDone = hw::glnvm_uld::kCorerDone | hw::glnvm_uld::kGlobrDone;
  if (!wait_register(reg::kGlgenRstat, hw::glgen_rstat::kDevState, 0, kResetPolls) ||
      !wait_register(reg::kGlnvmUld, kDone, kDone, kResetPolls)) {
    return -EIO;
  }
  wr(reg::kPfgenCtrl, rd(reg::kPfgenCtrl) | hw::kPfgenCtrlPfswr);
  return wait_register(reg::kPfgenCtrl, hw::kPfgenCtrlPfswr, 0, kResetPolls) ? 0 : -EIO;
}

// 1: the function, by bring_up(). 2: the core, 3: everything.
int IceDriver::reset_device(unsigned level) {
  if (level < 2) return 0;
  wr(reg::kGlgenRtrig, level == 2 ? hw::glgen_rtrig::kCorer : hw::glgen_rtrig::kGlobr);
  return wait_register(reg::kGlgenRstat, hw::glgen_rstat::kDevState, 0, kResetPolls) ? 0 : -EIO;
}

int IceDriver::bring_up() {
  if (const int error = reset_function(); error != 0) return error;
  pf_ = rd(reg::kPfFuncRid) & 0x7;
  if (const int error = admin_.open(); error != 0) return error;
  hw::IceAqDesc d;
  d.opcode = hw::aq_op::kGetVersion;
  int error = admin_.command(d);
  // A newer major interface is one this driver does not know.
  if (error == 0 && (d.param[3] >> 8 & 0xFF) > hw::kAqApiMajor) error = -EIO;
  for (const uint16_t opcode : {hw::aq_op::kClearPfConfig, hw::aq_op::kClearPxe}) {
    d = {};
    d.opcode = opcode;
    if (error == 0) error = admin_.command(d);
  }
  if (error == 0) error = read_capabilities();
  if (error == 0) error = read_mac();
  if (error == 0) error = load_package();
  if (error == 0) error = add_vsi();
  if (error == 0) error = configure_rss();
  if (error == 0) {
    configure_itr_unit();
    enable_misc_vector();
    error = configure_link();
  }
  if (error != 0) {
    ++stats_.admin_failures;
    disable_misc_vector();
    admin_.close();
  }
  return error;
}

int IceDriver::read_capabilities() {
  std::array<uint8_t, hw::kAqMaxBufferBytes> buffer{};
  hw::IceAqDesc d;
  d.opcode = hw::aq_op::kFunctionCaps;
  const int error = admin_.command(d, Buffer::kReceive, buffer.data(), buffer.size());
  if (error != 0) return error;
  const uint32_t count = std::min<uint32_t>(d.param[1], buffer.size() / hw::kAqCapBytes);
  unsigned rx = 0;
  unsigned vectors = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const hw::IceAqCap cap = hw::decode_aq_cap(buffer.data() + i * hw::kAqCapBytes);
    switch (cap.cap) {
      case hw::aq_cap::kRxQueues:
        rx = cap.number;
        first_rx_ = cap.phys_id;
        break;
      case hw::aq_cap::kTxQueues:
        tx_available_ = cap.number;
        first_tx_ = cap.phys_id;
        break;
      case hw::aq_cap::kMsix:
        vectors = cap.number;
        first_vector_ = cap.phys_id;
        break;
      default:
        break;
    }
  }
  return rx >= queues_ && tx_available_ >= queues_ && vectors > queues_ ? 0 : -ENOSPC;
}

int IceDriver::read_mac() {
  std::array<uint8_t, 64> buffer{};
  hw::IceAqDesc d;
  d.opcode = hw::aq_op::kManageMacRead;
  if (const int error = admin_.command(d, Buffer::kReceive, buffer.data(), buffer.size());
      error != 0) {
    return error;
  }
  const net::MacAddress own = net::MacAddress::from(buffer.data() + 2);
  if ((d.param[0] & hw::kAqMacLanValid) == 0) return -EIO;
  if (config_.mac.is_zero() || config_.mac == own) {
    config_.mac = own;
    return 0;
  }
  d = {};
  d.opcode = hw::aq_op::kManageMacWrite;
  uint8_t raw[8] = {};
  std::copy(config_.mac.octets.begin(), config_.mac.octets.end(), raw + 2);
  d.param[0] = base::load_le<uint32_t>(raw);
  d.param[1] = base::load_le<uint32_t>(raw + 4);
  return admin_.command(d);
}

// The package that configures parser and RSS: the global lock says whether somebody has loaded it.
// This driver carries none, so it must be there.
int IceDriver::load_package() {
  hw::IceAqDesc d;
  d.opcode = hw::aq_op::kRequestResource;
  d.param[0] = hw::kAqResourceGlobalLock | 2u << 16;  // write access
  d.param[1] = 3000;
  const int error = admin_.command(d);
  const bool loaded = error == -EIO && d.retval == static_cast<uint16_t>(hw::AqError::kEbusy) &&
                      static_cast<uint16_t>(d.param[3]) == hw::kAqGlobalLockDone;
  if (error == 0) {
    d = {};
    d.opcode = hw::aq_op::kReleaseResource;
    d.param[0] = hw::kAqResourceGlobalLock;
    admin_.command(d);
    return -ENOENT;
  }
  return loaded ? 0 : error;
}

int IceDriver::add_vsi() {
  std::array<uint8_t, kVsiBytes> buffer{};
  hw::IceAqDesc d;
  d.opcode = hw::aq_op::kGetSwitchConfig;
  if (const int error = admin_.command(d, Buffer::kReceive, buffer.data(), buffer.size());
      error != 0) {
    return error;
  }
  buffer.fill(0);
  base::store_le(buffer.data(), kVsiVlanValid);
  buffer[kVsiVlanFlags] = kVlanModeAll | (config_.vlan_strip ? kVlanStripBoth : kVlanKeep);
  d = {};
  d.opcode = hw::aq_op::kAddVsi;
  const int error = admin_.command(d, Buffer::kSend, buffer.data(), buffer.size());
  vsi_ = static_cast<uint16_t>(d.param[0] & 0x3FF);
  return error;
}

int IceDriver::configure_rss() {
  hw::IceAqDesc d;
  d.opcode = hw::aq_op::kSetRssKey;
  d.param[0] = vsi_ | hw::aq_lut::kVsiValid;
  RssKey key = config_.rss_key;
  if (const int error = admin_.command(d, Buffer::kSend, key.data(), key.size()); error != 0) {
    return error;
  }
  if (lut_.empty()) {
    lut_.resize(hw::kRssLutPf);
    for (size_t i = 0; i < lut_.size(); ++i) lut_[i] = static_cast<uint8_t>(i % queues_);
  }
  d = {};
  d.opcode = hw::aq_op::kSetRssLut;
  const uint32_t type = lut_.size() == hw::kRssLutPf       ? hw::aq_lut::kTypePf
                        : lut_.size() == hw::kRssLutGlobal ? hw::aq_lut::kTypeGlobal
                                                           : 0;
  d.param[0] = vsi_ | hw::aq_lut::kVsiValid | put_field(hw::aq_lut::kType, type);
  return admin_.command(d, Buffer::kSend, lut_.data(), static_cast<uint32_t>(lut_.size()));
}

int IceDriver::configure_link() {
  hw::IceAqDesc d;
  d.opcode = hw::aq_op::kSetEventMask;
  d.param[2] = kMaskedEvents;
  if (const int error = admin_.command(d); error != 0) return error;
  std::array<uint8_t, hw::kAqLinkStatusBytes> status{};
  d = {};
  d.opcode = hw::aq_op::kGetLinkStatus;
  d.param[0] = hw::aq_link::kLseEnable;
  const int error = admin_.command(d, Buffer::kReceive, status.data(), status.size());
  if (error == 0) link_change((status[hw::aq_link::kInfoByte] & hw::aq_link::kUp) != 0);
  return error;
}

// Global: written only if it is not what all functions use.
void IceDriver::configure_itr_unit() {
  const uint32_t now = rd(reg::kGlintCtl);
  uint32_t wanted = 0;
  for (const uint32_t mask : {hw::glint_ctl::kItrGran200, hw::glint_ctl::kItrGran100,
                              hw::glint_ctl::kItrGran50, hw::glint_ctl::kItrGran25}) {
    wanted |= put_field(mask, kGranularity);
  }
  // DIS_AUTOMASK stays off: the interrupt handler relies on vectors that disarm themselves.
  if (now != wanted) wr(reg::kGlintCtl, wanted);
}

void IceDriver::enable_misc_vector() {
  const unsigned v = first_vector_;
  wr(reg::kPfintOicrEna, 0);
  rd(reg::kPfintOicr);  // forgets what was there
  hals_.misc->irq.request(0, misc_handler_);
  wr(reg::kPfintOicrEna, kMiscCauses);
  wr(reg::kPfintOicrCtl, put_field(hw::qint_ctl::kMsixIndx, v) | hw::qint_ctl::kCauseEna);
  wr(reg::kPfintFwCtl, put_field(hw::qint_ctl::kMsixIndx, v) | hw::qint_ctl::kCauseEna);
  wr(reg::glint_itr(hw::kRxItr, v), hw::itr_value(kItr8kMicros));
  wr(reg::glint_dyn_ctl(v), hw::glint_dyn_ctl::kIntEna | hw::glint_dyn_ctl::kClearPba |
                                put_field(hw::glint_dyn_ctl::kItrIndx, hw::kItrNoUpdate));
}

void IceDriver::disable_misc_vector() {
  wr(reg::kPfintFwCtl, 0);
  wr(reg::kPfintOicrCtl, 0);
  wr(reg::kPfintOicrEna, 0);
  wr(reg::glint_dyn_ctl(first_vector_), 0);
  hals_.misc->irq.free(0);
}

bool IceDriver::misc_interrupt() {
  ++stats_.misc_interrupts;
  const uint32_t causes = rd(reg::kPfintOicr) & rd(reg::kPfintOicrEna);
  if ((causes & hw::pfint_oicr::kMalDetect) != 0) ++stats_.mdd_events;
  hal_.timers.schedule(service_work_, base::Picos(0));
  wr(reg::glint_dyn_ctl(first_vector_),
     hw::glint_dyn_ctl::kIntEna | hw::glint_dyn_ctl::kClearPba |
         put_field(hw::glint_dyn_ctl::kItrIndx, hw::kItrNoUpdate));
  return true;
}

// Every second, and after each misc interrupt.
void IceDriver::service() {
  hw::IceAqDesc event;
  while (admin_.next_event(event)) handle_event(event);
  handle_malicious();
  check_for_hang();
  if (probed_) hal_.timers.schedule(service_work_, config_.service_period);
}

void IceDriver::handle_event(const hw::IceAqDesc& event) {
  if (event.opcode != hw::aq_op::kGetLinkStatus) return;
  ++stats_.link_events;
  std::array<uint8_t, hw::kAqLinkStatusBytes> status{};
  hw::IceAqDesc d;
  d.opcode = hw::aq_op::kGetLinkStatus;
  d.param[0] = hw::aq_link::kLseEnable;
  if (admin_.command(d, Buffer::kReceive, status.data(), status.size()) != 0) {
    ++stats_.admin_failures;
    return;
  }
  link_change((status[hw::aq_link::kInfoByte] & hw::aq_link::kUp) != 0);
}

// Linux notes what the device found and clears it; the queue is left to the transmit watchdog.
void IceDriver::handle_malicious() {
  if (last_mdd_seen_ == stats_.mdd_events) return;
  last_mdd_seen_ = stats_.mdd_events;
  for (const uint32_t global :
       {reg::kGlMdetTxPqm, reg::kGlMdetTxTclan, reg::kGlMdetTxTdpu, reg::kGlMdetRx}) {
    if ((rd(global) & hw::mdet_tclan::kValid) != 0) wr(global, 0xFFFFFFFF);
  }
  for (const uint32_t own :
       {reg::kPfMdetTxPqm, reg::kPfMdetTxTclan, reg::kPfMdetTxTdpu, reg::kPfMdetRx}) {
    if ((rd(own) & hw::kPfMdetValid) != 0) wr(own, 0xFFFFFFFF);
  }
}

// A ring that had something to do at the last look and has done nothing since gets a software
// interrupt. XDP rings are not looked at.
void IceDriver::check_for_hang() {
  if (!running() || !link_) return;
  for (TxRing& ring : tx_) {
    const auto packets = static_cast<int64_t>(ring.packets & 0x7FFFFFFF);
    if (ring.watched == packets) {
      ++stats_.tx_hang_kicks;
      software_interrupt(*vectors_[ring.vector]);
      continue;
    }
    ring.watched = ring.ntc != ring.ntu ? packets : -1;
  }
}

void IceDriver::tx_timeout(uint16_t queue) {
  ++stats_.tx_timeouts;
  rd(reg::qtx_comm_head(tx_[queue].queue));  // for the report
  const base::Picos now = hal_.cpu.now();
  // Again within 20 s: harder.
  reset_level_ = reset_level_ != 0 && now - last_reset_ < kResetForgotten ? reset_level_ + 1 : 1;
  last_reset_ = now;
  if (reset_level_ > 3) return;  // Linux gives up here
  hal_.timers.schedule(recover_work_, base::Picos(0));
}

void IceDriver::recover() {
  const bool up = running();
  ++stats_.resets;
  if (up) stop();
  disable_misc_vector();
  admin_.close();
  if (reset_device(reset_level_) != 0 || bring_up() != 0) return;
  if (up) open();
}

}  // namespace doorbell::drivers::ice
