// The queue's machinery; commands are in admin_commands.cc.
#include "models/ice/admin.h"

#include "models/ice/interrupts.h"
#include "models/ice/reads.h"

namespace doorbell::ice {

using base::Picos;

Admin::Admin(Core& core) : core_(core), buffer_(kAqMaxBufferBytes) {
  event_.bind<&Admin::step>(*this);
}

uint64_t Admin::ring() const {
  return static_cast<uint64_t>(core_.regs.peek(reg::kPfFwAtqbah)) << 32 |
         core_.regs.peek(reg::kPfFwAtqbal);
}

uint32_t Admin::length() const {
  return reg::get_field(fw_qlen::kLen, core_.regs.peek(reg::kPfFwAtqlen));
}

void Admin::tail_written(const reg::WriteEvent&) {
  if (state_ == State::kIdle) next_command();
}

void Admin::length_written(const reg::WriteEvent& event) {
  if (event.rising(fw_qlen::kEnable) != 0) head_ = core_.regs.peek(reg::kPfFwAtqh);
  if (event.falling(fw_qlen::kEnable) != 0) reset();
}

void Admin::event_tail_written(const reg::WriteEvent&) {
  if (link_event_ && !link_told_) post_link_event();
}

void Admin::next_command() {
  const uint32_t tail = core_.regs.peek(reg::kPfFwAtqt);
  if (!enabled() || head_ == tail) return;
  if (tail >= length() || head_ >= length()) {
    core_.regs.set_bits(reg::kPfFwAtqlen, fw_qlen::kCrit);
    return;
  }
  state_ = State::kDescriptor;
  Read read;
  read.kind = ReadKind::kAdmin;
  read.address = ring() + uint64_t{head_} * kAqDescBytes;
  read.into = raw_.data();
  read.bytes = kAqDescBytes;
  read.token = generation_;
  core_.reads->request(core_.now(), read);
}

void Admin::read_done(const Read& read, Picos at, bool ok) {
  if (read.token != generation_) return;  // of a queue that has been reset since
  read_ok_ = ok;
  core_.calendar.schedule(event_, at);
}

// The read is back, or firmware has done its work.
void Admin::step() {
  if (state_ == State::kDescriptor) {
    if (!read_ok_) {
      core_.regs.set_bits(reg::kPfFwAtqlen, fw_qlen::kCrit);
      state_ = State::kIdle;
      return;
    }
    command_ = decode_aq(raw_.data());
    answer_bytes_ = 0;
    const bool buffer = (command_.flags & aq_flag::kBuf) != 0;
    const bool fits = command_.datalen <= kAqMaxBufferBytes;
    if (buffer && fits && (command_.flags & aq_flag::kRd) != 0 && command_.datalen != 0) {
      state_ = State::kBuffer;
      Read read;
      read.kind = ReadKind::kAdmin;
      read.address = command_.buffer();
      read.into = buffer_.data();
      read.bytes = command_.datalen;
      read.token = generation_;
      core_.reads->request(core_.now(), read);
      return;
    }
    state_ = State::kWork;
    core_.calendar.schedule(event_, core_.now() + core_.config.firmware_time);
    return;
  }
  if (state_ == State::kBuffer) {
    state_ = State::kWork;
    core_.calendar.schedule(event_, core_.now() + core_.config.firmware_time);
    return;
  }
  if (state_ != State::kWork) return;
  if (!read_ok_) {
    finish(AqError::kBadAddr);
  } else if (command_.datalen > kAqMaxBufferBytes) {
    finish(AqError::kEinval);
  } else {
    finish(execute());
  }
}

void Admin::finish(AqError error) {
  const Picos now = core_.now();
  const bool buffer = (command_.flags & aq_flag::kBuf) != 0;
  if (error == AqError::kOk && buffer && answer_bytes_ != 0) {
    core_.pcie.write(now, command_.buffer(), {buffer_.data(), answer_bytes_});
    command_.datalen = static_cast<uint16_t>(answer_bytes_);
  }
  command_.flags = static_cast<uint16_t>(command_.flags | aq_flag::kDd | aq_flag::kCmp |
                                         (error == AqError::kOk ? 0 : aq_flag::kErr));
  command_.retval = static_cast<uint16_t>(error);
  encode(command_, raw_.data());
  core_.pcie.write(now, ring() + uint64_t{head_} * kAqDescBytes, {raw_.data(), kAqDescBytes});
  head_ = head_ + 1 == length() ? 0 : head_ + 1;
  core_.regs.poke(reg::kPfFwAtqh, head_);
  ++core_.count.admin_commands;
  if ((command_.flags & aq_flag::kSi) == 0) core_.irq->firmware();
  state_ = State::kIdle;
  if (command_.opcode == aq_op::kGetLinkStatus && link_event_ && !link_told_) post_link_event();
  if (command_.opcode == aq_op::kQueueShutdown && error == AqError::kOk) return;
  next_command();
}

// Link up, as an event.
void Admin::post_link_event() {
  const uint32_t control = core_.regs.peek(reg::kPfFwArqlen);
  if ((control & fw_qlen::kEnable) == 0 || !core_.link_up(core_.now())) return;
  const uint32_t size = reg::get_field(fw_qlen::kLen, control);
  if (size == 0 || event_head_ == core_.regs.peek(reg::kPfFwArqt)) {
    core_.regs.set_bits(reg::kPfFwArqlen, fw_qlen::kOvfl);
    return;
  }
  IceAqDesc d;
  d.opcode = aq_op::kGetLinkStatus;
  d.flags = aq_flag::kDd | aq_flag::kCmp;
  const uint64_t base = static_cast<uint64_t>(core_.regs.peek(reg::kPfFwArqbah)) << 32 |
                        core_.regs.peek(reg::kPfFwArqbal);
  std::array<uint8_t, kAqDescBytes> bytes{};
  encode(d, bytes.data());
  core_.pcie.write(core_.now(), base + uint64_t{event_head_} * kAqDescBytes,
                   {bytes.data(), bytes.size()});
  event_head_ = event_head_ + 1 == size ? 0 : event_head_ + 1;
  core_.regs.poke(reg::kPfFwArqh, event_head_);
  link_told_ = true;
  ++core_.count.admin_events;
  core_.irq->firmware();
}

void Admin::reset() {
  if (event_.pending()) core_.calendar.cancel(event_);
  state_ = State::kIdle;
  ++generation_;
  head_ = 0;
  event_head_ = 0;
  link_event_ = false;
  link_told_ = false;
}

}  // namespace doorbell::ice
