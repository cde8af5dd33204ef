#include "sim/drivers/ice/ice_adminq.h"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstring>

#include "models/ice/ice_regs.h"

namespace doorbell::drivers::ice {

namespace reg = hw::reg;

namespace {
constexpr base::Picos kPollStep{5000000};  // 5 us
constexpr unsigned kPolls = 200000;        // a second
constexpr uint32_t kWords = hw::kAqDescBytes / 8;
}  // namespace

void AdminQueue::store(hal::DmaAddr at, const hw::IceAqDesc& d) {
  uint8_t raw[hw::kAqDescBytes];
  encode(d, raw);
  for (uint32_t i = 0; i < kWords; ++i) {
    hal_.coherent.write64(at + 8 * i, base::load_le<uint64_t>(raw + 8 * i));
  }
}

hw::IceAqDesc AdminQueue::load(hal::DmaAddr at) {
  uint8_t raw[hw::kAqDescBytes];
  for (uint32_t i = 0; i < kWords; ++i)
    base::store_le(raw + 8 * i, hal_.coherent.read64(at + 8 * i));
  return hw::decode_aq(raw);
}

int AdminQueue::open() {
  assert(!is_open());
  commands_ = hal_.dma.alloc_coherent(kCommands * hw::kAqDescBytes, 4096);
  events_ = hal_.dma.alloc_coherent(kEvents * hw::kAqDescBytes, 4096);
  buffer_ = hal_.dma.alloc_coherent(hw::kAqMaxBufferBytes, 4096);
  event_buffers_ = hal_.dma.alloc_coherent(kEvents * kEventBuffer, 4096);
  int error = -ENOMEM;
  if (commands_ != 0 && events_ != 0 && buffer_ != 0 && event_buffers_ != 0) {
    tail_ = next_event_ = 0;
    for (uint32_t i = 0; i < kEvents; ++i) put_event(i);
    error = program(false) && program(true) ? 0 : -EIO;
    // The last entry stays the driver's.
    if (error == 0) hal_.mmio.write32(reg::kPfFwArqt, kEvents - 1);
  }
  if (error != 0) close();
  return error;
}

// One of the two rings: indices, place, then the length with the bit that switches it on.
bool AdminQueue::program(bool events) {
  const hal::DmaAddr ring = events ? events_ : commands_;
  const auto low = static_cast<uint32_t>(ring);
  hal::Mmio& io = hal_.mmio;
  io.write32(events ? reg::kPfFwArqh : reg::kPfFwAtqh, 0);
  io.write32(events ? reg::kPfFwArqt : reg::kPfFwAtqt, 0);
  io.write32(events ? reg::kPfFwArqbal : reg::kPfFwAtqbal, low);
  io.write32(events ? reg::kPfFwArqbah : reg::kPfFwAtqbah, static_cast<uint32_t>(ring >> 32));
  io.write32(events ? reg::kPfFwArqlen : reg::kPfFwAtqlen,
             (events ? kEvents : kCommands) | hw::fw_qlen::kEnable);
  return io.read32(events ? reg::kPfFwArqbal : reg::kPfFwAtqbal) == low;
}

void AdminQueue::close() {
  if (is_open()) {
    hal_.mmio.write32(reg::kPfFwAtqlen, 0);
    hal_.mmio.write32(reg::kPfFwArqlen, 0);
  }
  for (hal::DmaAddr* block : {&commands_, &events_, &buffer_, &event_buffers_}) {
    if (*block != 0) hal_.dma.free_coherent(*block);
    *block = 0;
  }
}

int AdminQueue::command(hw::IceAqDesc& d, Buffer how, uint8_t* data, uint32_t bytes) {
  assert(bytes <= hw::kAqMaxBufferBytes);
  if (!is_open()) return -EIO;
  d.flags = hw::aq_flag::kSi;
  d.datalen = static_cast<uint16_t>(bytes);
  if (how != Buffer::kNone) {
    d.flags |= hw::aq_flag::kBuf;
    if (bytes > hw::kAqLargeBuffer) d.flags |= hw::aq_flag::kLb;
    if (how != Buffer::kReceive) {
      d.flags |= hw::aq_flag::kRd;
      hal_.coherent.write_bytes(buffer_, {data, bytes});
    }
    d.set_buffer(buffer_);
  }
  const hal::DmaAddr entry = commands_ + uint64_t{tail_} * hw::kAqDescBytes;
  store(entry, d);
  tail_ = tail_ + 1 == kCommands ? 0 : tail_ + 1;
  ++sent_;
  // Orders: buffer and descriptor before the tail (the register write implies it).
  hal_.mmio.write32(reg::kPfFwAtqt, tail_);
  unsigned polls = 0;
  while (hal_.mmio.read32(reg::kPfFwAtqh) != tail_) {
    if (++polls == kPolls) {
      ++timeouts_;
      return -ETIMEDOUT;
    }
    hal_.cpu.delay(kPollStep);
  }
  // The read that found the head has pushed the answer's writes in front of it.
  d = load(entry);
  if ((d.flags & hw::aq_flag::kErr) != 0 || d.retval != 0) {
    ++refused_;
    return -EIO;
  }
  if (how == Buffer::kReceive || how == Buffer::kExchange) {
    const uint32_t filled = std::min<uint32_t>(d.datalen, bytes);
    for (uint32_t at = 0; at < filled; at += 8) {
      uint8_t word[8];
      base::store_le(word, hal_.coherent.read64(buffer_ + at));
      std::memcpy(data + at, word, std::min<uint32_t>(8, filled - at));
    }
  }
  return 0;
}

void AdminQueue::put_event(uint32_t index) {
  hw::IceAqDesc d;
  d.flags = hw::aq_flag::kBuf;
  if (kEventBuffer > hw::kAqLargeBuffer) d.flags |= hw::aq_flag::kLb;
  d.datalen = kEventBuffer;
  d.set_buffer(event_buffers_ + uint64_t{index} * kEventBuffer);
  store(events_ + uint64_t{index} * hw::kAqDescBytes, d);
}

bool AdminQueue::next_event(hw::IceAqDesc& event) {
  if (!is_open() || hal_.mmio.read32(reg::kPfFwArqh) == next_event_) return false;
  event = load(events_ + uint64_t{next_event_} * hw::kAqDescBytes);
  put_event(next_event_);
  // Orders: the fresh entry before the tail (the register write implies it).
  hal_.mmio.write32(reg::kPfFwArqt, next_event_);
  next_event_ = next_event_ + 1 == kEvents ? 0 : next_event_ + 1;
  return true;
}

}  // namespace doorbell::drivers::ice
