// Life cycle of the ice driver: probe, open, stop, link changes, and what the ledger asks.
#include "sim/drivers/ice/ice_driver.h"

#include <algorithm>
#include <cassert>
#include <cerrno>

namespace doorbell::drivers::ice {

namespace reg = hw::reg;

namespace {
constexpr base::Picos kPollWaitStep{1000000};  // 1 us
constexpr unsigned kPollWaits = 10000;
}  // namespace

IceDriver::IceDriver(const IceHals& hals, stack::NetStack& stack, const IceDriverConfig& config)
    : NetDevice(*hals.misc,
                config.queues != 0 ? config.queues : static_cast<uint32_t>(hals.vectors.size()),
                config.tx_timeout),
      hal_(*hals.misc),
      hals_(hals),
      stack_(stack),
      config_(config),
      admin_(*hals.misc) {
  assert(!hals.vectors.empty() && queue_count() <= hals.vectors.size());
  queues_ = queue_count();
  cpus_ = hals.cpus != 0 ? hals.cpus : static_cast<unsigned>(hals.vectors.size());
  for (unsigned i = 0; i < queues_; ++i) {
    vectors_.push_back(std::make_unique<IceVector>(*this, *hals.vectors[i], i));
  }
  tx_.resize(queues_);
  rx_.resize(queues_);
  if (config_.mode == XdpMode::kNative) {
    program_ = config_.program;
  } else {
    set_generic_program(config_.program);
  }
}

IceDriver::~IceDriver() {
  if (running()) stop();
  if (!probed_) return;
  probed_ = false;
  hal_.timers.cancel(service_work_);
  hal_.timers.cancel(recover_work_);
  disable_misc_vector();
  for (const auto& v : vectors_) v->hal.irq.free(0);
  hw::IceAqDesc d;
  d.opcode = hw::aq_op::kQueueShutdown;
  d.param[0] = 1;  // the driver unloads
  admin_.command(d);
  admin_.close();
}

int IceDriver::probe() {
  assert(!probed_);
  if (check(config_)) return -EINVAL;
  if (const int error = bring_up(); error != 0) return error;
  for (const auto& v : vectors_) {
    v->msix = msix(v->index);
    v->hal.napi.add(*v, config_.napi_weight);
    v->hal.irq.request(0, *v);
  }
  stack_.register_device(*this);
  probed_ = true;
  hal_.timers.schedule(service_work_, config_.service_period);
  return 0;
}

int IceDriver::open() {
  assert(probed_);
  if (running()) return 0;
  int error = alloc_rings();
  for (TxRing& ring : tx_) error = error != 0 ? error : start_tx(ring);
  for (TxRing& ring : xdp_) error = error != 0 ? error : start_tx(ring);
  for (RxRing& ring : rx_) error = error != 0 ? error : start_rx(ring);
  if (error == 0) {
    for (const auto& v : vectors_) configure_moderation(*v);
    route_causes();
    error = enable_rx_rings();
  }
  if (error != 0) {
    quiesce();
    free_everything();
    return error;
  }
  set_running(true);
  for (const auto& v : vectors_) {
    v->wb_on_itr = false;
    init_moderation(*v);
    v->hal.napi.enable();
  }
  for (const auto& v : vectors_) enable_interrupt(*v);
  if (link_) {
    set_carrier(true);
    wake_all_queues();
  } else {
    stop_all_queues();
  }
  return 0;
}

void IceDriver::stop() {
  if (!running()) return;
  set_carrier(false);
  stop_all_queues();
  set_running(false);
  for (const auto& v : vectors_) {
    v->hal.timers.cancel(v->rx_moderation.work);
    v->hal.timers.cancel(v->tx_moderation.work);
  }
  // NAPI first: a poll that still ran would arm its vector again.
  for (const auto& v : vectors_) v->hal.napi.disable();
  if (!wait_for_polls()) ++stats_.admin_failures;
  quiesce();
  count_reset_losses();
  free_everything();
}

// Takes the device's hands off the rings: causes, transmit queues, receive queues.
void IceDriver::quiesce() {
  stop_causes();
  for (TxRing& ring : tx_) stop_tx(ring);
  for (TxRing& ring : xdp_) stop_tx(ring);
  stop_rx_rings();
}

void IceDriver::free_everything() {
  for (TxRing& ring : tx_) free_tx(ring);
  for (TxRing& ring : xdp_) free_tx(ring);
  for (RxRing& ring : rx_) free_rx(ring);
  xdp_.clear();
  for (const auto& v : vectors_) v->xdp.clear();
  if (lock_words_ != 0) hal_.dma.free_coherent(lock_words_);
  lock_words_ = 0;
}

// A poll on another core may be in the middle of something. Bounded: at the end of a run cores do
// not go on.
bool IceDriver::wait_for_polls() {
  const auto quiet = [this] {
    return std::none_of(vectors_.begin(), vectors_.end(), [](const auto& v) { return v->polling; });
  };
  for (unsigned i = 0; i < kPollWaits && !quiet(); ++i) {
    hal_.cpu.delay(kPollWaitStep);
    rd(reg::kGlgenRstat);  // lets the other cores come up to this one's time
  }
  return quiet();
}

void IceDriver::link_change(bool up) {
  if (up == link_) return;
  link_ = up;
  if (!running()) return;
  set_carrier(up);
  if (up) {
    wake_all_queues();
  } else {
    stop_all_queues();
  }
}

int IceDriver::reopen() {
  if (!running()) return 0;
  stop();
  return open();
}

int IceDriver::set_xdp_program(stack::XdpProgram* program) {
  config_.program = program;
  if (config_.mode == XdpMode::kSkb) {
    set_generic_program(program);
    return 0;
  }
  if (program != nullptr && config_.mtu > kMaxXdpMtu) return -EOPNOTSUPP;
  const bool rings_change = (program != nullptr) != (program_ != nullptr);
  if (!rings_change || !running()) {
    program_ = program;
    return 0;
  }
  stop();
  program_ = program;
  return open();
}

uint64_t IceDriver::pending_rx(const DevicePeek& peek) const {
  uint64_t frames = 0;
  for (const RxRing& ring : rx_) {
    if (ring.base == 0) continue;
    for (uint32_t i = ring.ntc; i != ring.ntu; i = ring.next(i)) {
      const uint16_t status = peek.peek16(ring.at(i) + hw::kRxOffStatus0);
      if ((status & hw::rx_status0::kDd) == 0) break;
      if ((status & hw::rx_status0::kEof) != 0) ++frames;
    }
  }
  return frames;
}

uint64_t IceDriver::pending_tx() const {
  uint64_t frames = 0;
  for (const std::vector<TxRing>* rings : {&tx_, &xdp_}) {
    for (const TxRing& ring : *rings) {
      if (ring.base == 0) continue;
      for (uint32_t i = ring.ntc; i != ring.ntu; i = ring.next(i)) frames += ring.bufs[i].frames;
    }
  }
  return frames;
}

uint64_t IceDriver::pending_tx_device(const DevicePeek& peek) const {
  uint64_t frames = 0;
  for (const std::vector<TxRing>* rings : {&tx_, &xdp_}) {
    for (const TxRing& ring : *rings) {
      if (ring.base == 0 || ring.ntc == ring.ntu) continue;
      const auto ahead = [&ring](uint32_t i) {
        return i >= ring.ntc ? i - ring.ntc : i + ring.count - ring.ntc;
      };
      const uint32_t sent = ahead(peek.tx_head(ring.queue));
      for (uint32_t i = ring.ntc; i != ring.ntu; i = ring.next(i)) {
        const TxBuf& buf = ring.bufs[i];
        if (buf.frames != 0 && ahead(buf.last(i)) >= sent) frames += buf.frames;
      }
    }
  }
  return frames;
}

void IceDriver::count_reset_losses() {
  if (peek_ == nullptr) return;
  stack_.drops().count(stack::DropReason::kRxRingReset, pending_rx(*peek_));
  stack_.drops().count(stack::DropReason::kTxRingReset, pending_tx_device(*peek_));
}

}  // namespace doorbell::drivers::ice
