// Turns of the transmit queues, and the packet at the head of one.
#include "models/ice/interrupts.h"
#include "models/ice/mdd.h"
#include "models/ice/stats.h"
#include "models/ice/tx_engine.h"

namespace doorbell::ice {

using base::Picos;

void TxEngine::reap(Picos t) {
  while (departures_.next() <= t) {
    used_ -= departures_.front().bytes;
    departures_.pop();
  }
}

uint32_t TxEngine::buffer_used(Picos t) {
  reap(t);
  return used_;
}

Picos TxEngine::next_issue() {
  Picos at = schedule_free_;
  if (!tso_.active) {
    if (work_.empty()) return base::kNever;
    at = base::max(at, queues_[work_.front()].ready_at);
  }
  if (used_ >= core_.config.tx_buffer) {
    reap(at);
    if (used_ >= core_.config.tx_buffer) return base::max(at, departures_.next());
  }
  if (core_.reads->in_flight(at) >= core_.config.tx_reads) {
    return base::max(at, core_.reads->next_return());
  }
  return core_.pcie.tag_free(at);
}

void TxEngine::unlist(TxQueue& q) {
  work_.pop();
  q.listed = false;
  q.credit = 0;
}

void TxEngine::issue(Picos at) {
  reap(at);
  if (core_.config.tx_schedule_time != Picos(0)) {
    schedule_free_ = at + core_.config.tx_schedule_time;
  }
  if (tso_.active) {
    issue_segment(at);
    return;
  }
  const uint16_t number = work_.front();
  TxQueue& q = queues_[number];
  if (!q.enabled || q.frozen || q.head == q.have) {
    unlist(q);
    return;
  }
  if (q.credit <= 0) begin_turn(q);
  const Head head = look(q);
  if (head.count == 0) {
    unlist(q);
    incomplete(q, number, at);
    return;
  }
  q.credit -= static_cast<int32_t>(issue_packet(q, number, head, at));
  if (!tso_.active) after_packet(q, number, at);
}

void TxEngine::begin_turn(TxQueue& q) {
  const uint32_t profile = core_.regs.peek(reg::glcomm_quanta_prof(q.quanta));
  q.credit = static_cast<int32_t>(reg::get_field(glcomm_quanta_prof::kQuantaSize, profile));
  if (q.credit == 0) q.credit = 1;  // a packet a turn
  max_cmd_ = reg::get_field(glcomm_quanta_prof::kMaxCmd, profile);
  max_desc_ = reg::get_field(glcomm_quanta_prof::kMaxDesc, profile);
  if (max_cmd_ == 0) max_cmd_ = UINT32_MAX;
  if (max_desc_ == 0) max_desc_ = UINT32_MAX;
}

// The queue at the front has sent a packet: goes on, gives its turn to the next, or leaves.
void TxEngine::after_packet(TxQueue& q, uint16_t number, Picos at) {
  if (q.frozen || q.head == q.have) {
    unlist(q);
  } else if (q.credit <= 0) {
    work_.pop();
    work_.push(number);
    q.ready_at = at;
  }
}

// The descriptors from the head to the first EOP. Anything but data in front counts as context.
TxEngine::Head TxEngine::look(const TxQueue& q) const {
  Head head;
  uint32_t count = 0;
  for (uint32_t i = q.head; i != q.have; i = next(q, i)) {
    const RawTxDesc& d = q.desc[i];
    ++count;
    if (tx_dtype(d.qw1) == TxDtype::kContext && !head.context) {
      head.context = true;
      head.ctx = tx_context_desc(d.address, d.qw1);
    } else if (tx_dtype(d.qw1) == TxDtype::kData) {
      ++head.data;
      if ((d.qw1 & kTxEopBit) != 0) {
        head.count = count;
        break;
      }
    }
  }
  return head;
}

// The head's packet does not end in what is here.
void TxEngine::incomplete(TxQueue& q, uint16_t number, Picos at) {
  if (q.have != q.fetching) return;  // more is on its way
  if (q.fetching != q.tail) {
    q.long_packet = true;
    fetch(q, number, at);
    return;
  }
  const Head head = look(q);
  const bool tso = head.context && (head.ctx.cmd & tx_ctx_cmd::kTso) != 0;
  refuse(q, number, tso ? TclanCause::kTsoHitsTail : TclanCause::kTailNoEop);
}

// A frame is lost to a driver's fault.
void TxEngine::lose(const TxQueue& q) {
  ++core_.count.tx_malicious;
  core_.stats->count_tepc(q.vsi);
}

bool TxEngine::refuse(TxQueue& q, uint16_t number, TclanCause cause) {
  if (!core_.mdd->tclan(number, cause)) return false;
  lose(q);
  q.frozen = true;
  return true;
}

// Order and kind of the descriptors. False: the queue has been stopped.
bool TxEngine::check_format(TxQueue& q, uint16_t number, const Head& head) {
  bool data = false;
  bool context = false;
  const bool tso = head.context && (head.ctx.cmd & tx_ctx_cmd::kTso) != 0;
  for (uint32_t i = q.head, n = 0; n < head.count; ++n, i = next(q, i)) {
    switch (tx_dtype(q.desc[i].qw1)) {
      case TxDtype::kData:
        data = true;
        break;
      case TxDtype::kContext:
        if (context && refuse_pqm(q, number, PqmCause::kSecondHeader)) return false;
        context = true;
        if (data && refuse(q, number, TclanCause::kDescriptorFormat)) return false;
        break;
      case TxDtype::kFlowDirector:
        if (data && refuse(q, number, TclanCause::kDescriptorFormat)) return false;
        break;
      case TxDtype::kIpsec:
        if (tso && refuse(q, number, TclanCause::kTsoVersusIpsec)) return false;
        break;
      default:
        if (refuse(q, number, TclanCause::kDescriptorFormat)) return false;
        break;
    }
  }
  return true;
}

// Length and number of buffers of a frame that is sent as it is.
bool TxEngine::check_frame(TxQueue& q, uint16_t number, const Head& head, uint32_t bytes) {
  if (head.data > kMaxTxBuffers && refuse(q, number, TclanCause::kTooManyDataDescriptors)) {
    return false;
  }
  if ((bytes < min_frame_ || bytes > max_frame_) && refuse(q, number, TclanCause::kPacketLength)) {
    return false;
  }
  if (head.data > max_cmd_ && refuse(q, number, TclanCause::kQuantumCommands)) return false;
  return head.count <= max_desc_ || !refuse(q, number, TclanCause::kQuantumDescriptors);
}

// Takes descriptors off the ring and keeps the cache filled.
void TxEngine::consume(TxQueue& q, uint16_t number, unsigned count, Picos at) {
  q.head = next(q, q.head, count);
  if (q.fetching != q.tail) fetch(q, number, at);
}

TxPacket& TxEngine::new_packet(const TxQueue& q, uint16_t number, uint32_t bytes, Picos at) {
  TxPacket& packet = packets_.slot();
  packet.ready = Picos(0);
  packet.issued = at;
  packet.place = store_.take(bytes);
  packet.bytes = bytes;
  packet.reads_left = 0;
  packet.first = packet.count = 0;
  packet.queue = number;
  packet.generation = q.generation;
  packet.offloaded = packet.segment = packet.failed = packet.last = packet.departs = false;
  used_ += bytes;
  return packet;
}

void TxEngine::read_payload(uint64_t address, uint32_t bytes, uint32_t place, Picos at) {
  Read read;
  read.kind = ReadKind::kTxPayload;
  read.address = address;
  read.into = store_.at(place);
  read.bytes = bytes;
  read.token = packet_base_ + packets_.size() - 1;
  ++packets_.back().reads_left;
  core_.reads->request(at, read);
}

// A packet that cannot be sent: its descriptors are done with, nothing is.
void TxEngine::skip_frame(TxQueue& q, uint16_t number, const Head& head, Picos at) {
  TxPacket& packet = new_packet(q, number, 0, at);
  packet.first = q.head;
  packet.count = head.count;
  packet.ready = at;
  consume(q, number, head.count, at);
  finish_ready();
}

// Returns the bytes charged to the queue's turn.
uint32_t TxEngine::issue_packet(TxQueue& q, uint16_t number, const Head& head, Picos at) {
  const RawTxDesc& only = q.desc[q.head];
  if (head.count == 1) {
    const uint32_t bytes = tx_size_of(only.qw1);
    if ((tx_cmd_of(only.qw1) & tx_cmd::kDummy) != 0) {
      ++core_.count.tx_dummy;
      skip_frame(q, number, head, at);
      return bytes;
    }
    return check_frame(q, number, head, bytes) ? issue_frame(q, number, head, bytes, at) : 0;
  }
  if (!check_format(q, number, head)) return 0;
  uint32_t bytes = 0;
  for (uint32_t i = q.head, n = 0; n < head.count; ++n, i = next(q, i)) {
    if (tx_dtype(q.desc[i].qw1) == TxDtype::kData) bytes += tx_size_of(q.desc[i].qw1);
  }
  if ((tx_cmd_of(q.desc[next(q, q.head, head.count - 1)].qw1) & tx_cmd::kDummy) != 0) {
    ++core_.count.tx_dummy;
    skip_frame(q, number, head, at);
    return bytes;
  }
  if (head.context && (head.ctx.cmd & tx_ctx_cmd::kTso) != 0) {
    start_tso(q, number, head, bytes, at);
    return bytes;
  }
  return check_frame(q, number, head, bytes) ? issue_frame(q, number, head, bytes, at) : 0;
}

namespace {
constexpr uint64_t kOffloadBits = uint64_t{tx_cmd::kIl2tag1 | tx_cmd::kIipt | tx_cmd::kL4t}
                                  << kTxCmdShift;
}  // namespace

TxOffload TxEngine::offload_of(uint64_t qw1, const Head& head) {
  const IceTxDesc d = tx_desc(0, qw1);
  TxOffload out;
  out.cmd = d.cmd;
  out.mac_bytes = static_cast<uint16_t>(2 * d.maclen);
  out.ip_bytes = static_cast<uint16_t>(4 * d.iplen);
  out.l4_bytes = static_cast<uint16_t>(4 * d.l4len);
  out.insert_tag1 = (d.cmd & tx_cmd::kIl2tag1) != 0;
  out.tag1 = d.l2tag1;
  if (head.context && (head.ctx.cmd & tx_ctx_cmd::kIl2tag2) != 0) {
    out.insert_tag2 = true;
    out.tag2 = head.ctx.l2tag2;
  }
  return out;
}

uint32_t TxEngine::issue_frame(TxQueue& q, uint16_t number, const Head& head, uint32_t bytes,
                               Picos at) {
  if (bytes == 0 || bytes > kMaxFrameBytes) {
    // Only with the length check switched off.
    if (bytes != 0 && core_.mdd->tdpu(number, TdpuCause::kPacketTooBig)) q.frozen = true;
    lose(q);
    if (!q.frozen) skip_frame(q, number, head, at);
    return 0;
  }
  TxPacket& packet = new_packet(q, number, bytes, at);
  packet.first = q.head;
  packet.count = head.count;
  packet.last = true;
  ++in_flight_;
  const uint32_t place = packet.place;
  const RawTxDesc& first = q.desc[next(q, q.head, head.count - head.data)];
  const bool tag2 = head.context && (head.ctx.cmd & tx_ctx_cmd::kIl2tag2) != 0;
  if ((first.qw1 & kOffloadBits) != 0 || tag2) {
    packet.offloaded = true;
    packet.extra = extra_base_ + extras_.size();
    TxExtra extra;
    extra.offload = offload_of(first.qw1, head);
    extras_.push(extra);
  }
  uint32_t done = 0;
  for (uint32_t i = q.head, n = 0; n < head.count; ++n, i = next(q, i)) {
    const RawTxDesc& d = q.desc[i];
    if (tx_dtype(d.qw1) != TxDtype::kData) continue;
    const uint32_t size = tx_size_of(d.qw1);
    if (size != 0) read_payload(d.address, size, place + done, at);
    done += size;
  }
  consume(q, number, head.count, at);
  return bytes;
}

}  // namespace doorbell::ice
