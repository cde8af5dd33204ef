#include "sim/stack/xdp.h"

#include <algorithm>

#include "models/base/bytes.h"
#include "models/net/frame.h"

namespace doorbell::stack {

namespace {

constexpr uint8_t kNotIp = 255;
constexpr unsigned kMaxTags = 2;

// Protocol of the IP packet behind up to two VLAN tags; kNotIp for anything else or a short packet.
uint8_t parse_protocol(const XdpBuff& buff, hal::Dma& dma) {
  const uint8_t* p = buff.data + net::kEtherTypeOffset;
  const uint8_t* end = buff.data_end;
  uint16_t type = base::load_be16(p);
  p += 2;
  for (unsigned tag = 0; tag < kMaxTags; ++tag) {
    if (type != net::kEtherTypeVlan && type != net::kEtherTypeQinQ) break;
    if (p + net::kVlanTagBytes > end) return kNotIp;
    dma.touch(p, net::kVlanTagBytes, hal::Touch::kRead);
    type = base::load_be16(p + 2);
    p += net::kVlanTagBytes;
  }
  const bool v4 = type == net::kEtherTypeIpv4;
  if (!v4 && type != net::kEtherTypeIpv6) return kNotIp;
  const size_t header = v4 ? net::kIpv4HeaderBytes : net::kIpv6HeaderBytes;
  if (p + header > end) return kNotIp;
  const uint8_t* field = p + (v4 ? net::kIpv4ProtocolOffset : 6);
  dma.touch(field, 1, hal::Touch::kRead);
  return *field;
}

void swap_macs(const XdpBuff& buff, hal::Dma& dma) {
  dma.touch(buff.data, 2 * net::kMacBytes, hal::Touch::kWrite);
  std::swap_ranges(buff.data, buff.data + net::kMacBytes, buff.data + net::kMacBytes);
}

}  // namespace

uint64_t ProtocolCounts::total(uint8_t protocol) const {
  uint64_t sum = 0;
  for (const auto& cpu : counts_) sum += cpu[protocol];
  return sum;
}

Verdict XdpFixedProgram::run(XdpBuff&, XdpContext& context) {
  context.hal.cpu.charge(hal::Op::kXdpProgram);
  return verdict_;
}

Verdict XdpTxProgram::run(XdpBuff& buff, XdpContext& context) {
  context.hal.cpu.charge(hal::Op::kXdpProgram);
  if (buff.length() < net::kEtherHeaderBytes) return Verdict::kDrop;
  context.hal.dma.touch(buff.data, net::kEtherHeaderBytes, hal::Touch::kRead);
  const uint8_t protocol = parse_protocol(buff, context.hal.dma);
  counts_.count(context.hal.cpu.id(), protocol);
  if (udp_only_ && protocol != net::kIpUdp) return Verdict::kDrop;
  swap_macs(buff, context.hal.dma);
  return Verdict::kTx;
}

Verdict XdpRedirectProgram::run(XdpBuff& buff, XdpContext& context) {
  context.hal.cpu.charge(hal::Op::kXdpProgram);
  if (buff.length() < net::kEtherHeaderBytes) return Verdict::kDrop;
  context.hal.dma.touch(buff.data, net::kEtherHeaderBytes, hal::Touch::kRead);
  swap_macs(buff, context.hal.dma);
  return redirect_to(context, ifindex_);
}

XdpFrame* convert_to_frame(hal::Hal& hal, XdpBuff& buff) {
  hal.cpu.charge(hal::Op::kXdpConvert);
  if (buff.xsk != nullptr) return buff.xsk->to_frame(buff);
  const auto room = static_cast<uint32_t>(buff.data - buff.data_hard_start);
  if (room < kXdpFrameBytes) return nullptr;
  XdpFrame& frame = buff.page->frame;
  touch_frame(hal.dma, *buff.page, hal::Touch::kWrite);
  frame.data = buff.data;
  frame.len = buff.length();
  frame.headroom = room - kXdpFrameBytes;
  frame.page = buff.page;
  frame.rx_device = buff.rxq != nullptr ? buff.rxq->device : nullptr;
  return &frame;
}

void return_frame(hal::Hal& hal, XdpFrame& frame) {
  hal.cpu.charge(hal::Op::kXdpReturn);
  touch_frame(hal.dma, *frame.page, hal::Touch::kRead);
  if (frame.page->pool == nullptr) {
    hal.dma.free_page(frame.page->data);
    return;
  }
  frame.page->pool->put_full(*frame.page);
}

void return_buff(hal::Hal& hal, XdpBuff& buff) {
  if (buff.xsk != nullptr) {
    buff.xsk->free(buff);
  } else if (buff.page->pool != nullptr) {
    buff.page->pool->put_full(*buff.page);
  } else {
    hal.dma.free_page(buff.page->data);
  }
}

}  // namespace doorbell::stack
