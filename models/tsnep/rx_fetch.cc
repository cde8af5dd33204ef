// The descriptor side of the receive engine: control, fetches, errors.
#include "models/tsnep/interrupts.h"
#include "models/tsnep/rx_engine.h"

namespace doorbell::tsnep {

using base::Picos;

void RxEngine::add_queues() {
  for (unsigned i = 0; i < core_.config.queues; ++i) {
    queues_.push_back(std::make_unique<Queue>(core_.config.rx_prefetch));
    Queue& q = *queues_.back();
    q.owner = this;
    q.index = i;
    q.fetch.bind<&Queue::on_fetch>(q);
  }
}

void RxEngine::enable(unsigned queue) {
  ++core_.count.rx_doorbells;
  Queue& q = *queues_[queue];
  if (q.errors != 0) return;
  q.running = true;
  if (q.idle) {
    const Picos at = base::max(core_.now() + core_.config.doorbell_time, q.idle_from);
    start_fetch(q, at + core_.dma.forward_latency());
  }
  look_again();
}

// Descriptors that were fetched and not used are fetched again when the queue is enabled again.
void RxEngine::rewind(Queue& q) {
  core_.calendar.cancel(q.fetch);
  if (!q.cache.empty()) {
    q.next = q.cache.front().block;
    q.epoch = q.cache.front().epoch_before;
  }
  q.cache.clear();
  q.idle = true;
  q.idle_from = Picos(0);
}

void RxEngine::disable(unsigned queue) {
  Queue& q = *queues_[queue];
  q.running = false;
  rewind(q);
  look_again();
}

// Frames in the FIFO are lost, the errors and the owner counter forgotten; the ring starts at its
// address.
void RxEngine::reset(unsigned queue) {
  Queue& q = *queues_[queue];
  q.running = false;
  q.cache.clear();
  rewind(q);
  q.errors = 0;
  q.epoch = 1;
  q.next = uint64_t{core_.value(reg::rx_desc_addr_high(queue))} << 32 |
           (core_.value(reg::rx_desc_addr_low(queue)) & desc_addr::kAddress);
  for (uint32_t i = 0; i < frames_.size(); ++i) {
    if (frames_[i].queue == queue) frames_[i].forgotten = true;
  }
  look_again();
}

void RxEngine::set_address(unsigned queue, uint64_t address, bool reset_owner) {
  Queue& q = *queues_[queue];
  rewind(q);
  q.next = address;
  if (reset_owner) q.epoch = 1;
  look_again();
}

uint32_t RxEngine::control(unsigned queue) const {
  const Queue& q = *queues_[queue];
  const bool busy = q.running || core_.now() < q.visible_at;
  return q.errors | (busy ? control::kRxEnable : 0);
}

void RxEngine::start_fetch(Queue& q, Picos at) {
  q.idle = false;
  core_.calendar.schedule(q.fetch, at);
}

// Fetches on until the cache is full. The descriptor that takes the place of a used one is sampled
// now, if its address was known long enough.
void RxEngine::refill(Queue& q) {
  if (q.idle || q.fetch.pending() || q.cache.full()) return;
  const Picos at = q.known_at + core_.request_time();
  if (at > core_.now()) {
    core_.calendar.schedule(q.fetch, at);
  } else {
    sample(q);
  }
}

void RxEngine::on_fetch(Queue& q) {
  catch_up(core_.now());
  sample(q);
  plan();
}

void RxEngine::sample(Queue& q) {
  std::array<uint8_t, kDescBytes> bytes;
  const Picos now = core_.now();
  const fabric::DmaPort::Done done =
      core_.dma.read(now, q.next + kOffDesc, {bytes.data(), kDescBytes});
  ++core_.count.rx_fetches;
  if (!done.ok) {
    fail(q, control::kRxDmaError);
    return;
  }
  if (core_.trace != nullptr) {
    core_.trace->span(kRxTracks[q.index], "Fetching", now - core_.dma.forward_latency(), done.time,
                      q.next);
  }
  const TsnepRxDesc desc = decode_rx(bytes.data());
  const uint32_t seen = props::owner(desc.properties);
  if (!TsnepOwnership::is_new(seen, q.epoch)) {
    ++core_.count.rx_starved;
    q.idle = true;
    q.idle_from = done.time;
    look_again();
    return;
  }
  if (desc.next % kBlockBytes != 0) {
    fail(q, control::kRxDescError);
    return;
  }
  Desc& d = q.cache.push();
  d.block = q.next;
  d.buffer = desc.rx;
  d.properties = desc.properties;
  d.epoch_before = q.epoch;
  d.available = done.time;
  q.epoch = seen;
  q.next = desc.next;
  q.known_at = done.time;
  refill(q);
}

void RxEngine::fail(Queue& q, uint32_t error) {
  ++(error == control::kRxDmaError ? core_.count.dma_errors : core_.count.desc_errors);
  q.errors |= error;
  q.running = false;
  rewind(q);
  look_again();
}

}  // namespace doorbell::tsnep
