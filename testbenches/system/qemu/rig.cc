#include "testbenches/system/qemu/rig.h"

#include <algorithm>
#include <cstdio>

#include "models/base/random.h"
#include "models/net/checksum.h"

namespace doorbell::qemu {

namespace {

namespace reg = fec::reg;

std::string hex(uint32_t v, int digits = 8) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%0*x", digits, v);
  return text;
}

std::string hex_dump(const Bytes& bytes) {
  std::string text;
  char octet[4];
  for (const uint8_t b : bytes) {
    std::snprintf(octet, sizeof octet, "%02x", b);
    text += octet;
  }
  return text;
}

std::string event_names(uint32_t events) {
  static constexpr struct {
    uint32_t bit;
    const char* name;
  } kNames[] = {
      {fec::eir::kBabr, "BABR"},
      {fec::eir::kBabt, "BABT"},
      {fec::eir::kGra, "GRA"},
      {fec::eir::kTxf0, "TXF"},
      {fec::eir::kTxb0, "TXB"},
      {fec::eir::kRxf0, "RXF"},
      {fec::eir::kRxb0, "RXB"},
      {fec::eir::kMii, "MII"},
      {fec::eir::kEberr, "EBERR"},
      {fec::eir::kLc, "LC"},
      {fec::eir::kRl, "RL"},
      {fec::eir::kUn, "UN"},
      {fec::eir::kPlr, "PLR"},
      {fec::eir::kWakeup, "WAKEUP"},
      {fec::eir::kTsAvail, "TS_AVAIL"},
      {fec::eir::kTsTimer, "TS_TIMER"},
      {fec::eir::kTxf2, "TXF2"},
      {fec::eir::kTxb2, "TXB2"},
      {fec::eir::kRxf2, "RXF2"},
      {fec::eir::kRxb2, "RXB2"},
      {fec::eir::kTxf1, "TXF1"},
      {fec::eir::kTxb1, "TXB1"},
      {fec::eir::kRxf1, "RXF1"},
      {fec::eir::kRxb1, "RXB1"},
  };
  std::string text;
  for (const auto& entry : kNames) {
    if ((events & entry.bit) == 0) continue;
    if (!text.empty()) text += ' ';
    text += entry.name;
    events &= ~entry.bit;
  }
  if (events != 0) text += (text.empty() ? "" : " ") + hex(events);
  return text.empty() ? "-" : text;
}

}  // namespace

Bytes test_frame(size_t bytes, uint32_t seed, const net::MacAddress& to) {
  base::Stream random(seed, "frame");
  Bytes frame(bytes);
  for (uint8_t& b : frame) b = static_cast<uint8_t>(random.next());
  const auto place = [&frame](size_t at, const uint8_t* from, size_t n) {
    for (size_t i = 0; i < n && at + i < frame.size(); ++i) frame[at + i] = from[i];
  };
  static constexpr uint8_t kType[] = {0x88, 0xB5};  // local experimental, IEEE 802 clause 9.2.3
  place(0, to.octets.data(), net::kMacBytes);
  place(net::kMacBytes, kPeerMac.octets.data(), net::kMacBytes);
  place(net::kEtherTypeOffset, kType, sizeof kType);
  return frame;
}

Bytes ip_frame(bool ipv6, uint8_t protocol, size_t payload, uint32_t seed) {
  const size_t l3 = net::kEtherHeaderBytes;
  const size_t l4 = l3 + (ipv6 ? net::kIpv6HeaderBytes : net::kIpv4HeaderBytes);
  const size_t header = protocol == net::kIpTcp ? net::kTcpHeaderBytes : net::kUdpHeaderBytes;
  Bytes frame = test_frame(l4 + header + payload, seed);
  const auto l4_bytes = static_cast<uint16_t>(header + payload);
  uint8_t* p = frame.data();
  base::store_be16(p + net::kEtherTypeOffset, ipv6 ? net::kEtherTypeIpv6 : net::kEtherTypeIpv4);
  if (ipv6) {
    base::store_be32(p + l3, 0x60000000);
    base::store_be16(p + l3 + 4, l4_bytes);
    p[l3 + 6] = protocol;
    p[l3 + 7] = 64;
  } else {
    base::store_be32(p + l3,
                     0x45000000 | (l4_bytes + static_cast<uint32_t>(net::kIpv4HeaderBytes)));
    base::store_be32(p + l3 + 4, 0);
    base::store_be32(p + l3 + 8, 0x40000000 | uint32_t{protocol} << 16);
  }
  const size_t sum_at = protocol == net::kIpTcp   ? net::kTcpChecksumOffset
                        : protocol == net::kIpUdp ? net::kUdpChecksumOffset
                                                  : 2;
  base::store_be16(p + l4 + sum_at, 0);
  if (protocol == net::kIpUdp) base::store_be16(p + l4 + net::kUdpLengthOffset, l4_bytes);
  if (protocol == net::kIpTcp) p[l4 + 12] = 0x50;
  return frame;
}

Bytes checksummed(Bytes frame) {
  const net::Layers layers = net::parse_layers({frame.data(), frame.size()});
  const uint16_t l4 = net::l4_checksum({frame.data(), frame.size()}, layers);
  const size_t sum_at = layers.protocol == net::kIpTcp   ? net::kTcpChecksumOffset
                        : layers.protocol == net::kIpUdp ? net::kUdpChecksumOffset
                                                         : 2;
  base::store_be16(frame.data() + layers.l4_offset + sum_at,
                   layers.protocol == net::kIpUdp ? net::udp_checksum_field(l4) : l4);
  if (!layers.ipv6) {
    uint8_t* header = frame.data() + layers.l3_offset;
    base::store_be16(header + net::kIpv4ChecksumOffset,
                     net::internet_checksum({header, net::kIpv4HeaderBytes}));
  }
  return frame;
}

void Rig::configure(bool enhanced) {
  enhanced_ = enhanced;
  write(reg::kPalr, base::load_be32(kOwnMac.octets.data()));
  write(reg::kPaur, uint32_t{base::load_be16(kOwnMac.octets.data() + 4)} << 16);
  write(reg::kRcr, kRcrBase);
  write(reg::kTcr, fec::tcr::kFdEn);
  write(reg::kTfwr, fec::tfwr::kStrFwd);
  for (unsigned ring = 0; ring < fec::kRings; ++ring) {
    write(reg::mrbr(ring), kMrbr);
    write(reg::rdsr(ring), kRx + ring * kRxRingStep);
    write(reg::tdsr(ring), kTx + ring * kRingStep);
    if (ring > 0) write(reg::dma_cfg(ring), fec::dma_cfg::kClassEn | 0x200);
  }
}

void Rig::enable() {
  write(reg::kEcr, kEnable | (enhanced_ ? fec::ecr::kEn1588 : 0));
}

void Rig::tx(unsigned ring, unsigned index, const Bytes& data, uint16_t status, uint32_t control,
             uint32_t addr) {
  fec::FecTxDesc d;
  d.length = static_cast<uint16_t>(data.size());
  d.status = status;
  d.address = addr != 0 ? addr : kTxData + (ring * 64 + index) * kBufferStep;
  d.control = control | fec::tx_esc::ftype(ring);
  if (!data.empty()) store(d.address, data);
  Bytes bytes(stride());
  fec::encode(d, bytes.data(), enhanced_ ? fec::DescFormat::kEnhanced : fec::DescFormat::kLegacy);
  store(tx_at(ring, index), bytes);
}

void Rig::tx_status(unsigned ring, unsigned index, uint16_t status) {
  Bytes bytes(2);
  base::store_le(bytes.data(), status);
  store(tx_at(ring, index) + fec::kOffStatus, bytes);
}

void Rig::rx(unsigned index, uint16_t status, uint32_t control, unsigned ring) {
  fec::FecRxDesc d;
  d.status = status;
  d.address = kRxData + (ring * 64 + index) * kBufferStep;
  d.control = control;
  store(d.address, Bytes(2048, 0xEE));
  Bytes bytes(stride());
  fec::encode(d, bytes.data(), enhanced_ ? fec::DescFormat::kEnhanced : fec::DescFormat::kLegacy);
  store(rx_at(ring, index), bytes);
}

void Rig::see_reg(const std::string& label, uint32_t offset, uint32_t mask) {
  see(label, hex(target_.read32(offset) & mask));
}

void Rig::see_eir(const std::string& label) {
  see(label, event_names(target_.read32(reg::kEir)));
}

void Rig::see_and_clear_eir(const std::string& label) {
  see_eir(label);
  write(reg::kEir, ~0u);
}

void Rig::see_narrow(const std::string& label, uint32_t offset, unsigned octets) {
  const std::optional<uint32_t> value = target_.read_narrow(offset, octets);
  see(label, value ? hex(*value, static_cast<int>(2 * octets)) : "bus error");
}

void Rig::see_bytes(const std::string& label, const Bytes& bytes) {
  see(label, std::to_string(bytes.size()) + " B " + hex(net::fcs({bytes.data(), bytes.size()})),
      hex_dump(bytes));
}

void Rig::see_frames(const std::string& label, const std::vector<Bytes>& frames) {
  see(label + ".count", std::to_string(frames.size()));
  // The number of labels must not depend on the target: the frames are one observation.
  std::string value;
  std::string detail;
  for (const Bytes& frame : frames) {
    value += (value.empty() ? "" : ", ") + std::to_string(frame.size()) + " B " +
             hex(net::fcs({frame.data(), frame.size()}));
    detail += (detail.empty() ? "" : " ") + hex_dump(frame);
  }
  see(label + ".frames", value.empty() ? "-" : value, detail);
}

void Rig::see_sent(const std::string& label) {
  see_frames(label, target_.take_sent());
}

void Rig::see_sent(const std::string& label, const Bytes& expected) {
  const std::vector<Bytes> frames = target_.take_sent();
  see_frames(label, frames);
  see(label + ".right", frames == std::vector<Bytes>{expected} ? "yes" : "no");
}

void Rig::see_desc(const std::string& label, uint32_t addr) {
  const Bytes bytes = target_.mem_read(addr, stride());
  const auto d = fec::decode<fec::FecRxDesc>(
      bytes.data(), enhanced_ ? fec::DescFormat::kEnhanced : fec::DescFormat::kLegacy);
  see(label + ".status", hex(d.status, 4));
  see(label + ".length", std::to_string(d.length));
  see(label + ".address", hex(d.address));
  if (!enhanced_) return;
  see(label + ".bdu", hex(d.bdu));
  see(label + ".control", hex(d.control));
  see(label + ".protocol", hex(d.protocol));
  see(label + ".timestamp", d.timestamp == 0 ? "0" : "set");
  see(label + ".reserved", hex(base::load_le<uint32_t>(bytes.data() + fec::kOffReserved) |
                               base::load_le<uint32_t>(bytes.data() + fec::kOffReserved + 4)));
}

void Rig::see_tx(const std::string& label, unsigned ring, unsigned index) {
  see_desc(label, tx_at(ring, index));
}

void Rig::see_rx(const std::string& label, unsigned index, unsigned ring) {
  see_desc(label, rx_at(ring, index));
}

void Rig::see_rx_masked(const std::string& label, unsigned index, bool with_length) {
  const Bytes bytes = target_.mem_read(rx_at(0, index), stride());
  const auto d = fec::decode<fec::FecRxDesc>(
      bytes.data(), enhanced_ ? fec::DescFormat::kEnhanced : fec::DescFormat::kLegacy);
  see(label + ".status", hex(d.status, 4));
  see(label + ".address", hex(d.address));
  if (with_length) see(label + ".length", std::to_string(d.length));
  if (enhanced_) see(label + ".bdu", hex(d.bdu));
}

void Rig::see_fcs(const std::string& label, unsigned index, size_t bytes) {
  const Bytes frame = target_.mem_read(kRxData + index * kBufferStep, bytes + net::kFcsBytes);
  see(label, net::fcs_good({frame.data(), frame.size()}) ? "right" : "wrong", hex_dump(frame));
}

void Rig::see_buffer(const std::string& label, unsigned index, size_t bytes, size_t offset) {
  if (bytes == 0) return;  // qtest cannot read nothing
  const auto addr = static_cast<uint32_t>(kRxData + index * kBufferStep + offset);
  see_bytes(label, target_.mem_read(addr, bytes));
}

void Rig::see_irq(const std::string& label) {
  see(label, target_.raised_lines().empty() ? "-" : "raised");
}

void Rig::see_lines(const std::string& label) {
  std::string text;
  for (const unsigned line : target_.raised_lines()) {
    text += (text.empty() ? "" : " ") + std::to_string(line);
  }
  see(label, text.empty() ? "-" : text);
}

void Rig::see_mdio(const std::string& label, unsigned number, int address) {
  const uint32_t pa = address < 0 ? phy_address_ : static_cast<uint32_t>(address);
  write(reg::kMmfr, 0x60020000 | pa << 23 | number << 18);
  settle();
  see_and_clear_eir(label + ".eir");
  see_reg(label + ".data", reg::kMmfr, 0xFFFF);
}

}  // namespace doorbell::qemu
