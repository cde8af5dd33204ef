// Sockets of the application, its life and its three loops.
#include "sim/apps/xdpsock.h"

#include <algorithm>
#include <cassert>
#include <cerrno>

#include "models/net/frame.h"

namespace doorbell::apps {

using stack::xsk::Desc;
using stack::xsk::RingKind;
using stack::xsk::Socket;

namespace {
constexpr uint32_t kMapEntries = 1024;
// How long the end of the loop waits for what is still being sent.
constexpr base::Picos kPatience{100'000'000'000};
}  // namespace

Xdpsock::Ends::Ends(Socket& socket)
    : fill(*socket.ring(RingKind::kFill)), completion(*socket.ring(RingKind::kCompletion)) {}

Xdpsock::Xdpsock(stack::xsk::Sockets& sockets, const XdpsockConfig& config)
    : sockets_(sockets),
      hal_(sockets.stack().hal()),
      config_(config),
      map_(kMapEntries),
      program_(map_, stack::Verdict::kPass, config.same_queue ? config.sockets : 1) {}

Xdpsock::~Xdpsock() {
  close();
}

uint64_t Xdpsock::chunk_addr(uint32_t chunk) const {
  return static_cast<uint64_t>(chunk) * config_.chunk_bytes;
}

int Xdpsock::set_rings(Port& port, bool own_ends) {
  Socket& socket = *port.socket;
  int error = 0;
  if (own_ends) {
    error = socket.set_ring(RingKind::kFill, config_.fill_ring);
    if (error == 0) error = socket.set_ring(RingKind::kCompletion, config_.completion_ring);
  }
  if (error == 0 && config_.mode != AppMode::kTxOnly) {
    error = socket.set_ring(RingKind::kRx, config_.rx_ring);
  }
  if (error == 0 && config_.mode != AppMode::kRxDrop) {
    error = socket.set_ring(RingKind::kTx, config_.tx_ring);
  }
  return error;
}

int Xdpsock::open_socket(Port& port, stack::NetDevice& device) {
  const unsigned number = port.number;
  const bool shares = config_.shared_umem && number > 0;
  port.socket = std::make_unique<Socket>(sockets_);
  if (!shares) {
    stack::xsk::UmemConfig umem;
    umem.bytes = config_.chunks * config_.chunk_bytes;
    umem.chunk_bytes = config_.chunk_bytes;
    umem.headroom = config_.headroom;
    umem.flags = config_.unaligned ? stack::xsk::kUmemUnaligned : 0;
    if (const int error = port.socket->register_umem(umem)) return error;
  }
  if (const int error = set_rings(port, !(shares && config_.same_queue))) return error;
  uint32_t flags = stack::xsk::kBindSharedUmem;
  if (!shares) {
    flags = config_.zero_copy ? stack::xsk::kBindZeroCopy : stack::xsk::kBindCopy;
    if (config_.need_wakeup) flags |= stack::xsk::kBindNeedWakeup;
  }
  const uint32_t queue = config_.same_queue ? config_.queue : config_.queue + number;
  Socket* partner = shares ? ports_.front().socket.get() : nullptr;
  if (const int error = port.socket->bind(device, queue, flags, partner)) return error;
  if (config_.busy_poll) {
    port.socket->set_busy_poll(static_cast<int>(config_.batch), config_.busy_poll_hold);
  }
  port.ends =
      shares && config_.same_queue ? ports_.front().ends : std::make_shared<Ends>(*port.socket);
  if (RingKind kind = RingKind::kRx; port.socket->ring(kind) != nullptr) {
    port.rx = std::make_unique<stack::xsk::UserConsumer>(*port.socket->ring(kind));
    map_.set(config_.same_queue ? queue * config_.sockets + number : queue, port.socket.get());
  }
  if (RingKind kind = RingKind::kTx; port.socket->ring(kind) != nullptr) {
    port.tx = std::make_unique<stack::xsk::UserProducer>(*port.socket->ring(kind));
  }
  port.chunks = config_.shared_umem ? config_.chunks / config_.sockets : config_.chunks;
  port.first_chunk = config_.shared_umem ? number * port.chunks : 0;
  return 0;
}

int Xdpsock::open(stack::NetDevice& device) {
  assert(ports_.empty());
  ports_.reserve(config_.sockets);
  for (unsigned i = 0; i < config_.sockets; ++i) {
    ports_.emplace_back();
    ports_.back().number = i;
    if (const int error = open_socket(ports_.back(), device)) {
      close();
      return error;
    }
    if (config_.mode != AppMode::kTxOnly) populate(ports_.back());
  }
  return 0;
}

// As many chunks as the socket has and the fill ring takes.
void Xdpsock::populate(Port& port) {
  const uint32_t room = port.ends->fill.free_entries(port.chunks);
  const uint32_t count = std::min(port.chunks, room);
  uint32_t index = 0;
  if (count == 0 || !port.ends->fill.reserve(count, index)) return;
  for (uint32_t i = 0; i < count; ++i) {
    port.ends->fill.set_addr(index + i, chunk_addr(port.first_chunk + i));
  }
  port.ends->fill.submit(count);
}

void Xdpsock::close() {
  for (Port& port : ports_) {
    if (port.socket == nullptr) continue;
    for (uint32_t i = 0; i < map_.size(); ++i) {
      if (map_.at(i) == port.socket.get()) map_.set(i, nullptr);
    }
    port.socket->close();
  }
}

void Xdpsock::stop() {
  stopping_ = true;
  if (process_ != nullptr && running_) process_->wake();
}

void Xdpsock::run_task(hal::Process& process) {
  assert(config_.mode != AppMode::kTxOnly || filler_ != nullptr);
  process_ = &process;
  running_ = true;
  round_begin_ = hal_.cpu.now();
  if (config_.skip_empty_rounds) watch_rings();
  while (!stopping_) {
    for (Port& port : ports_) {
      if (config_.poll && !wait_in_poll(port)) continue;
      round(port);
    }
    spin();
  }
  finish();
  process.clear_watch();
  running_ = false;
}

// A round of the loop is over, or one more look at a full ring.
void Xdpsock::spin() {
  const base::Picos worked = hal_.cpu.now();
  ++counters_.rounds;
  hal_.cpu.charge(hal::Op::kAppLoop);
  // Nothing but a look at lines that were all at hand: the next rounds are the same.
  if (worked == round_begin_) counters_.rounds += process_->spin();
  process_->preempt();
  round_begin_ = hal_.cpu.now();
}

// All that the loops look at while they find nothing.
void Xdpsock::watch_rings() {
  for (Port& port : ports_) {
    for (const RingKind kind :
         {RingKind::kFill, RingKind::kCompletion, RingKind::kRx, RingKind::kTx}) {
      stack::xsk::RingMemory* ring = port.socket->ring(kind);
      if (ring == nullptr) continue;
      process_->watch(ring->base() + stack::xsk::kProducerOffset);
      process_->watch(ring->base() + stack::xsk::kConsumerOffset);
      process_->watch(ring->base() + stack::xsk::kFlagsOffset);
    }
  }
}

bool Xdpsock::wait_in_poll(Port& port) {
  uint32_t events = stack::xsk::kPollIn;
  if (config_.mode == AppMode::kTxOnly) events = stack::xsk::kPollOut;
  if (config_.mode == AppMode::kL2Fwd) events |= stack::xsk::kPollOut;
  // xdpsock: one second.
  constexpr base::Picos kTimeout{1'000'000'000'000};
  ++counters_.polls;
  return port.socket->poll(*process_, events, kTimeout) != 0;
}

void Xdpsock::round(Port& port) {
  switch (config_.mode) {
    case AppMode::kTxOnly:
      tx_only(port);
      return;
    case AppMode::kRxDrop:
      rx_drop(port);
      return;
    case AppMode::kL2Fwd:
      l2_forward(port);
      return;
  }
}

// Errors that only mean "later" are none.
void Xdpsock::note(int result) {
  const bool later = result >= 0 || result == -EAGAIN || result == -EBUSY || result == -ENOBUFS ||
                     result == -ENETDOWN;
  if (!later) ++counters_.errors;
}

void Xdpsock::kick_tx(Port& port) {
  ++counters_.sendtos;
  note(port.socket->sendto(*process_));
}

void Xdpsock::kick_rx(Port& port) {
  ++counters_.recvfroms;
  note(port.socket->recvfrom(*process_));
}

void Xdpsock::tx_only(Port& port) {
  uint32_t index = 0;
  while (!port.tx->reserve(config_.batch, index)) {
    complete_tx_only(port);
    if (stopping_) return;
    spin();
  }
  stack::xsk::Umem& umem = *port.socket->umem();
  hal_.cpu.charge(hal::Op::kAppFrame, config_.batch);
  for (uint32_t i = 0; i < config_.batch; ++i) {
    const uint64_t addr = chunk_addr(port.first_chunk + port.next_chunk);
    port.next_chunk = port.next_chunk + 1 == port.chunks ? 0 : port.next_chunk + 1;
    const uint32_t bytes = filler_->fill(umem.at(addr), config_.chunk_bytes, port.number);
    port.tx->set_desc(index + i, {addr, bytes, 0});
  }
  port.tx->submit(config_.batch);
  counters_.tx_submitted += config_.batch;
  port.ends->outstanding += config_.batch;
  complete_tx_only(port);
}

void Xdpsock::complete_tx_only(Port& port) {
  Ends& ends = *port.ends;
  if (ends.outstanding == 0) return;
  if (!config_.need_wakeup || port.tx->needs_wakeup()) kick_tx(port);
  uint32_t index = 0;
  const uint32_t done = ends.completion.peek(config_.batch, index);
  if (done == 0) return;
  ends.completion.release(done);
  ends.outstanding -= done;
  counters_.tx_completed += done;
}

void Xdpsock::take_packet(Port& port, const Desc& desc) {
  ++counters_.rx_packets;
  counters_.rx_bytes += desc.len + net::kFcsBytes;
  if (tap_ != nullptr) tap_->received({port.socket->umem()->at(desc.addr), desc.len});
}

// False: told to stop while the ring was full.
bool Xdpsock::reserve_fill(Port& port, uint32_t count, uint32_t& index) {
  while (!port.ends->fill.reserve(count, index)) {
    if (stopping_) return false;
    if (config_.busy_poll || port.ends->fill.needs_wakeup()) kick_rx(port);
    spin();
  }
  return true;
}

void Xdpsock::rx_drop(Port& port) {
  uint32_t index = 0;
  uint32_t got = port.rx->peek(config_.batch, index);
  if (got == 0) {
    if (config_.busy_poll || port.ends->fill.needs_wakeup()) kick_rx(port);
    return;
  }
  uint32_t fill = 0;
  if (!reserve_fill(port, got, fill)) {
    port.rx->cancel(got);
    return;
  }
  port.rx->touch(index, got);
  hal_.cpu.charge(hal::Op::kAppFrame, got);
  for (uint32_t i = 0; i < got; ++i) {
    const Desc desc = port.rx->desc(index + i);
    take_packet(port, desc);
    // The kernel takes the chunk (aligned) or the base (unaligned) out of the address.
    port.ends->fill.set_addr(fill + i, desc.addr);
  }
  port.ends->fill.submit(got);
  port.rx->release(got);
}

void Xdpsock::l2_forward(Port& port) {
  complete_l2_forward(port);
  uint32_t index = 0;
  uint32_t got = port.rx->peek(config_.batch, index);
  if (got == 0) {
    if (config_.busy_poll || port.ends->fill.needs_wakeup()) kick_rx(port);
    return;
  }
  uint32_t send = 0;
  while (!port.tx->reserve(got, send)) {
    if (stopping_) {
      port.rx->cancel(got);
      return;
    }
    complete_l2_forward(port);
    if (config_.busy_poll || port.tx->needs_wakeup()) kick_tx(port);
    spin();
  }
  port.rx->touch(index, got);
  hal_.cpu.charge(hal::Op::kAppFrame, got);
  for (uint32_t i = 0; i < got; ++i) {
    const Desc desc = port.rx->desc(index + i);
    take_packet(port, desc);
    uint8_t* data = port.socket->umem()->at(desc.addr);
    if (desc.len >= 2 * net::kMacBytes) {
      hal_.dma.touch(data, 2 * net::kMacBytes, hal::Touch::kWrite);
      std::swap_ranges(data, data + net::kMacBytes, data + net::kMacBytes);
    }
    port.tx->set_desc(send + i, desc);
  }
  port.tx->submit(got);
  port.rx->release(got);
  counters_.tx_submitted += got;
  port.ends->outstanding += got;
}

void Xdpsock::complete_l2_forward(Port& port) {
  Ends& ends = *port.ends;
  if (ends.outstanding == 0) return;
  // In copy mode it is the system call that sends; in zero copy the driver does by itself, and
  // xdpsock only asks it when the ring is full.
  if (!config_.zero_copy) kick_tx(port);
  uint32_t index = 0;
  const uint32_t done = ends.completion.peek(std::min(ends.outstanding, config_.batch), index);
  if (done == 0) return;
  uint32_t fill = 0;
  if (!reserve_fill(port, done, fill)) {
    ends.completion.cancel(done);
    return;
  }
  ends.completion.touch(index, done);
  hal_.cpu.charge(hal::Op::kAppFrame, done);
  for (uint32_t i = 0; i < done; ++i) ends.fill.set_addr(fill + i, ends.completion.addr(index + i));
  ends.fill.submit(done);
  ends.completion.release(done);
  ends.outstanding -= done;
  counters_.tx_completed += done;
}

uint64_t Xdpsock::outstanding() const {
  uint64_t sum = 0;
  const Ends* before = nullptr;
  for (const Port& port : ports_) {
    if (port.ends.get() != before) sum += port.ends->outstanding;
    before = port.ends.get();
  }
  return sum;
}

// Lets the driver send what is in the rings, and takes the completions.
void Xdpsock::finish() {
  const base::Picos deadline = hal_.cpu.now() + kPatience;
  while (outstanding() > 0 && hal_.cpu.now() < deadline) {
    for (Port& port : ports_) complete_tx_only(port);
    spin();
  }
}

std::vector<stack::xsk::Account> Xdpsock::accounts() const {
  std::vector<stack::xsk::Account> list;
  for (const Port& port : ports_) {
    if (!port.socket->bound()) {
      if (port.socket->final_account() != nullptr) list.push_back(*port.socket->final_account());
    } else if (!config_.shared_umem || port.number == 0) {
      list.emplace_back(*port.socket->pool());
    } else if (!config_.same_queue) {
      list.front().add(*port.socket->pool());
    }
  }
  return list;
}

uint64_t Xdpsock::tx_waiting() const {
  uint64_t sum = 0;
  for (const Port& port : ports_) {
    stack::xsk::RingMemory* ring = port.socket->ring(RingKind::kTx);
    if (ring == nullptr) continue;
    sum += ring->peek(stack::xsk::kProducerOffset) - ring->peek(stack::xsk::kConsumerOffset);
  }
  return sum;
}

}  // namespace doorbell::apps
