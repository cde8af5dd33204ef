// Rings and their contexts: memory, what the device is told, switching on and off.
#include <algorithm>
#include <array>
#include <cerrno>

#include "models/reg/reg_spec.h"
#include "sim/drivers/ice/ice_driver.h"

namespace doorbell::drivers::ice {

namespace reg = hw::reg;
using doorbell::reg::put_field;
using Buffer = AdminQueue::Buffer;

namespace {

constexpr uint32_t kHeadroom = stack::kXdpPacketHeadroom;  // Linux without XDP: 192
constexpr uint32_t kSmallBuffer = 1536;
constexpr uint32_t kLargeBuffer = 3072;
constexpr uint32_t kSmallMtu = 1500;
constexpr uint32_t kParentTeid = 0;  // the scheduler's tree is not modelled
constexpr uint32_t kRxdidPriority = 3;
constexpr base::Picos kEnableStep{20000000};  // 20 us
constexpr unsigned kEnablePolls = 50;
constexpr base::Picos kTxStopDelay{100000};  // 100 ns
constexpr uint32_t kDisableTimeout = 5;      // x 100 us, as Linux asks

uint32_t whole_pages(uint32_t bytes) {
  return (bytes + stack::kPageBytes - 1) / stack::kPageBytes * stack::kPageBytes;
}

}  // namespace

// One a core, as far as the device has queues; with fewer, cores share under a lock; with less
// than half there is no XDP.
int IceDriver::count_xdp_rings() {
  if (program_ == nullptr) return 0;
  unsigned n = std::min(tx_available_ - queues_, cpus_);
  if (config_.xdp_rings != 0) n = std::min(n, config_.xdp_rings);
  if (n < cpus_ / 2 || n == 0) return -ENOMEM;
  xdp_shared_ = n < cpus_;
  return static_cast<int>(n);
}

int IceDriver::alloc_rings() {
  rx_buffer_ = config_.mtu <= kSmallMtu ? kSmallBuffer : kLargeBuffer;
  max_frame_ = config_.mtu <= kSmallMtu ? kSmallBuffer : hw::kMaxFrameBytes;
  const int xdp = count_xdp_rings();
  if (xdp < 0) return xdp;
  xdp_.resize(static_cast<size_t>(xdp));
  int error = 0;
  for (unsigned i = 0; i < queues_; ++i) {
    tx_[i].index = rx_[i].index = i;
    error = error != 0 ? error : alloc_tx(tx_[i], first_tx_ + i);
    error = error != 0 ? error : alloc_rx(rx_[i], first_rx_ + i);
  }
  if (xdp > 0 && xdp_shared_) {
    lock_words_ = hal_.dma.alloc_coherent(static_cast<uint32_t>(xdp) * hw::kLineBytes, 64);
    if (lock_words_ == 0) return -ENOMEM;
  }
  for (unsigned i = 0; i < xdp_.size(); ++i) {
    TxRing& ring = xdp_[i];
    ring.xdp = true;
    ring.index = i;
    error = error != 0 ? error : alloc_tx(ring, first_tx_ + queues_ + i);
    if (error == 0) init_xdp_ring(ring);
    if (xdp_shared_) ring.lock_word = lock_words_ + uint64_t{i} * hw::kLineBytes;
  }
  if (error == 0) map_rings();
  return error;
}

int IceDriver::alloc_tx(TxRing& ring, unsigned queue) {
  // Whole pages: with a size that ethtool refuses, what lands behind the ring stays in them.
  const uint32_t slack = config_.force_ring_size ? config_.rs_threshold : 0;
  ring.base =
      hal_.dma.alloc_coherent(whole_pages((config_.tx_ring + slack) * hw::kTxDescBytes), 4096);
  if (ring.base == 0) return -ENOMEM;
  ring.count = config_.tx_ring;
  ring.queue = queue;
  ring.ntu = ring.ntc = ring.tail = 0;
  ring.active = 0;
  ring.open_first = kNoSlot;
  ring.locked = false;
  ring.watched = -1;
  ring.teid = hw::kInvalidTeid;
  ring.bufs.assign(ring.count, TxBuf{});
  return 0;
}

// The done pattern in every descriptor is the seed's; later kernels dropped it. It is harmless
// here: the slot next_dd has always been filled before it is looked at.
void IceDriver::init_xdp_ring(TxRing& ring) {
  ring.next_rs = ring.next_dd = config_.rs_threshold - 1;
  if (config_.rs != RsMode::kThreshold) return;
  for (uint32_t i = 0; i < ring.count; ++i) {
    hal_.coherent.write64(ring.qw1_at(i), static_cast<uint64_t>(hw::TxDtype::kDone));
  }
}

int IceDriver::alloc_rx(RxRing& ring, unsigned queue) {
  ring.base = hal_.dma.alloc_coherent(whole_pages(config_.rx_ring * hw::kRxDescBytes), 4096);
  if (ring.base == 0) return -ENOMEM;
  ring.count = config_.rx_ring;
  ring.queue = queue;
  ring.ntu = ring.ntc = 0;
  ring.part_count = 0;
  ring.broken = false;
  ring.pages.assign(ring.count, nullptr);
  stack::PagePoolParams params;
  params.size = ring.count;
  params.direction = program_ != nullptr ? hal::DmaDir::kBidirectional : hal::DmaDir::kFromDevice;
  params.offset = kHeadroom;
  params.max_len = rx_buffer_;
  ring.pool = std::make_unique<stack::PagePool>(hal_, stack_.pages(), params);
  ring.info.device = this;
  ring.info.index = ring.index;
  ring.info.pool = ring.pool.get();
  return 0;
}

// Vector i gets pair i and its share of the XDP rings, in order. Receive ring i sends XDP_TX
// through its vector's first XDP ring or, when they are shared, ring i modulo their number.
void IceDriver::map_rings() {
  auto left = static_cast<unsigned>(xdp_.size());
  unsigned next = 0;
  for (unsigned i = 0; i < queues_; ++i) {
    IceVector& v = *vectors_[i];
    v.tx = &tx_[i];
    v.rx = &rx_[i];
    tx_[i].vector = i;
    v.xdp.clear();
    const unsigned vectors_left = queues_ - i;
    for (unsigned n = (left + vectors_left - 1) / vectors_left; n > 0; --n, --left, ++next) {
      xdp_[next].vector = i;
      v.xdp.push_back(&xdp_[next]);
    }
    rx_[i].xdp_ring = nullptr;
    if (xdp_.empty()) continue;
    rx_[i].xdp_ring = xdp_shared_ || v.xdp.empty() ? &xdp_[i % xdp_.size()] : v.xdp.front();
  }
}

void IceDriver::free_tx(TxRing& ring) {
  if (ring.base == 0) return;
  purge(ring);
  hal_.dma.free_coherent(ring.base);
  ring.base = 0;
}

void IceDriver::free_rx(RxRing& ring) {
  if (ring.base == 0) return;
  for (unsigned i = 0; i < ring.part_count; ++i) ring.pool->put_full(*ring.parts[i].page);
  ring.part_count = 0;
  for (stack::Page*& page : ring.pages) {
    if (page != nullptr) ring.pool->put_full(*page);
    page = nullptr;
  }
  const uint32_t missing = ring.pool->destroy();
  stack_.leaked_pages += missing;
  // Pages still out come back to their pool, so it must live on.
  if (missing > 0) retired_pools_.push_back(std::move(ring.pool));
  ring.pool.reset();
  ring.info.pool = nullptr;
  hal_.dma.free_coherent(ring.base);
  ring.base = 0;
}

int IceDriver::start_tx(TxRing& ring) {
  hw::IceTxContext context;
  context.base = ring.base >> hw::kRingBaseShift;
  context.pf_num = pf_;
  context.vmvf_type = 2;  // PF
  context.src_vsi = vsi_;
  context.tsyn_ena = 1;
  context.qlen = ring.count;
  context.tso_ena = 1;
  context.tso_qnum = ring.queue & 0x7FF;
  context.legacy_int = 1;  // reports go to the ring
  std::array<uint8_t, hw::kAqTxGroupBytes + hw::kAqTxQueueBytes> buffer{};
  if (!hw::encode_add_tx_queue(buffer.data(), kParentTeid, static_cast<uint16_t>(ring.queue),
                               context)) {
    return -EINVAL;
  }
  hw::IceAqDesc d;
  d.opcode = hw::aq_op::kAddTxQueues;
  d.param[0] = 1;  // groups
  const int error = admin_.command(d, Buffer::kExchange, buffer.data(), buffer.size());
  if (error != 0) {
    ++stats_.admin_failures;
    return error;
  }
  ring.teid = base::load_le<uint32_t>(buffer.data() + hw::kAqTxGroupBytes + hw::aq_txq::kTeid);
  return 0;
}

int IceDriver::start_rx(RxRing& ring) {
  hw::IceRxContext context;
  context.base = ring.base >> hw::kRingBaseShift;
  context.qlen = ring.count;
  context.dbuf = (rx_buffer_ + hw::kRxBufferUnit - 1) / hw::kRxBufferUnit;
  context.dsize = 1;
  context.crcstrip = 1;
  context.l2tsel = 1;
  const unsigned chain = program_ != nullptr ? 1 : hw::kMaxRxBuffers;
  context.rxmax = std::min(max_frame_, chain * rx_buffer_);
  context.lrxqthresh = config_.lrxqthresh;
  context.prefena = 1;
  std::array<uint32_t, hw::kRxContextWords> words;
  if (!encode(context, words)) return -EINVAL;
  wr(reg::qrxflxp_cntxt(ring.queue), put_field(hw::qrxflxp_cntxt::kRxdidIdx, hw::kRxdidNic) |
                                         put_field(hw::qrxflxp_cntxt::kRxdidPrio, kRxdidPriority) |
                                         hw::qrxflxp_cntxt::kTs);
  for (unsigned i = 0; i < hw::kRxContextWords; ++i) wr(reg::qrx_context(i, ring.queue), words[i]);
  wr(reg::qrx_tail(ring.queue), 0);
  return 0;
}

// All at once, then the wait for each. Buffers only then: enabling resets the tail.
int IceDriver::enable_rx_rings() {
  for (const RxRing& ring : rx_) {
    const uint32_t control = reg::qrx_ctrl(ring.queue);
    wr(control, rd(control) | hw::qrx_ctrl::kQenaReq);
  }
  for (RxRing& ring : rx_) {
    unsigned polls = 0;
    while ((rd(reg::qrx_ctrl(ring.queue)) & hw::qrx_ctrl::kQenaStat) == 0) {
      if (++polls == kEnablePolls) return -ETIMEDOUT;
      hal_.cpu.delay(kEnableStep);
    }
    if (!refill(ring, ring.unused())) return -ENOMEM;
  }
  return 0;
}

void IceDriver::route_causes() {
  const auto cause = [](unsigned msix, unsigned itr) {
    return put_field(hw::qint_ctl::kMsixIndx, msix) | put_field(hw::qint_ctl::kItrIndx, itr) |
           hw::qint_ctl::kCauseEna;
  };
  for (const auto& v : vectors_) {
    wr(reg::qint_tqctl(v->tx->queue), cause(v->msix, hw::kTxItr));
    for (const TxRing* ring : v->xdp) wr(reg::qint_tqctl(ring->queue), cause(v->msix, hw::kTxItr));
    wr(reg::qint_rqctl(v->rx->queue), cause(v->msix, hw::kRxItr));
  }
}

void IceDriver::stop_causes() {
  for (const auto& v : vectors_) {
    if (v->tx == nullptr) return;
    wr(reg::qint_tqctl(v->tx->queue), 0);
    for (const TxRing* ring : v->xdp) wr(reg::qint_tqctl(ring->queue), 0);
    wr(reg::qint_rqctl(v->rx->queue), 0);
  }
  for (const auto& v : vectors_) wr(reg::glint_dyn_ctl(v->msix), 0);
}

// The software interrupt lets the device finish what it holds back for the queue.
void IceDriver::stop_tx(TxRing& ring) {
  if (ring.base == 0 || ring.teid == hw::kInvalidTeid) return;
  const uint32_t cause = reg::qint_tqctl(ring.queue);
  wr(cause, rd(cause) & ~hw::qint_ctl::kCauseEna);
  hal_.cpu.delay(kTxStopDelay);
  software_interrupt(*vectors_[ring.vector]);
  std::array<uint8_t, 8> buffer{};
  const uint32_t bytes =
      hw::encode_disable_tx_queue(buffer.data(), kParentTeid, static_cast<uint16_t>(ring.queue));
  hw::IceAqDesc d;
  d.opcode = hw::aq_op::kDisableTxQueues;
  d.param[0] = 1u << 8 | kDisableTimeout << 26;
  if (admin_.command(d, Buffer::kSend, buffer.data(), bytes) != 0) ++stats_.admin_failures;
  ring.teid = hw::kInvalidTeid;
}

void IceDriver::stop_rx_rings() {
  for (const RxRing& ring : rx_) {
    if (ring.base == 0) continue;
    const uint32_t control = reg::qrx_ctrl(ring.queue);
    wr(control, rd(control) & ~hw::qrx_ctrl::kQenaReq);
  }
  for (const RxRing& ring : rx_) {
    if (ring.base == 0) continue;
    unsigned polls = 0;
    while ((rd(reg::qrx_ctrl(ring.queue)) & hw::qrx_ctrl::kQenaStat) != 0) {
      if (++polls == kEnablePolls) break;
      hal_.cpu.delay(kEnableStep);
    }
  }
}

}  // namespace doorbell::drivers::ice
