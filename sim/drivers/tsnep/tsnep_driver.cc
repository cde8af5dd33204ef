// Life cycle: probe, open, stop, queues on and off, and what the ledger asks.
#include "sim/drivers/tsnep/tsnep_driver.h"

#include <algorithm>
#include <cassert>
#include <cerrno>

namespace doorbell::drivers::tsnep {

namespace reg = hw::reg;
namespace props = hw::props;

namespace {
// Linux sleeps 10 ms between looks; here the core waits busily, so it looks more often.
constexpr base::Picos kStopStep{100000000};    // 100 us
constexpr base::Picos kDrainStep{10000000};    // 10 us
constexpr base::Picos kPollWaitStep{1000000};  // 1 us
constexpr unsigned kPollWaits = 10000;
constexpr base::Picos kStopTimeout{int64_t{hw::kQueueStopTimeoutMillis} * 1000000000};
constexpr uint32_t kLockStride = 64;  // a cache line each
constexpr uint32_t kAllGatesOpen = hw::gc::kOpen | hw::gc::kNextOpen;
}  // namespace

TsnepDriver::TsnepDriver(const TsnepHals& hals, stack::NetStack& stack,
                         const TsnepDriverConfig& config)
    : NetDevice(*hals.queues.front(),
                config.queues != 0 ? config.queues : static_cast<uint32_t>(hals.queues.size()),
                config.tx_timeout),
      hal_(*hals.queues.front()),
      stack_(stack),
      config_(config) {
  assert(queue_count() <= hals.queues.size() && queue_count() <= hw::kMaxQueues);
  for (unsigned i = 0; i < queue_count(); ++i) {
    pairs_.push_back(std::make_unique<TsnepQueue>(*this, *hals.queues[i], i));
  }
  if (config_.mode == XdpMode::kNative) {
    program_ = config_.program;
  } else {
    set_generic_program(config_.program);
  }
}

TsnepDriver::~TsnepDriver() {
  if (running()) stop();
  if (probed_) gates_run_ ? clear_gate_schedule() : void();
  if (lock_words_ != 0) hal_.dma.free_coherent(lock_words_);
}

int TsnepDriver::probe() {
  assert(!probed_);
  if (check(config_)) return -EINVAL;
  const uint32_t type = rd(reg::kType);
  const uint32_t present = doorbell::reg::get_field(hw::type::kQueueCount, type);
  // Eight do not fit the field and read 0 (assumption).
  if (queues() > (present == 0 ? hw::kMaxQueues : present)) return -ENODEV;
  gate_control_ = (type & hw::type::kGateControl) != 0;
  lock_words_ = hal_.dma.alloc_coherent(kLockStride * queues(), kLockStride);
  if (lock_words_ == 0) return -ENOMEM;
  wr(reg::kIntEnable, hw::interrupt::kDisable | hw::interrupt::kAll);
  wr(reg::kIntActive, hw::interrupt::kAll);
  for (const auto& q : pairs_) {
    q->tx.lock_word = lock_words_ + kLockStride * q->index;
    q->rx.info.device = this;
    q->rx.info.index = q->index;
    q->rx.spare.reserve(hw::kRingSize);
    set_interrupt_delay(q->index, config_.interrupt_delay_micros);
    q->hal.napi.add(*q, config_.napi_weight);
  }
  const auto& mac = config_.mac.octets;
  wr(reg::kMacAddressLow, base::load_le<uint32_t>(mac.data()));
  hal_.mmio.write16(reg::kMacAddressHigh, base::load_le<uint16_t>(mac.data() + 4));
  set_rx_mode(config_.promiscuous, false);
  if (gate_control_) wr(reg::kGc, kAllGatesOpen);
  stack_.register_device(*this);
  probed_ = true;
  return 0;
}

int TsnepDriver::open() {
  assert(probed_);
  if (running()) return 0;
  for (const auto& q : pairs_) {
    if (const int error = open_queue(*q)) {
      for (const auto& opened : pairs_) close_queue(*opened);
      return error;
    }
  }
  set_running(true);
  for (const auto& q : pairs_) enable_queue(*q);
  phy_start();
  return 0;
}

void TsnepDriver::stop() {
  if (!running()) return;
  phy_stop();
  for (const auto& q : pairs_) disable_queue(*q);
  link_change(0);
  set_running(false);
  for (const auto& q : pairs_) close_queue(*q);
}

// Rings in memory and in the device; nothing runs yet.
int TsnepDriver::open_queue(TsnepQueue& q) {
  if (!q.tx.blocks.alloc(hal_) || !q.rx.blocks.alloc(hal_)) return -ENOMEM;
  stack::PagePoolParams params;
  params.size = hw::kPagePoolSize;
  params.direction = hal::DmaDir::kBidirectional;
  params.offset = hw::kRxHeadroom;
  params.max_len = hw::kRxBufferSize;
  q.rx.pages = std::make_unique<stack::PagePool>(hal_, stack_.pages(), params);
  q.rx.info.pool = q.rx.pages.get();
  start_tx_ring(q.tx);
  start_rx_ring(q.rx);
  if (q.rx.pool != nullptr) {
    refill_xsk(q.rx, q.rx.available(), false);
    if (q.rx.pool->uses_need_wakeup()) rx_need_wakeup(q.rx);
  } else if (refill_pages(q.rx, q.rx.available(), false) < hw::kMaxOutstanding) {
    return -ENOMEM;
  }
  q.hal.irq.request(0, q);
  return 0;
}

void TsnepDriver::close_queue(TsnepQueue& q) {
  if (q.rx.pages == nullptr) {
    q.tx.blocks.free(hal_);
    q.rx.blocks.free(hal_);
    return;
  }
  q.hal.irq.free(0);
  if (peek_ != nullptr) {
    stack_.drops().count(stack::DropReason::kRxRingReset, pending_rx(q.rx, *peek_));
  }
  release_rx(q);
  const uint32_t missing = q.rx.pages->destroy();
  stack_.leaked_pages += missing;
  // Pages still out come back to their pool, so it must live on.
  if (missing > 0) retired_pools_.push_back(std::move(q.rx.pages));
  q.rx.pages.reset();
  q.rx.info.pool = nullptr;
  q.tx.blocks.free(hal_);
  q.rx.blocks.free(hal_);
}

void TsnepDriver::release_rx(TsnepQueue& q) {
  for (RxSlot& slot : q.rx.slots) {
    if (slot.page != nullptr) q.rx.pages->put(*slot.page, 0);
    if (slot.xsk != nullptr) q.rx.pool->free(*slot.xsk);
    slot = RxSlot{};
  }
  for (stack::Page* page : q.rx.spare) q.rx.pages->put(*page, 0);
  q.rx.spare.clear();
  q.rx.read = q.rx.write = 0;
}

void TsnepDriver::enable_queue(TsnepQueue& q) {
  q.hal.napi.enable();
  q.enabled = true;
  wr(reg::kIntEnable, hw::interrupt::queue(q.index));
  lock(q.tx);
  q.tx.draining = false;
  if (carrier()) {
    wake_queue(q.index);
  } else {
    stop_queue(q.index);
  }
  unlock(q.tx);
  ring_rx_doorbell(q.rx);
}

// Transmit first, while polls still run; receive last, since a poll would start it again.
void TsnepDriver::disable_queue(TsnepQueue& q) {
  drain_tx(q);
  q.enabled = false;
  q.hal.napi.disable();
  wait_for_poll(q);
  wr(reg::kIntEnable, hw::interrupt::kDisable | hw::interrupt::queue(q.index));
  wr(reg::control(q.index), hw::control::kRxDisable);
  if (!wait_idle(q, hw::control::kRxEnable)) ++stats_.rx_stop_timeouts;
}

// Nothing new goes in, under the lock; then what is there goes out. Linux has NAPI reclaim it and
// waits for ever, which AF_XDP traffic can stretch (L6).
void TsnepDriver::drain_tx(TsnepQueue& q) {
  lock(q.tx);
  q.tx.draining = true;
  stop_queue(q.index);
  unlock(q.tx);
  const base::Picos deadline = hal_.cpu.now() + kStopTimeout;
  bool idle = wait_idle(q, hw::control::kTxEnable);
  while (idle) {
    clean_tx(q, true);
    if (q.tx.read == q.tx.write) return;
    if (hal_.cpu.now() >= deadline) break;
    hal_.cpu.delay(kDrainStep);
    rd(reg::control(q.index));  // lets device and cores come up to this core's time
  }
  clean_tx(q, false);
  if (q.tx.read == q.tx.write) return;
  ++stats_.tx_drain_timeouts;
  purge_tx(q);
}

bool TsnepDriver::wait_idle(TsnepQueue& q, uint32_t running_bit) {
  const base::Picos deadline = hal_.cpu.now() + kStopTimeout;
  while ((rd(reg::control(q.index)) & running_bit) != 0) {
    if (hal_.cpu.now() >= deadline) return false;
    hal_.cpu.delay(kStopStep);
  }
  return true;
}

// A poll on another core may be in the middle of something. Bounded: at the end of a run cores do
// not go on.
void TsnepDriver::wait_for_poll(TsnepQueue& q) {
  for (unsigned i = 0; i < kPollWaits && q.polling; ++i) {
    hal_.cpu.delay(kPollWaitStep);
    rd(reg::control(q.index));
  }
}

// What the device will not send: its gate is shut, or it stopped with an error. The reset keeps it
// from writing back to memory that will be somebody else's; the ring starts again.
void TsnepDriver::purge_tx(TsnepQueue& q) {
  TxRing& ring = q.tx;
  lock(ring);
  wr(reg::control(q.index), hw::control::kTxReset);
  rd(reg::control(q.index));
  uint64_t lost = 0;
  uint32_t xsk_frames = 0;
  while (ring.read != ring.write) {
    ++lost;
    reclaim(ring, 0, xsk_frames);
  }
  stats_.tx_packets -= lost;
  if (ring.pool != nullptr && xsk_frames != 0) ring.pool->tx_completed(xsk_frames);
  stack_.drops().count(stack::DropReason::kTxRingReset, lost);
  for (uint32_t i = 0; i < hw::kRingSize; ++i) {
    hal_.coherent.write32(ring.blocks.properties(i), 0);
    hal_.coherent.write32(ring.blocks.writeback(i), 0);
  }
  start_tx_ring(ring);
  ring.draining = true;
  unlock(ring);
}

uint64_t TsnepDriver::pending_rx(const RxRing& ring, const DevicePeek& peek) const {
  if (!ring.blocks.allocated()) return 0;
  uint64_t frames = 0;
  for (uint32_t i = ring.read; i != ring.write; i = ring_next(i)) {
    const uint32_t writeback = peek.peek32(ring.blocks.writeback(i));
    if (((writeback ^ ring.slots[i].properties) & props::kRxOwnerMask) != 0) break;
    ++frames;
  }
  return frames;
}

uint64_t TsnepDriver::pending_rx(const DevicePeek& peek) const {
  uint64_t frames = 0;
  for (const auto& q : pairs_) frames += pending_rx(q->rx, peek);
  return frames;
}

uint64_t TsnepDriver::pending_tx() const {
  uint64_t frames = 0;
  for (const auto& q : pairs_) {
    for (uint32_t i = q->tx.read; i != q->tx.write; i = ring_next(i)) {
      if (q->tx.slots[i].fragments != 0) ++frames;
    }
  }
  return frames;
}

uint64_t TsnepDriver::pending_tx_device(const DevicePeek& peek) const {
  uint64_t frames = 0;
  for (const auto& q : pairs_) {
    const TxRing& ring = q->tx;
    if (!ring.blocks.allocated()) continue;
    for (uint32_t i = ring.read; i != ring.write; i = ring_next(i)) {
      if (ring.slots[i].fragments == 0) continue;
      const uint32_t writeback = peek.peek32(ring.blocks.writeback(i));
      if (((writeback ^ ring.slots[i].properties) & props::kTxOwnerMask) != 0) ++frames;
    }
  }
  const uint64_t gone = peek.tx_not_closed();
  return frames > gone ? frames - gone : 0;
}

}  // namespace doorbell::drivers::tsnep
