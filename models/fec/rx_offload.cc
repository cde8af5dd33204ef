#include "models/fec/rx_offload.h"

#include "models/fec/fec_desc.h"
#include "models/net/checksum.h"
#include "models/net/frame.h"
#include "models/reg/reg_spec.h"

namespace doorbell::fec {

namespace {

bool known_protocol(const net::Layers& layers) {
  return layers.protocol == net::kIpTcp || layers.protocol == net::kIpUdp ||
         layers.protocol == (layers.ipv6 ? net::kIpIcmpv6 : net::kIpIcmp);
}

// True if the L4 checksum can be verified and is wrong.
bool wrong_l4(base::ByteView frame, const net::Layers& layers) {
  if (layers.protocol == net::kIpUdp && layers.l4_bytes >= net::kUdpHeaderBytes &&
      base::load_be16(frame.data + layers.l4_offset + net::kUdpChecksumOffset) == 0) {
    return layers.ipv6;  // no checksum: allowed in IPv4 only
  }
  return net::l4_checksum(frame, layers) != 0;
}

}  // namespace

RxOffload inspect(base::ByteView frame) {
  RxOffload out;
  const net::Layers layers = net::parse_layers(frame);
  if (layers.tagged) {
    out.control |= rx_esc::kVlan | doorbell::reg::put_field(rx_esc::kVpcp, layers.priority());
  }
  if (layers.l3_offset == 0) {
    out.control |= rx_esc::kIce | rx_esc::kPcr;
    return out;
  }
  const uint8_t* ip = frame.data + layers.l3_offset;
  uint32_t header = net::kIpv6HeaderBytes;
  uint32_t total = 0;
  if (layers.ipv6) {
    out.control |= rx_esc::kIpv6;
    total = header + base::load_be16(ip + 4);
  } else {
    header = (ip[0] & 0xFu) * 4;
    total = base::load_be16(ip + net::kIpv4LengthOffset);
    out.bad_ip = net::internet_checksum({ip, header}) != 0;
    if (out.bad_ip) out.control |= rx_esc::kIce;
  }
  const size_t room = frame.size - layers.l3_offset;
  const size_t packet = total < room ? total : room;
  out.ip_end = static_cast<uint32_t>(layers.l3_offset + packet);
  if (layers.fragment) out.control |= rx_esc::kFrag;
  if (!known_protocol(layers) || layers.l4_offset == 0 || layers.fragment) {
    out.control |= rx_esc::kPcr;
  } else if (wrong_l4(frame, layers)) {
    out.bad_protocol = true;
    out.control |= rx_esc::kPcr;
  }
  uint32_t sum = 0;
  if (packet > header) sum = net::internet_checksum({ip + header, packet - header});
  out.protocol = doorbell::reg::put_field(rx_prot::kHeaderWords, header / 4) |
                 doorbell::reg::put_field(rx_prot::kProtocol, layers.protocol) | sum;
  return out;
}

}  // namespace doorbell::fec
