#include "models/ice/rss.h"

#include <algorithm>

namespace doorbell::ice {
namespace {
constexpr uint8_t kIpSctp = 132;
}

Rss::Rss() : toeplitz_(net::RssKey{}), lut_(kRssLutPf, 0) {}

void Rss::set_key(const uint8_t* key) {
  std::copy_n(key, kRssKeyBytes, key_.begin());
  net::RssKey standard;
  std::copy_n(key, kRssStandardKeyBytes, standard.begin());
  toeplitz_ = net::ToeplitzHash(standard);
}

void Rss::set_lut(const uint8_t* lut, unsigned entries) {
  lut_.assign(lut, lut + entries);
}

void Rss::reset() {
  key_ = {};
  toeplitz_ = net::ToeplitzHash(net::RssKey{});
  lut_.assign(kRssLutPf, 0);
}

uint16_t packet_type(const net::Layers& layers) {
  if (layers.l3_offset == 0) {
    return layers.ether_type == net::kEtherTypeArp ? rx_ptype::kL2Arp : rx_ptype::kL2;
  }
  // IPv6 numbers lie a constant distance behind those of IPv4.
  constexpr uint16_t kV6 = rx_ptype::kIpv6 - rx_ptype::kIpv4;
  const uint16_t base = layers.ipv6 ? kV6 : 0;
  if (layers.fragment) return static_cast<uint16_t>(rx_ptype::kIpv4Frag + base);
  if (layers.l4_offset != 0) {
    switch (layers.protocol) {
      case net::kIpUdp:
        return static_cast<uint16_t>(rx_ptype::kIpv4Udp + base);
      case net::kIpTcp:
        return static_cast<uint16_t>(rx_ptype::kIpv4Tcp + base);
      case kIpSctp:
        return static_cast<uint16_t>(rx_ptype::kIpv4Sctp + base);
      case net::kIpIcmp:
      case net::kIpIcmpv6:
        return static_cast<uint16_t>(rx_ptype::kIpv4Icmp + base);
      default:
        break;
    }
  }
  return static_cast<uint16_t>(rx_ptype::kIpv4 + base);
}

}  // namespace doorbell::ice
