#include "models/fec/rx_mac.h"

#include <algorithm>
#include <cstring>

#include "models/fec/interrupts.h"
#include "models/fec/ptp_timer.h"
#include "models/fec/rx_dma.h"
#include "models/fec/tx_mac.h"
#include "models/net/checksum.h"

namespace doorbell::fec {

using base::Picos;

namespace {
constexpr uint32_t words_for(uint32_t bytes) {
  return (bytes + kFifoWordBytes - 1) / kFifoWordBytes;
}
}  // namespace

void RxMac::reload() {
  const bool loop = rules_.loop;
  rules_.load(core_);
  eager_ = rules_.fce || rules_.magic || rules_.rsem != 0 || rules_.rsem_frames != 0 ||
           rules_.cut_through != 0 || eimr_wants_;
  if (rules_.loop != loop) {
    receiving_ = false;
    look_again();
  }
}

void RxMac::set_mask(uint32_t eimr) {
  eimr_wants_ = (eimr & (eir::kBabr | eir::kPlr | eir::kWakeup)) != 0;
  reload();
}

void RxMac::stop() {
  if (receiving_) abandoned_ = true;
  xoff_ = false;
}

// When the MAC has seen enough to hand the frame on: its end, or the cut-through level.
Picos RxMac::judged(const net::Arrival& a) const {
  uint64_t bytes = a.bytes.size + net::kFcsBytes;
  if (rules_.cut_through != 0) bytes = std::min<uint64_t>(bytes, rules_.cut_through);
  return first_octet(a) + octets(bytes);
}

void RxMac::work(Picos t) {
  net::WireIn* wire = source();
  for (;;) {
    const net::Arrival* a = wire == nullptr ? nullptr : wire->peek();
    if (a == nullptr) {
      next_look_ = base::kNever;
      return;
    }
    if (!receiving_) {
      next_look_ = first_octet(*a);
      if (next_look_ > t) return;
      begin(*a);
    }
    next_look_ = judged(*a);
    if (next_look_ > t) return;
    receiving_ = false;
    finish(*a);
    wire->pop();
  }
}

Picos RxMac::next_visible() {
  net::WireIn* wire = source();
  const net::Arrival* a = wire == nullptr ? nullptr : wire->peek();
  return a == nullptr ? base::kNever : judged(*a) + core_.rx_mac_time;
}

Picos RxMac::next_effect() {
  if (!eager_) return base::kNever;
  net::WireIn* wire = source();
  const net::Arrival* a = wire == nullptr ? nullptr : wire->peek();
  if (a == nullptr) return base::kNever;
  Picos at = judged(*a);
  if (rules_.rsem != 0 && !xoff_ && receiving_ && !lost_) {
    // The frame on its way may lift the level to RSEM before it ends.
    const uint32_t level = fifo_.used();
    const uint32_t words = words_for(static_cast<uint32_t>(a->bytes.size) + net::kFcsBytes);
    if (level < rules_.rsem && level + words >= rules_.rsem) {
      at = base::min(at, first_octet(*a) + octets(uint64_t{rules_.rsem - level} * kFifoWordBytes));
    }
  } else if (rules_.rsem != 0 && !receiving_) {
    at = base::min(at, first_octet(*a));
  }
  return at;
}

uint32_t RxMac::level(Picos now) {
  fifo_.release(now);
  uint32_t words = fifo_.used();
  if (receiving_ && !lost_) {
    const net::Arrival* a = source()->peek();
    const auto in = static_cast<uint64_t>((now - first_octet(*a)) / octets(kFifoWordBytes));
    words += static_cast<uint32_t>(std::min<uint64_t>(in, room_));
  }
  return words;
}

void RxMac::check_pause(Picos now) {
  if (rules_.rsem == 0 && rules_.rsem_frames == 0) return;
  const bool full = (rules_.rsem != 0 && level(now) >= rules_.rsem) ||
                    (rules_.rsem_frames != 0 && fifo_.frames().size() >= rules_.rsem_frames);
  if (full == xoff_) return;
  xoff_ = full;
  const auto quanta = static_cast<uint16_t>(core_.value(reg::kOpd) & opd::kPauseDur);
  core_.tx_mac->request_pause(full ? quanta : uint16_t{0});
}

// The first octet is in: is there room to begin?
void RxMac::begin(const net::Arrival& a) {
  receiving_ = true;
  abandoned_ = false;
  const Picos at = first_octet(a);
  fifo_.release(at);
  const uint32_t free = fifo_.capacity() - fifo_.used();
  room_ = free > rules_.rafl ? free - rules_.rafl : 0;
  lost_ = room_ < core_.config.rx_start_words;
}

// Whether `words` fit, given that the DMA may free some while they arrive. If not, room_ is what
// does fit.
bool RxMac::has_room(uint32_t words, const net::Arrival& a) {
  const Picos freed = fifo_.release_time();
  if (words > room_ && freed <= judged(a)) {
    const Picos in_by_then = freed - first_octet(a);
    const bool cut = in_by_then / octets(kFifoWordBytes) > static_cast<int64_t>(room_);
    if (!cut) room_ += fifo_.release_words();
  }
  fifo_.release(judged(a));
  return words <= room_;
}

void RxMac::count_rmon(const net::Arrival& a) {
  Mib& mib = core_.mib;
  if (!mib.running()) return;
  const auto bytes = static_cast<uint32_t>(a.bytes.size) + net::kFcsBytes;
  mib.count(mib::kRmonRPackets);
  mib.octets(mib::kRmonROctets, bytes);
  mib.count(Mib::size_bin(mib::kRmonRP64, bytes));
  if ((a.bytes[0] & 1) != 0) {
    const bool broadcast = net::MacAddress::from(a.bytes.data).is_broadcast();
    mib.count(broadcast ? mib::kRmonRBcPkt : mib::kRmonRMcPkt);
  }
  const bool bad = a.flaws != 0;
  if (bytes < net::kMinFrameWithFcs) mib.count(bad ? mib::kRmonRFrag : mib::kRmonRUndersize);
  if (bytes > rules_.max_fl) mib.count(bad ? mib::kRmonRJab : mib::kRmonROversize);
  if (bad) mib.count(mib::kRmonRCrcAlign);
}

// The frame has been seen to its end (or to the cut-through level): where does it go?
void RxMac::finish(const net::Arrival& a) {
  Counters& count = core_.count;
  if (abandoned_) {
    ++count.rx_reset;
    return;
  }
  if (!rules_.enabled) {
    ++count.rx_disabled;
    return;
  }
  if (!rules_.speed_ok) {
    ++count.rx_speed_mismatch;
    return;
  }
  if (rules_.magic && magic_packet(a.bytes)) core_.irq->raise(eir::kWakeup);
  if (rules_.asleep) {
    ++count.rx_asleep;
    return;
  }
  count_rmon(a);
  if (a.bytes.size < net::kMinFrameBytes) {
    ++count.rx_runt;
    return;
  }
  if (base::load_be16(a.bytes.data + net::kEtherTypeOffset) == net::kEtherTypeMacControl &&
      control_frame(a)) {
    return;
  }
  const Address address = rules_.filter(a.bytes);
  if (!address.accepted) {
    ++count.rx_filtered;
  } else if (lost_) {
    overflow(a);
  } else {
    store(a, address);
  }
}

// True if the MAC keeps the frame to itself.
bool RxMac::control_frame(const net::Arrival& a) {
  const auto quanta = net::pause_quanta(a.bytes);
  if (!quanta) {
    if (!rules_.cfen) return false;
    ++core_.count.rx_control_eaten;
    return true;
  }
  const net::MacAddress to = net::MacAddress::from(a.bytes.data);
  if ((to != net::kPauseDestination && to.as_u48() != rules_.own) || a.flaws != 0) return false;
  ++core_.count.rx_pause;
  core_.mib.count(mib::kIeeeRFdxFc);
  if (rules_.fce) core_.tx_mac->obey_pause(*quanta);
  if (rules_.paufwd) return false;
  ++core_.count.rx_pause_eaten;
  return true;
}

void RxMac::overflow(const net::Arrival& a) {
  core_.mib.count(mib::kIeeeRMacErr);
  const bool ring = core_.rx_dma->starved();
  probe::Counter& counter = ring ? core_.count.rx_ring_full : core_.count.rx_fifo_overflow;
  ++counter;
  last_overflow_ = counter.name.c_str();
  if (core_.trace != nullptr) core_.trace->instant("fec rx drop", last_overflow_, judged(a), a.id);
}

// Error bits that do not depend on the FIFO.
void RxMac::judge(const net::Arrival& a, const Address& address, RxFrame& frame) {
  const auto bytes = static_cast<uint32_t>(a.bytes.size) + net::kFcsBytes;
  const RxRules::Tag tag = rules_.find_tag(a.bytes);
  frame.ring = tag.present ? rules_.ring_of_priority[tag.priority] : 0;
  if (address.miss) frame.status |= rx_sc::kMiss;
  if (address.broadcast) frame.status |= rx_sc::kBroadcast;
  if (address.multicast) frame.status |= rx_sc::kMulticast;
  if (!address.broadcast && !address.multicast) frame.control |= rx_esc::kUnicast;
  if (a.flaws != 0) {
    frame.status |= rx_sc::kCrc;
    if ((a.flaws & net::kAlignment) != 0) frame.status |= rx_sc::kNonOctet;
    if ((a.flaws & net::kTxError) != 0) frame.control |= rx_esc::kPhyError;
    ++core_.count.rx_crc_errors;
    core_.mib.count((a.flaws & net::kAlignment) != 0 ? mib::kIeeeRAlign : mib::kIeeeRCrc);
  }
  if (bytes > rules_.max_fl) {
    frame.status |= rx_sc::kLong;
    ++core_.count.rx_too_long;
    core_.irq->raise(eir::kBabr);
  }
  bool length_error = false;
  if (rules_.nlc) {
    const uint32_t declared = base::load_be16(a.bytes.data + tag.type_offset);
    const auto payload = static_cast<uint32_t>(a.bytes.size) - tag.type_offset - 2;
    // A short frame is padded to the minimum, so only there may there be more than declared.
    const bool padded = a.bytes.size == net::kMinFrameBytes && declared < payload;
    length_error = declared < 0x600 && declared != payload && !padded;
    if (length_error) core_.irq->raise(eir::kPlr);
  }
  frame.bad = (frame.status & rx_sc::kErrors) != 0 || length_error;
}

// False if the accelerator discards the frame. May shorten it to the end of its IP packet.
bool RxMac::offload(const net::Arrival& a, RxFrame& frame, uint32_t& bytes) {
  const bool may_discard = rules_.cut_through == 0;
  if (frame.bad && rules_.linedis && may_discard) {
    ++core_.count.rx_bad_line;
    return false;
  }
  if (!rules_.enhanced && !rules_.ipdis && !rules_.prodis && !rules_.padrem) return true;
  const RxOffload found = inspect(a.bytes);
  frame.control |= found.control;
  frame.protocol = found.protocol;
  if (may_discard && rules_.ipdis && found.bad_ip) {
    ++core_.count.rx_bad_ip_checksum;
    return false;
  }
  if (may_discard && rules_.prodis && found.bad_protocol) {
    ++core_.count.rx_bad_protocol_checksum;
    return false;
  }
  if (rules_.padrem && found.ip_end != 0) bytes = std::min(bytes, found.ip_end);
  return true;
}

void RxMac::store(const net::Arrival& a, const Address& address) {
  RxFrame frame;
  judge(a, address, frame);
  const bool good = !frame.bad;
  auto bytes = static_cast<uint32_t>(a.bytes.size);
  if (!offload(a, frame, bytes)) return;
  uint8_t* out = fifo_.data().reserve();
  const uint32_t shift = rules_.shift16 ? kShift16Bytes : 0;
  if (shift != 0) std::memset(out, 0, shift);
  if (rules_.paden) {
    const uint32_t declared = base::load_be16(a.bytes.data + net::kEtherTypeOffset);
    if (declared < 46) bytes = std::min(bytes, 14 + declared);
  }
  std::memcpy(out + shift, a.bytes.data, bytes);
  uint32_t stored = shift + bytes;
  if (!rules_.crcfwd && !rules_.paden) {
    const uint32_t fcs = net::fcs(a.bytes);
    net::store_fcs(out + stored, a.flaws != 0 ? ~fcs : fcs);
    stored += net::kFcsBytes;
  }
  const uint32_t limit = rules_.ftrl + (core_.config.ftrl_counts_shift ? 0 : shift);
  if (stored > limit) {
    stored = limit;
    frame.status |= rx_sc::kTruncated | rx_sc::kCrc;
    frame.bad = true;
  }
  frame.words = std::max(1u, words_for(stored));
  if (!has_room(frame.words, a)) {
    frame.words = room_;
    stored = std::min(stored, room_ * kFifoWordBytes);
    frame.status = static_cast<uint16_t>((frame.status & (rx_sc::kBroadcast | rx_sc::kMulticast)) |
                                         rx_sc::kOverrun);
    frame.bad = true;
    ++core_.count.rx_truncated;
    core_.mib.count(mib::kIeeeRMacErr);
  } else if (good) {
    core_.mib.count(mib::kIeeeRFrameOk);
    core_.mib.octets(mib::kIeeeROctetsOk, static_cast<uint32_t>(a.bytes.size) + net::kFcsBytes);
  }
  if (frame.bad) frame.control |= rx_esc::kMacError;
  frame.bytes = stored;
  frame.offset = fifo_.data().commit(stored);
  frame.first = first_octet(a);
  frame.complete = frame.first + octets(a.bytes.size + net::kFcsBytes) + core_.rx_mac_time;
  frame.visible = judged(a) + core_.rx_mac_time;
  frame.id = a.id;
  if (rules_.enhanced) frame.timestamp = core_.ptp->value_at(first_octet(a));
  fifo_.take(frame.words);
  fifo_.frames().push() = frame;
}

// Six octets of 0xFF and then the own address 16 times, anywhere in the frame.
bool RxMac::magic_packet(base::ByteView bytes) const {
  constexpr size_t kLength = 6 + 16 * 6;
  for (size_t at = 0; at + kLength <= bytes.size; ++at) {
    const uint8_t* p = bytes.data + at;
    size_t n = 0;
    while (n < 6 && p[n] == 0xFF) ++n;
    if (n < 6) continue;
    unsigned copies = 0;
    while (copies < 16 && net::MacAddress::from(p + 6 + 6 * copies).as_u48() == rules_.own) {
      ++copies;
    }
    if (copies == 16) return true;
  }
  return false;
}

}  // namespace doorbell::fec
