#include "models/fec/tx_mac.h"

#include <algorithm>
#include <cstring>

#include "models/fec/interrupts.h"
#include "models/fec/ptp_timer.h"
#include "models/fec/tx_dma.h"
#include "models/fec/tx_offload.h"
#include "models/net/checksum.h"

namespace doorbell::fec {

using base::Picos;

TxMac::TxMac(Core& core, TxFifo& fifo) : core_(core), fifo_(fifo) {
  step_.bind<&TxMac::on_step>(*this);
}

void TxMac::reload() {
  const uint32_t tfwr = core_.value(reg::kTfwr);
  const uint32_t blocks = std::max(1u, tfwr & tfwr::kTfwr);
  threshold_ = (tfwr & tfwr::kStrFwd) != 0 ? 0 : std::min(blocks * 64, 4032u);
  almost_empty_ = (core_.value(reg::kTaem) & fifo::kLevel) * kFifoWordBytes;
  gap_ = octets(std::clamp(core_.value(reg::kTipg) & fifo::kIpg, 8u, 26u));
}

void TxMac::stop() {
  core_.calendar.cancel(step_);
  state_ = State::kIdle;
  pause_wanted_ = gra_due_ = false;
  paused_until_ = Picos(0);
}

void TxMac::control_written(const reg::WriteEvent& event) {
  stopped_ = (event.after & tcr::kGts) != 0;
  gra_due_ = event.rising(tcr::kGts) != 0 && state_ != State::kIdle;
  if (event.rising(tcr::kGts) != 0 && !gra_due_) core_.irq->raise(eir::kGra);
  if (event.rising(tcr::kTfcPause) != 0) {
    request_pause(static_cast<uint16_t>(core_.value(reg::kOpd) & opd::kPauseDur));
  }
  try_start();
}

uint32_t TxMac::read_control(uint32_t, uint32_t stored) {
  return core_.now() < paused_until_ ? stored | tcr::kRfcPause : stored & ~tcr::kRfcPause;
}

void TxMac::request_pause(uint16_t quanta) {
  pause_wanted_ = true;
  pause_quanta_ = quanta;
  try_start();
}

void TxMac::obey_pause(uint16_t quanta) {
  paused_until_ = core_.now() + octets(uint64_t{quanta} * (net::kPauseQuantumBits / 8));
  try_start();
}

void TxMac::progress() {
  if (state_ == State::kIdle) {
    try_start();
  } else if (state_ == State::kSendingPart) {
    continue_part();
  }
}

// When the frame may start as far as its data is concerned; false if that is not known yet.
bool TxMac::may_start(TxFrame& frame, Picos& at) const {
  if (frame.sent) return false;  // underrun: the rest is still being thrown away
  if (frame.complete) {
    at = frame.ready + core_.tx_mac_time;
    return true;
  }
  if (threshold_ == 0 || frame.here < threshold_) return false;
  frame.part_ready = base::min(frame.part_ready, core_.now());
  at = frame.part_ready + core_.tx_mac_time;
  return true;
}

// Idle: starts what may start now, or schedules the start.
void TxMac::try_start() {
  if (state_ != State::kIdle || !core_.enabled()) return;
  const Picos now = core_.now();
  if (pause_wanted_) {
    if (line_free_ <= now) {
      send_pause(now);
    } else {
      core_.calendar.schedule(step_, line_free_);
    }
    return;
  }
  Picos at;
  if (stopped_ || fifo_.frames().empty() || !may_start(fifo_.frames().front(), at)) {
    core_.calendar.cancel(step_);
    return;
  }
  at = base::max(base::max(at, line_free_), paused_until_);
  if (at > now) {
    if (!step_.pending() || step_.time() != at) core_.calendar.schedule(step_, at);
    return;
  }
  if (fifo_.frames().front().complete) {
    send_frame(now);
  } else {
    begin_part(now);
  }
}

void TxMac::on_step() {
  switch (state_) {
    case State::kIdle:
      try_start();
      return;
    case State::kSendingPart:
      underrun();
      return;
    case State::kSending:
      finish_frame();
      if (!core_.enabled()) return;
      break;
    case State::kSendingPause:
      break;
  }
  state_ = State::kIdle;
  if (gra_due_) core_.irq->raise(eir::kGra);
  gra_due_ = false;
  // Back to back: commit to the next frame already now, with its start one gap away.
  if (!pause_wanted_ && !stopped_ && !fifo_.frames().empty()) {
    const TxFrame& next = fifo_.frames().front();
    if (next.complete && !next.sent && next.ready + core_.tx_mac_time <= line_free_ &&
        paused_until_ <= line_free_) {
      send_frame(line_free_);
      return;
    }
  }
  try_start();
}

void TxMac::hand_over(Picos start, base::ByteView bytes, uint8_t flaws) {
  if ((core_.value(reg::kRcr) & rcr::kLoop) != 0) {
    loop_->transmit(start, bytes, flaws);
  } else if (wire_ != nullptr) {
    wire_->transmit(start, bytes, flaws);
  }
  if (core_.digest != nullptr) core_.digest->add_frame(start, bytes);
}

void TxMac::send_pause(Picos start) {
  pause_wanted_ = false;
  core_.regs.clear_bits(reg::kTcr, tcr::kTfcPause);
  net::make_pause_frame(core_.own_address(), pause_quanta_, scratch_.data());
  ++core_.count.tx_pause;
  core_.mib.count(mib::kIeeeTFdxFc);
  count_frame(net::kMinFrameBytes, scratch_.data(), 0);
  hand_over(start, {scratch_.data(), net::kMinFrameBytes}, 0);
  const Picos end = start + octets(net::wire_octets(net::kMinFrameBytes));
  line_free_ = end + gap_;
  line_busy_ += line_free_ - start;
  state_ = State::kSendingPause;
  core_.calendar.schedule(step_, end);
}

// Everything between FIFO and line: shift, address, padding, checksums, FCS. Returns the length
// without FCS; the octets are at frame.offset.
uint32_t TxMac::prepare(TxFrame& frame, uint8_t& flaws) {
  uint8_t* data = fifo_.data().at(frame.offset);
  uint32_t bytes = frame.bytes;
  const uint32_t tacc_value = core_.value(reg::kTacc);
  const uint32_t tcr_value = core_.value(reg::kTcr);
  if ((tacc_value & tacc::kShift16) != 0 && bytes > kShift16Bytes) {
    bytes -= kShift16Bytes;
    std::memmove(data, data + kShift16Bytes, bytes);
  }
  const bool own_fcs = (frame.last.status & tx_sc::kTc) == 0 || (tcr_value & tcr::kCrcFwd) != 0;
  if (own_fcs && bytes > net::kFcsBytes + net::kEtherHeaderBytes) {
    if (!net::fcs_good({data, bytes})) {
      flaws |= net::kBadFcs;
      ++core_.count.tx_bad_fcs;
    }
    bytes -= net::kFcsBytes;
  }
  if ((tcr_value & tcr::kAddIns) != 0 && bytes >= 2 * net::kMacBytes) {
    const net::MacAddress own = core_.own_address();
    std::memcpy(data + net::kMacBytes, own.octets.data(), net::kMacBytes);
  }
  const bool ip = (frame.control & tx_esc::kIins) != 0 || (tacc_value & tacc::kIpChk) != 0;
  const bool l4 = (frame.control & tx_esc::kPins) != 0 || (tacc_value & tacc::kProChk) != 0;
  if ((ip || l4) && threshold_ == 0) insert_checksums({data, bytes}, ip, l4);
  if (bytes < net::kMinFrameBytes) {
    std::memset(data + bytes, 0, net::kMinFrameBytes - bytes);
    bytes = net::kMinFrameBytes;
  }
  return bytes;
}

void TxMac::count_frame(uint32_t bytes, const uint8_t* data, uint8_t flaws) {
  Mib& mib = core_.mib;
  if (!mib.running()) return;
  const uint32_t with_fcs = bytes + net::kFcsBytes;
  mib.count(mib::kRmonTPackets);
  mib.octets(mib::kRmonTOctets, with_fcs);
  mib.count(Mib::size_bin(mib::kRmonTP64, with_fcs));
  if ((data[0] & 1) != 0) {
    const bool broadcast = net::MacAddress::from(data).is_broadcast();
    mib.count(broadcast ? mib::kRmonTBcPkt : mib::kRmonTMcPkt);
  }
  const uint32_t max_fl = reg::get_field(rcr::kMaxFl, core_.value(reg::kRcr));
  if (with_fcs > max_fl) mib.count(flaws != 0 ? mib::kRmonTJab : mib::kRmonTOversize);
  if (flaws != 0) {
    mib.count(mib::kRmonTCrcAlign);
    if (with_fcs < net::kMinFrameWithFcs) mib.count(mib::kRmonTFrag);
  } else {
    mib.count(mib::kIeeeTFrameOk);
    mib.octets(mib::kIeeeTOctetsOk, with_fcs);
  }
}

// The front frame, complete, goes on the line at `start`.
void TxMac::send_frame(Picos start) {
  TxFrame& frame = fifo_.frames().front();
  uint8_t flaws = 0;
  const uint32_t bytes = prepare(frame, flaws);
  const uint8_t* data = fifo_.data().at(frame.offset);
  const uint32_t max_fl = reg::get_field(rcr::kMaxFl, core_.value(reg::kRcr));
  if (bytes + net::kFcsBytes > max_fl) core_.irq->raise(eir::kBabt);
  if (core_.speed_matches() || (core_.value(reg::kRcr) & rcr::kLoop) != 0) {
    count_frame(bytes, data, flaws);
    ++core_.count.tx_frames;
    core_.count.tx_bytes.add(bytes + net::kFcsBytes);
    hand_over(start, {data, bytes}, flaws);
  } else {
    ++core_.count.tx_speed_mismatch;
  }
  frame.sent = true;
  start_ = start;
  const Picos end = start + octets(net::wire_octets(bytes));
  line_free_ = end + gap_;
  line_busy_ += line_free_ - start;
  state_ = State::kSending;
  core_.calendar.schedule(step_, end);
}

// The front frame has left the line: write-back, and the FIFO space is free.
void TxMac::finish_frame() {
  TxFrame& frame = fifo_.frames().front();
  const Picos sfd = start_ + octets(net::kPreambleBytes);
  uint32_t stamp = 0;
  if ((frame.control & tx_esc::kTs) != 0) {
    stamp = core_.ptp->value_at(sfd);
    core_.regs.poke(reg::kAtstmp, stamp);
    core_.irq->raise(eir::kTsAvail);
  }
  core_.tx_dma->frame_sent(frame, stamp);
}

// Cut-through: the first octets go out while the rest is being fetched.
void TxMac::begin_part(Picos start) {
  state_ = State::kSendingPart;
  start_ = start;
  continue_part();
}

void TxMac::continue_part() {
  TxFrame& frame = fifo_.frames().front();
  const uint32_t spare = frame.here > almost_empty_ ? frame.here - almost_empty_ : 0;
  const Picos dry = start_ + octets(net::kPreambleBytes + spare);
  if (frame.complete && frame.ready <= dry) {
    send_frame(start_);
  } else {
    core_.calendar.schedule(step_, dry);
  }
}

void TxMac::underrun() {
  TxFrame& frame = fifo_.frames().front();
  if (frame.complete && frame.ready <= core_.now()) {
    send_frame(start_);
    return;
  }
  const uint8_t* data = fifo_.data().at(frame.offset);
  const uint32_t bytes = std::max(frame.here, 1u);
  const uint8_t flaws = net::kBadFcs | net::kTxError;
  ++core_.count.tx_underrun;
  core_.mib.count(mib::kIeeeTMacErr);
  count_frame(bytes, data, flaws);
  hand_over(start_, {data, bytes}, flaws);
  frame.errors |= tx_esc::kUnderflow | tx_esc::kTxError;
  frame.discard = true;
  frame.sent = true;
  line_free_ = core_.now() + octets(net::kFcsBytes) + gap_;
  line_busy_ += line_free_ - start_;
  state_ = State::kIdle;
  core_.irq->raise(gra_due_ ? eir::kUn | eir::kGra : eir::kUn);
  gra_due_ = false;
  if (frame.complete) {
    core_.tx_dma->frame_sent(frame, 0);
    if (core_.enabled()) try_start();
  }
}

}  // namespace doorbell::fec
