#include "models/fec/tx_offload.h"

#include "models/net/checksum.h"
#include "models/net/frame.h"

namespace doorbell::fec {

namespace {

void insert_l4(base::MutByteView frame, const net::Layers& layers) {
  size_t field = 0;
  switch (layers.protocol) {
    case net::kIpTcp:
      field = net::kTcpChecksumOffset;
      break;
    case net::kIpUdp:
      field = net::kUdpChecksumOffset;
      break;
    case net::kIpIcmp:
    case net::kIpIcmpv6:
      if ((layers.protocol == net::kIpIcmpv6) != layers.ipv6) return;
      field = 2;
      break;
    default:
      return;
  }
  if (layers.l4_bytes < field + 2) return;
  uint16_t sum = net::l4_checksum(frame, layers);
  if (layers.protocol == net::kIpUdp) sum = net::udp_checksum_field(sum);
  base::store_be16(frame.data + layers.l4_offset + field, sum);
}

}  // namespace

void insert_checksums(base::MutByteView frame, bool ip, bool protocol) {
  const net::Layers layers = net::parse_layers(frame);
  if (layers.l3_offset == 0) return;
  if (protocol && layers.l4_offset != 0 && !layers.fragment) insert_l4(frame, layers);
  if (ip && !layers.ipv6) {
    uint8_t* header = frame.data + layers.l3_offset;
    const uint32_t bytes = (header[0] & 0xFu) * 4;
    base::store_be16(header + net::kIpv4ChecksumOffset, net::internet_checksum({header, bytes}));
  }
}

}  // namespace doorbell::fec
