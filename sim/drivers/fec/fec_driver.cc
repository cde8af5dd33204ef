// Life cycle of the FEC driver: probe, open, stop, restart, link changes, interrupt and poll.
#include "sim/drivers/fec/fec_driver.h"

#include <cerrno>

#include "models/net/checksum.h"

namespace doorbell::drivers::fec {

namespace reg = hw::reg;
using doorbell::reg::put_field;

namespace {

constexpr uint32_t kAllEventsButMii = 0xFF7FFFFF;
// RACC: keep the IP header of a received frame aligned, and let the MAC drop bad checksums.
constexpr uint32_t kRaccChecksumDrop = hw::racc::kIpDis | hw::racc::kProDis;
constexpr base::Picos kGracefulStopWait = base::Picos(10000000);  // 10 us
constexpr uint64_t kMdcHertz = 2500000;
constexpr uint32_t kMinMtu = 68;

uint32_t ceil_div(uint64_t a, uint64_t b) {
  return static_cast<uint32_t>((a + b - 1) / b);
}

// MSCR: MDC at most 2.5 MHz, 10 ns of hold time.
uint32_t mii_speed_value(base::Hertz ipg) {
  const uint32_t divider = ceil_div(ipg.count(), 2 * kMdcHertz) - 1;
  const uint32_t hold = ceil_div(ipg.count(), 100000000) - 1;
  return put_field(hw::mscr::kMiiSpeed, divider) | put_field(hw::mscr::kHoldTime, hold);
}

}  // namespace

FecDriver::FecDriver(hal::Hal& hal, stack::NetStack& stack, const FecDriverConfig& config)
    : NetDevice(hal, hw::kRings, config.tx_timeout),
      hal_(hal),
      stack_(stack),
      config_(config),
      phy_speed_(mii_speed_value(config.ipg_clock)),
      pause_(config.pause) {
  if (config_.mode == XdpMode::kNative) {
    program_ = config_.program;
  } else {
    set_generic_program(config_.program);
  }
}

FecDriver::~FecDriver() {
  if (running()) stop();
  if (!probed_) return;
  hal_.timers.cancel(timeout_work_);
  if (enhanced()) hal_.timers.cancel(ptp_work_);
  for (unsigned line = 0; line < hw::kRings; ++line) hal_.irq.free(line);
  free_rings();
}

int FecDriver::probe() {
  assert(!probed_);
  if (enhanced()) {
    ptp_start();
    hal_.timers.schedule(ptp_work_, base::Picos(1000000000000));
  }
  const int error = alloc_rings();
  if (error != 0) {
    if (enhanced()) hal_.timers.cancel(ptp_work_);
    return error;
  }
  if (config_.mac.is_zero()) {
    const uint32_t low = rd(reg::kPalr);
    const uint32_t high = rd(reg::kPaur);
    uint8_t bytes[8];
    base::store_be32(bytes, low);
    base::store_be32(bytes + 4, high);
    config_.mac = net::MacAddress::from(bytes);
  }
  // Until the rings are up only transmit events could be served.
  wr(reg::kEimr, hw::eir::kTxfAll);
  hal_.napi.add(*this, config_.napi_weight);
  restart();
  read_mib();
  for (unsigned line = 0; line < hw::kRings; ++line) hal_.irq.request(line, *this);
  mdio_init();
  stack_.register_device(*this);
  probed_ = true;
  return 0;
}

int FecDriver::open() {
  assert(probed_);
  if (running()) return 0;
  const int error = fill_rx_rings();
  if (error != 0) {
    free_rx_buffers();
    return error;
  }
  restart();
  hal_.napi.enable();
  set_running(true);
  wake_all_queues();
  phy_start();
  return 0;
}

void FecDriver::stop() {
  if (!running()) return;
  phy_stop();
  hal_.napi.disable();
  hal_.timers.cancel(timeout_work_);
  stop_all_queues();
  stop_hardware();
  count_reset_losses();
  link_ = false;
  set_carrier(false);
  set_running(false);
  read_mib();
  free_tx_buffers();
  free_rx_buffers();
}

// The order of accesses is that of fec_restart in Linux 6.12. ECR = 0 is the only reset the AXI
// variant takes; it keeps every register, so all that the driver depends on is written again.
void FecDriver::restart() {
  ++stats_.restarts;
  if (enhanced()) ptp_save();
  wr(reg::kEcr, 0);
  wr(reg::kPalr, base::load_be32(config_.mac.octets.data()));
  wr(reg::kPaur, uint32_t{base::load_be16(config_.mac.octets.data() + 4)} << 16);
  // Orders: old events gone before ETHEREN, or the first interrupt would be a stale one.
  wr(reg::kEir, kAllEventsButMii);
  count_reset_losses();
  init_descriptors();
  program_rings();
  wr(reg::kTcr, full_duplex_ ? hw::tcr::kFdEn : 0);
  wr(reg::kMscr, phy_speed_);

  uint32_t racc = rd(reg::kRacc) | hw::racc::kShift16;
  racc = config_.rx_csum ? racc | kRaccChecksumDrop : racc & ~kRaccChecksumDrop;
  wr(reg::kRacc, racc);
  wr(reg::kFtrl, hw::kTruncateLength);
  program_pause();

  uint32_t rcr = put_field(hw::rcr::kMaxFl, hw::kMaxFrame) | hw::rcr::kNlc | hw::rcr::kRgmiiEn |
                 hw::rcr::kMiiMode;
  if (pause_) rcr |= hw::rcr::kFce;
  if (!full_duplex_) rcr |= hw::rcr::kDrt;
  wr(reg::kRcr, rcr);
  program_rx_mode();
  wr(reg::kIaur, 0);
  wr(reg::kIalr, 0);
  wr(reg::kTfwr, hw::tfwr::kStrFwd);
  wr(reg::kMibc, 0);

  uint32_t ecr = hw::ecr::kEtherEn | hw::ecr::kDbSwp;
  if (mbps_ == 1000) ecr |= hw::ecr::kSpeed;
  if (enhanced()) ecr |= hw::ecr::kEn1588;
  // Orders: every register and descriptor write above before ETHEREN (writel implies it), or the
  // engine would run half configured.
  wr(reg::kEcr, ecr);
  for (unsigned q = 0; q < hw::kRings; ++q) wr(reg::rdar(q), 0);
  if (enhanced()) {
    ptp_start();
    ptp_restore();
  }
  wr(reg::kEimr, link_ ? hw::eir::kFrames : 0);
  program_coalesce();
}

void FecDriver::program_rings() {
  for (unsigned q = 0; q < hw::kRings; ++q) {
    wr(reg::rdsr(q), static_cast<uint32_t>(rx_[q].bd.base));
    wr(reg::mrbr(q), hw::kRxBufferSize);
    if (q > 0) {
      wr(reg::rcmr(q), hw::rcmr::kMatchEn | (q == 1 ? hw::kRcmr1Default : hw::kRcmr2Default));
    }
  }
  for (unsigned q = 0; q < hw::kRings; ++q) {
    wr(reg::tdsr(q), static_cast<uint32_t>(tx_[q].bd.base));
    if (q > 0) wr(reg::dma_cfg(q), hw::dma_cfg::kClassEn | hw::kIdleSlopeDefault);
  }
}

// Turning pause off does not undo these: they survive ECR = 0, and nothing clears them (as in Linux
// 6.12, where reception then stays cut-through with XOFF armed).
void FecDriver::program_pause() {
  if (!pause_) return;
  wr(reg::kRsem, hw::kRxXoffLevelPause);
  wr(reg::kRsfl, hw::kRxFifoThresholdPause);
  wr(reg::kRaem, hw::kRxAlmostEmptyPause);
  wr(reg::kRafl, hw::kRxAlmostFullPause);
  wr(reg::kOpd, hw::kPauseQuantaDefault);
}

void FecDriver::program_rx_mode() {
  const uint32_t rcr = rd(reg::kRcr);
  if (config_.promiscuous) {
    wr(reg::kRcr, rcr | hw::rcr::kProm);
    return;
  }
  wr(reg::kRcr, rcr & ~hw::rcr::kProm);
  uint32_t high = config_.all_multicast ? 0xFFFFFFFF : 0;
  uint32_t low = high;
  for (const net::MacAddress& address : config_.multicast) {
    const unsigned index = net::enet_hash_index(address);
    (index > 31 ? high : low) |= base::bit(index & 31);
  }
  wr(reg::kGaur, high);
  wr(reg::kGalr, low);
}

void FecDriver::stop_hardware() {
  const uint32_t rmii = rd(reg::kRcr) & hw::rcr::kRmiiMode;
  if (link_) {
    wr(reg::kTcr, hw::tcr::kGts);
    hal_.cpu.delay(kGracefulStopWait);
    if ((rd(reg::kEir) & hw::eir::kGra) == 0) ++stats_.graceful_stop_timeouts;
  }
  if (enhanced()) ptp_save();
  wr(reg::kEcr, 0);
  wr(reg::kMscr, phy_speed_);
  wr(reg::kEimr, hw::eir::kFrames);
  // ETHEREN keeps MDIO alive on ENET parts.
  wr(reg::kEcr, hw::ecr::kEtherEn);
  wr(reg::kRcr, rmii);
  if (enhanced()) {
    wr(reg::kEcr, rd(reg::kEcr) | hw::ecr::kEn1588);
    ptp_start();
    ptp_restore();
  }
}

void FecDriver::link_change(bool up, unsigned mbps, bool full_duplex) {
  if (!running()) return;
  if (up) {
    if (link_ && mbps == mbps_ && full_duplex == full_duplex_) return;
    link_ = true;
    mbps_ = mbps;
    full_duplex_ = full_duplex;
    stop_all_queues();
    hal_.napi.disable();
    stack::charge_tx_lock(hal_);
    restart();
    wake_all_queues();
    hal_.napi.enable();
    set_carrier(true);
    return;
  }
  if (!link_) return;
  stop_all_queues();
  hal_.napi.disable();
  stack::charge_tx_lock(hal_);
  stop_hardware();
  hal_.napi.enable();
  link_ = false;
  set_carrier(false);
}

uint32_t FecDriver::collect_events() {
  // MII stays: whoever waits for MDIO polls it.
  const uint32_t events = rd(reg::kEir) & ~hw::eir::kMii;
  wr(reg::kEir, events);
  return events;
}

bool FecDriver::handle_irq(unsigned) {
  ++stats_.interrupts;
  if (collect_events() == 0 || !link_) return false;
  if (hal_.napi.schedule()) wr(reg::kEimr, 0);
  return true;
}

int FecDriver::poll(int budget) {
  ++stats_.polls;
  in_poll_ = true;
  int done = 0;
  do {
    done += receive(budget - done);
    flush_doorbells();
    clean(budget);
    // Events that came while polling are served here, or transmit clean-up could starve while
    // receive keeps the poll busy.
  } while (done < budget && collect_events() != 0);
  in_poll_ = false;
  if (done < budget) {
    hal_.napi.complete(done);
    wr(reg::kEimr, hw::eir::kFrames);
  }
  return done;
}

void FecDriver::tx_timeout(uint16_t) {
  ++stats_.tx_timeouts;
  ++stats_.tx_errors;
  hal_.timers.schedule(timeout_work_, base::Picos(0));
}

void FecDriver::timeout_work() {
  if (!running()) return;
  hal_.napi.disable();
  stack::charge_tx_lock(hal_);
  restart();
  wake_all_queues();
  hal_.napi.enable();
}

void FecDriver::set_mac(const net::MacAddress& mac) {
  config_.mac = mac;
  if (!running()) return;
  wr(reg::kPalr, base::load_be32(mac.octets.data()));
  wr(reg::kPaur, uint32_t{base::load_be16(mac.octets.data() + 4)} << 16);
}

void FecDriver::set_rx_mode(bool promiscuous, bool all_multicast,
                            const std::vector<net::MacAddress>& multicast) {
  config_.promiscuous = promiscuous;
  config_.all_multicast = all_multicast;
  config_.multicast = multicast;
  if (running()) program_rx_mode();
}

void FecDriver::set_pause(bool on) {
  config_.pause = on;
  pause_ = on && (config_.assume_link || partner_pause_);
  if (!running()) return;
  hal_.napi.disable();
  stack::charge_tx_lock(hal_);
  restart();
  wake_all_queues();
  hal_.napi.enable();
}

int FecDriver::set_mtu(uint32_t mtu) {
  if (mtu < kMinMtu || mtu > hw::kMaxMtu) return -EINVAL;
  config_.mtu = mtu;
  return 0;
}

}  // namespace doorbell::drivers::fec
