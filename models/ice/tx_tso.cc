// Segmentation: one context descriptor, headers and payload in up to any number of buffers, many
// frames. A segmentation is not interrupted by other queues (assumption).
#include <algorithm>

#include "models/ice/mdd.h"
#include "models/ice/tx_engine.h"

namespace doorbell::ice {

using base::Picos;

bool TxEngine::refuse_pqm(TxQueue& q, uint16_t number, PqmCause cause) {
  if (!core_.mdd->pqm(number, cause)) return false;
  lose(q);
  q.frozen = true;
  return true;
}

// Zero and out-of-range numbers. Each has a check in the descriptor engine or, behind it, in the
// doorbell logic.
bool TxEngine::check_tso_numbers(TxQueue& q, uint16_t number, const Head& head, uint32_t header) {
  const uint32_t mss = head.ctx.mss;
  const bool zero = mss == 0 || head.ctx.tso_len == 0 || header == 0;
  if (zero && refuse(q, number, TclanCause::kTsoZero)) return false;
  if (head.ctx.tso_len == 0 && refuse_pqm(q, number, PqmCause::kLsoLengthZero)) return false;
  if (header == 0 && refuse_pqm(q, number, PqmCause::kHeaderSizeZero)) return false;
  const uint32_t least =
      reg::get_field(glcomm_min_max_pkt::kLsoComsMihdl, core_.regs.peek(reg::kGlcommMinMaxPkt));
  if (mss < least && refuse_pqm(q, number, PqmCause::kMssBelow)) return false;
  if (mss > kMaxMss && refuse_pqm(q, number, PqmCause::kMssAbove)) return false;
  if (!q.tso_ena && refuse(q, number, TclanCause::kLsoIncoherent)) return false;
  return !zero;
}

bool TxEngine::check_tso(TxQueue& q, uint16_t number, const Head& head, uint32_t bytes,
                         uint32_t header) {
  if (!check_tso_numbers(q, number, head, header)) return false;
  if (bytes < header && refuse(q, number, TclanCause::kTsoHeaderShort)) return false;
  if (bytes != header + head.ctx.tso_len && refuse(q, number, TclanCause::kTsoLengthMismatch)) {
    return false;
  }
  if (header + head.ctx.mss > kMaxFrameBytes && refuse(q, number, TclanCause::kPacketLength)) {
    return false;
  }
  if (!check_segments(q, number, head, header)) return false;
  // Whatever checks are off: the engine cannot send what is not there or too long.
  return bytes == header + head.ctx.tso_len && header + head.ctx.mss <= kMaxFrameBytes;
}

// Walks the buffers: headers in at most three, each segment from at most eight.
bool TxEngine::check_segments(TxQueue& q, uint16_t number, const Head& head, uint32_t header) {
  uint32_t header_left = header;
  uint32_t header_descs = 0;
  uint32_t room = head.ctx.mss;
  uint32_t buffers = 0;
  for (uint32_t i = q.head, n = 0; n < head.count; ++n, i = next(q, i)) {
    if (tx_dtype(q.desc[i].qw1) != TxDtype::kData) continue;
    uint32_t size = tx_size_of(q.desc[i].qw1);
    ++buffers;
    if (header_left != 0) {
      ++header_descs;
      const uint32_t take = std::min(size, header_left);
      header_left -= take;
      size -= take;
    }
    if (header_descs > kMaxTsoHeaderDescs && refuse(q, number, TclanCause::kTsoHeaderDescriptors)) {
      return false;
    }
    while (size > 0) {
      const uint32_t take = std::min(size, room);
      size -= take;
      room -= take;
      if (buffers > kMaxTxBuffers && refuse(q, number, TclanCause::kTooManyDataDescriptors)) {
        return false;
      }
      if (room == 0) {
        room = head.ctx.mss;
        buffers = size > 0 ? 1 : 0;
      }
    }
  }
  return true;
}

void TxEngine::start_tso(TxQueue& q, uint16_t number, const Head& head, uint32_t bytes, Picos at) {
  const uint32_t data = next(q, q.head, head.count - head.data);
  const TxOffload offload = offload_of(q.desc[data].qw1, head);
  const uint32_t header = uint32_t{offload.mac_bytes} + offload.ip_bytes +
                          (offload.l4_bytes != 0 ? offload.l4_bytes : 0);
  if (!check_tso(q, number, head, bytes, header)) {
    if (!q.frozen) {
      lose(q);
      skip_frame(q, number, head, at);
    }
    return;
  }
  ++core_.count.tx_tso;
  tso_ = TxTso();
  tso_.active = true;
  tso_.queue = number;
  tso_.header = header;
  tso_.left = head.ctx.tso_len;
  tso_.mss = head.ctx.mss;
  tso_.index = q.head;
  tso_.first = q.head;
  tso_.count = head.count;
  tso_.offload = offload;
  issue_segment(at);
}

// The next `bytes` of the buffers, to `place`.
void TxEngine::read_stream(TxQueue& q, uint32_t bytes, uint32_t place, Picos at) {
  while (bytes > 0) {
    const RawTxDesc& d = q.desc[tso_.index];
    const uint32_t size = tx_dtype(d.qw1) == TxDtype::kData ? tx_size_of(d.qw1) : 0;
    const uint32_t take = std::min(bytes, size - tso_.offset);
    if (take != 0) read_payload(d.address + tso_.offset, take, place, at);
    place += take;
    bytes -= take;
    tso_.offset += take;
    if (tso_.offset == size) {
      tso_.index = next(q, tso_.index);
      tso_.offset = 0;
    }
  }
}

void TxEngine::issue_segment(Picos at) {
  TxQueue& q = queues_[tso_.queue];
  const uint32_t chunk = std::min(tso_.mss, tso_.left);
  TxPacket& packet = new_packet(q, tso_.queue, tso_.header + chunk, at);
  packet.last = true;
  ++in_flight_;
  packet.offloaded = true;
  packet.segment = true;
  packet.extra = extra_base_ + extras_.size();
  TxExtra extra;
  extra.offload = tso_.offload;
  extra.header = tso_.header;
  extra.sequence = tso_.sequence;
  extra.number = tso_.number;
  extra.first = tso_.number == 0;
  extra.last = chunk == tso_.left;
  if (extra.last) {
    packet.first = tso_.first;
    packet.count = tso_.count;
  }
  const uint32_t place = packet.place;
  extras_.push(extra);
  if (extra.first) {
    read_stream(q, tso_.header + chunk, place, at);
  } else {
    read_stream(q, chunk, place + tso_.header, at);
  }
  tso_.left -= chunk;
  tso_.sequence += chunk;
  ++tso_.number;
  if (!extra.last) return;
  tso_.active = false;
  consume(q, tso_.queue, tso_.count, at);
  if (tso_.number > 1) after_packet(q, tso_.queue, at);
}

}  // namespace doorbell::ice
