// Payload back in the device: the reorder point, offloads, the line.
#include <algorithm>
#include <cstring>

#include "models/ice/mdd.h"
#include "models/ice/pump.h"
#include "models/ice/stats.h"
#include "models/ice/tx_engine.h"
#include "models/ice/tx_offload.h"

namespace doorbell::ice {

using base::Picos;

void TxEngine::payload_read(const Read& read, Picos done, bool ok) {
  TxPacket& packet = packets_[read.token - packet_base_];
  packet.ready = base::max(packet.ready, done);
  if (!ok) packet.failed = true;
  if (--packet.reads_left == 0) finish_ready();
}

// Frames leave in the order in which their reads were issued.
void TxEngine::finish_ready() {
  while (!packets_.empty() && packets_.front().reads_left == 0) {
    TxPacket& packet = packets_.front();
    finish(packet);
    packets_.pop();
    ++packet_base_;
  }
}

void TxEngine::finish(TxPacket& packet) {
  TxQueue& q = queues_[packet.queue];
  ordered_ = base::max(ordered_, packet.ready);
  const Picos ready = ordered_;
  const bool live = packet.generation == q.generation;
  if (packet.failed && live && core_.mdd->tdpu(packet.queue, TdpuCause::kDataUr)) q.frozen = true;
  Picos reported = ready;
  if (packet.last) {
    --in_flight_;
    if (!live) {
      ++core_.count.tx_disabled;
    } else if (packet.failed || q.frozen) {
      lose(q);
    } else {
      send(packet, q, ready);
      if (core_.config.tx_report_sent) reported = line_free_ - core_.line.time(net::kGapBytes);
    }
  }
  used_ -= packet.departs ? 0 : packet.bytes;
  if (packet.offloaded) {
    extras_.pop();
    ++extra_base_;
  }
  if (live && !q.frozen && packet.count != 0) post_reports(q, packet, reported);
}

bool TxEngine::own_destination(const uint8_t* data) const {
  return core_.config.mdd_own_mac &&
         (base::load_le<uint64_t>(data) & 0xFFFFFFFFFFFFu) == core_.mac_u48;
}

// Offloads and padding. `data` and `bytes` become what goes on the wire. False: refused.
bool TxEngine::prepare(const TxPacket& packet, const uint8_t*& data, uint32_t& bytes) {
  uint8_t* frame = store_.at(packet.place);
  bytes = packet.bytes;
  data = frame;
  if (packet.offloaded) {
    const TxExtra& extra = extras_[packet.extra - extra_base_];
    if (packet.segment) {
      if (extra.first) {
        std::memcpy(header_.data(), frame, extra.header);
      } else {
        std::memcpy(frame, header_.data(), extra.header);
      }
    }
    const OffloadStatus status =
        apply_offload(extra, {frame, bytes}, {scratch_.data(), scratch_.size()}, bytes);
    if (status != OffloadStatus::kOk) {
      const TdpuCause cause =
          status == OffloadStatus::kBadOffset ? TdpuCause::kBadOffset : TdpuCause::kBadCommand;
      return !core_.mdd->tdpu(packet.queue, cause);
    }
    if (bytes != packet.bytes) data = scratch_.data();
  }
  if (bytes < net::kMinFrameBytes) {
    if (data != scratch_.data()) std::memcpy(scratch_.data(), data, bytes);
    std::memset(scratch_.data() + bytes, 0, net::kMinFrameBytes - bytes);
    data = scratch_.data();
    bytes = net::kMinFrameBytes;
  }
  return true;
}

void TxEngine::send(TxPacket& packet, TxQueue& q, Picos ready) {
  const uint8_t* data = nullptr;
  uint32_t bytes = 0;
  if (!prepare(packet, data, bytes) ||
      (own_destination(data) && core_.mdd->tdpu(packet.queue, TdpuCause::kL2Accept))) {
    lose(q);
    q.frozen = true;
    return;
  }
  const Picos start = base::max(ready + core_.config.tx_pipeline_time, line_free_);
  if (!core_.link_up(start)) {
    ++core_.count.tx_link_down;
    core_.stats->count_tx_link_down();
    return;
  }
  const Picos slot = core_.line.slot(bytes);
  line_free_ = start + slot;
  line_busy_ += slot;
  packet.departs = true;
  departures_.push({start + core_.line.time(net::wire_octets(bytes)), packet.bytes});
  ++core_.count.tx_frames;
  core_.count.tx_bytes.add(bytes);
  core_.stats->count_tx(q.vsi, data, bytes);
  if (core_.digest != nullptr) core_.digest->add_frame(start, {data, bytes});
  if (core_.trace != nullptr) {
    core_.trace->span("ice tx", "Moving", packet.issued, ready, core_.count.tx_frames.value);
    core_.trace->span("ice line", "frame", start, line_free_, core_.count.tx_frames.value);
  }
  if (wire_ != nullptr) wire_->transmit(start, {data, bytes}, 0);
}

}  // namespace doorbell::ice
