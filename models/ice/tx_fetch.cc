// Transmit queues: control, doorbells, descriptor fetch.
#include <algorithm>

#include "models/ice/interrupts.h"
#include "models/ice/mdd.h"
#include "models/ice/pump.h"
#include "models/ice/tx_engine.h"

namespace doorbell::ice {

using base::Picos;

TxEngine::TxEngine(Core& core)
    : core_(core),
      queues_(kTxQueues),
      work_(1024),
      arrived_(1024),
      packets_(4096),
      reports_(4096),
      departures_(4096),
      store_(core.config.tx_buffer + kMaxFrameBytes + FrameStore::kLongest),
      header_(4096),
      scratch_(FrameStore::kLongest + 64),
      sink_(64 * kTxDescBytes),
      cache_limit_(core.config.tx_cache),
      fetch_threshold_(core.config.tx_fetch_threshold),
      fetch_align_(core.config.tx_fetch_align) {}

// Takes over GLLAN_TCLAN_CACHE_CTL and GLCOMM_MIN_MAX_PKT.
void TxEngine::reload() {
  const uint32_t cache = core_.regs.peek(reg::kGllanTclanCacheCtl);
  cache_limit_ = std::max(kTxDescPerLine, reg::get_field(tclan_cache_ctl::kCacheDescLim, cache));
  fetch_threshold_ = std::max(1u, reg::get_field(tclan_cache_ctl::kMinFetchThresh, cache));
  fetch_align_ = (cache & tclan_cache_ctl::kFetchClAlign) != 0;
  const uint32_t limits = core_.regs.peek(reg::kGlcommMinMaxPkt);
  min_frame_ = reg::get_field(glcomm_min_max_pkt::kMihdl, limits);
  max_frame_ = reg::get_field(glcomm_min_max_pkt::kMahdl, limits);
}

void TxEngine::enable(unsigned queue, const IceTxContext& context, uint32_t teid) {
  TxQueue& q = queues_[queue];
  const auto generation = static_cast<uint16_t>(q.generation + 1);
  const bool cause = q.cause;
  const uint16_t vector = q.vector;
  const uint8_t itr = q.itr;
  const bool listed = q.listed;
  const bool flush_listed = q.flush_listed;
  q = TxQueue();
  q.generation = generation;
  q.cause = cause;
  q.vector = vector;
  q.itr = itr;
  q.listed = listed;
  q.flush_listed = flush_listed;
  q.context = context;
  q.ring = context.base << kRingBaseShift;
  q.size = context.qlen;
  q.quanta = static_cast<uint8_t>(context.quanta_prof_idx);
  q.vsi = static_cast<uint16_t>(context.src_vsi % kVsis);
  q.tso_ena = context.tso_ena != 0;
  q.teid = teid;
  q.desc.assign(q.size, RawTxDesc{0, 0});
  q.enabled = true;
  active_.push_back(static_cast<uint16_t>(queue));
}

void TxEngine::disable(unsigned queue) {
  TxQueue& q = queues_[queue];
  if (!q.enabled) return;
  q.enabled = false;
  q.held_mask = 0;
  if (tso_.active && tso_.queue == queue) tso_.active = false;
  ++q.generation;
}

void TxEngine::reset() {
  for (const uint16_t number : active_) disable(number);
  active_.clear();
  for (uint32_t i = 0; i < packets_.size(); ++i) {
    TxPacket& packet = packets_[i];
    if (packet.last) {
      ++core_.count.tx_reset;
      --in_flight_;
    }
    packet.last = false;
  }
}

void TxEngine::route(unsigned queue, uint32_t qint) {
  TxQueue& q = queues_[queue];
  q.vector = static_cast<uint16_t>(reg::get_field(qint_ctl::kMsixIndx, qint));
  q.itr = static_cast<uint8_t>(reg::get_field(qint_ctl::kItrIndx, qint));
  q.cause = (qint & qint_ctl::kCauseEna) != 0;
  if (q.cause && q.held_mask != 0) core_.irq->hold_tx(q.vector, static_cast<uint16_t>(queue));
}

void TxEngine::doorbell(unsigned queue, uint32_t value) {
  TxQueue& q = queues_[queue];
  if (!q.enabled || q.frozen) {
    ++core_.count.doorbells_ignored;
    return;
  }
  ++core_.count.tx_doorbells;
  const auto number = static_cast<uint16_t>(queue);
  if ((value & ~kTailMask) != 0 && core_.mdd->pqm(number, PqmCause::kReservedDoorbell)) {
    q.frozen = true;
    return;
  }
  value &= kTailMask;
  if (value >= q.size) {
    // One fault, two guards: the doorbell logic first, the descriptor engine behind it.
    if (core_.mdd->pqm(number, PqmCause::kTailBeyondRing) ||
        core_.mdd->tclan(number, TclanCause::kTailBeyondRing)) {
      q.frozen = true;
    }
    return;
  }
  if (value == q.tail) return;  // nothing new
  q.tail = value;
  const Picos at = core_.now() + core_.config.doorbell_time;
  core_.pump->ring(at, number);
  core_.pump->wake(at);
}

void TxEngine::doorbell_due(uint16_t queue, Picos at) {
  TxQueue& q = queues_[queue];
  if (q.enabled) fetch(q, queue, at);
}

// Asks for descriptors while there are some, the cache has room for `threshold` of them or for all,
// and the queue is not stopped.
void TxEngine::fetch(TxQueue& q, uint16_t number, Picos at) {
  const IceConfig& config = core_.config;
  while (!q.frozen && q.fetching != q.tail) {
    const uint32_t cached = distance(q, q.head, q.fetching);
    uint32_t room = cached < cache_limit_ ? cache_limit_ - cached : 0;
    if (q.long_packet && room < config.tx_fetch_max) room = config.tx_fetch_max;
    const uint32_t there = distance(q, q.fetching, q.tail);
    if (room < std::min(fetch_threshold_, there)) return;
    q.long_packet = false;
    uint32_t n = std::min({there, room, config.tx_fetch_max, q.size - q.fetching});
    if (fetch_align_ && n < there) {
      const uint32_t over = (q.fetching + n) % kTxDescPerLine;
      if (n > over) n -= over;
    }
    Read read;
    read.kind = ReadKind::kTxDescriptors;
    read.address = q.ring + uint64_t{q.fetching} * kTxDescBytes;
    read.bytes = n * kTxDescBytes;
    read.queue = number;
    read.index = static_cast<uint16_t>(q.fetching);
    read.token = q.generation;
    ++core_.count.tx_desc_fetches;
    core_.count.tx_descs.add(n);
    q.fetching = next(q, q.fetching, n);
    core_.reads->request(at, read);
  }
}

uint8_t* TxEngine::descriptor_place(const Read& read) {
  TxQueue& q = queues_[read.queue];
  if (q.generation != read.token) return sink_.data();
  return reinterpret_cast<uint8_t*>(&q.desc[read.index]);
}

void TxEngine::descriptors_read(const Read& read, Picos done, bool ok) {
  TxQueue& q = queues_[read.queue];
  if (q.generation != read.token) return;
  if (!ok) {
    core_.mdd->tclan(read.queue, TclanCause::kDescriptorFetchUr);
    q.frozen = true;  // without descriptors nothing can go on, whether or not the check is on
    return;
  }
  // Descriptors are used in ring order, so late ones hold up those behind them.
  q.last_fetched = base::max(q.last_fetched, done);
  arrived_.insert({q.last_fetched, read.queue, q.generation, read.bytes / kTxDescBytes});
}

void TxEngine::take_descriptors() {
  const Arrived a = arrived_.front();
  arrived_.pop();
  TxQueue& q = queues_[a.queue];
  if (q.generation != a.generation) return;
  q.have = next(q, q.have, a.count);
  list(q, a.queue, a.at);
}

void TxEngine::list(TxQueue& q, uint16_t number, Picos at) {
  if (q.listed || q.frozen) return;
  q.listed = true;
  q.ready_at = at;
  work_.push(number);
}

}  // namespace doorbell::ice
