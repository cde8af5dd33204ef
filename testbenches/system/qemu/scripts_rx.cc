// Receive ring 0: order, wrap, exhaustion, splitting, truncation, filters, status words.
#include "testbenches/system/qemu/scripts.h"

namespace doorbell::qemu {

namespace {

namespace reg = fec::reg;
namespace rx_esc = fec::rx_esc;

constexpr uint16_t kE = fec::rx_sc::kEmpty;
constexpr uint16_t kW = fec::rx_sc::kWrap;

/// Ring of `count` empty descriptors, enabled; `extra` RCR bits and a buffer size.
void start(Rig& r, bool enhanced, unsigned count, uint32_t rcr = 0, uint32_t mrbr = Rig::kMrbr) {
  r.configure(enhanced);
  r.write(reg::kRcr, Rig::kRcrBase | rcr);
  r.write(reg::kMrbr0, mrbr);
  for (unsigned i = 0; i < count; ++i) {
    r.rx(i, static_cast<uint16_t>(kE | (i + 1 == count ? kW : 0)));
  }
  r.enable();
}

void inject_and_see(Rig& r, const std::string& label, const Bytes& frame) {
  r.inject(frame);
  r.settle();
  r.see_reg(label + ".rdar", reg::kRdar0);
  r.see_and_clear_eir(label + ".eir");
}

template <bool kEnhanced>
void simple(Rig& r) {
  start(r, kEnhanced, 2);
  r.rx_kick();
  r.settle();
  r.see_reg("armed.rdar", reg::kRdar0);
  inject_and_see(r, "first", test_frame(60, 1));
  r.see_rx("bd0", 0);
  r.see_buffer("data0", 0, 60);
  r.see_rx("bd1 untouched", 1);
  inject_and_see(r, "second", test_frame(1514, 2));
  r.see_rx("bd1", 1);
  r.see_buffer("data1", 1, 1514);
  r.see_buffer("behind data1", 1, 16, 1518);
}

template <bool kEnhanced>
void wrap(Rig& r) {
  start(r, kEnhanced, 3);
  r.rx_kick();
  for (unsigned i = 0; i < 8; ++i) {
    const unsigned slot = i % 3;
    const std::string label = "frame" + std::to_string(i);
    r.inject(test_frame(60 + 5 * i, i));
    r.settle();
    r.see_and_clear_eir(label + ".eir");
    r.see_rx(label + ".bd", slot);
    r.see_buffer(label + ".data", slot, 60 + 5 * i);
    r.rx(slot, static_cast<uint16_t>(kE | (slot == 2 ? kW : 0)));
    r.rx_kick();
    r.settle();
    r.see_reg(label + ".rdar", reg::kRdar0);
  }
}

template <bool kEnhanced>
void exhausted(Rig& r) {
  start(r, kEnhanced, 2);
  r.rx_kick();
  r.inject(test_frame(60, 1));
  r.inject(test_frame(61, 2));
  r.inject(test_frame(62, 3));
  r.inject(test_frame(63, 4));
  r.settle();
  r.see_reg("full.rdar", reg::kRdar0);
  r.see_and_clear_eir("full.eir");
  r.see_rx("full.bd0", 0);
  r.see_rx("full.bd1", 1);
  r.see_buffer("full.data0", 0, 60);
  r.see_buffer("full.data1", 1, 61);
  r.rx(0, kE);
  r.settle();
  r.see_rx("no doorbell.bd0", 0);
  r.rx_kick();
  r.settle();
  r.see_and_clear_eir("one more.eir");
  r.see_rx("one more.bd0", 0);
  r.see_buffer("one more.data0", 0, 62);
  r.rx(1, kE | kW);
  r.rx_kick();
  r.settle();
  r.see_and_clear_eir("another.eir");
  r.see_rx("another.bd1", 1);
  r.see_buffer("another.data1", 1, 63);
}

void before_rdar(Rig& r) {
  start(r, true, 2);
  inject_and_see(r, "no RDAR", test_frame(60, 1));
  r.see_rx("no RDAR.bd0", 0);
  r.rx_kick();
  r.settle();
  r.see_and_clear_eir("RDAR.eir");
  r.see_rx("RDAR.bd0", 0);
  r.see_buffer("RDAR.data0", 0, 60);
}

void while_disabled(Rig& r) {
  start(r, true, 2);
  r.disable();
  inject_and_see(r, "disabled", test_frame(60, 1));
  r.enable();
  r.rx_kick();
  r.settle();
  r.see_and_clear_eir("enabled.eir");
  r.see_rx("enabled.bd0", 0);
  r.see_rx("enabled.bd1", 1);
}

template <bool kEnhanced>
void split(Rig& r) {
  start(r, kEnhanced, 8, 0, 0x80);
  r.rx_kick();
  inject_and_see(r, "300", test_frame(300, 1));
  for (unsigned i = 0; i < 4; ++i) r.see_rx("300.bd" + std::to_string(i), i);
  r.see_buffer("300.data0", 0, 128);
  r.see_buffer("300.data1", 1, 128);
  r.see_buffer("300.data2", 2, 44);
  // Data and FCS fill the buffers exactly; then the FCS alone is in the second one.
  inject_and_see(r, "124", test_frame(124, 2));
  r.see_rx("124.bd3", 3);
  r.see_buffer("124.data3", 3, 124);
  inject_and_see(r, "128", test_frame(128, 3));
  r.see_rx("128.bd4", 4);
  r.see_rx("128.bd5", 5);
  r.see_buffer("128.data4", 4, 128);
}

/// What software left in a descriptor: its own two bits, and status bits of an earlier frame.
void left_over_bits(Rig& r) {
  constexpr uint16_t kSoftware = fec::rx_sc::kSoftware1 | fec::rx_sc::kSoftware2;
  constexpr uint16_t kGroup = fec::rx_sc::kBroadcast | fec::rx_sc::kMulticast;
  start(r, true, 4, 0, 0x80);
  r.rx(0, kE | kSoftware);
  r.rx(1, kE | kGroup);
  r.rx(2, kE | fec::rx_sc::kLast);
  r.rx_kick();
  inject_and_see(r, "first", test_frame(60, 1));
  r.see_rx("software bits", 0);
  inject_and_see(r, "second", test_frame(61, 2));
  r.see_rx("group bits", 1);
  inject_and_see(r, "third", test_frame(200, 3));
  r.see_rx("last bit", 2);
  r.see_rx("end", 3);
}

void split_ring_ends(Rig& r) {
  start(r, true, 3, 0, 0x80);
  r.rx(1, 0);
  r.rx_kick();
  inject_and_see(r, "cut", test_frame(300, 1));
  r.see_rx("cut.bd0", 0);
  r.see_rx("cut.bd1", 1);
  r.rx(1, kE);
  r.rx_kick();
  r.settle();
  r.see_and_clear_eir("resumed.eir");
  r.see_rx("resumed.bd1", 1);
  r.see_rx("resumed.bd2", 2);
}

void over_max_fl(Rig& r) {
  start(r, true, 4);
  r.rx_kick();
  inject_and_see(r, "1518 with FCS", test_frame(1514, 1));
  r.see_rx("1518.bd0", 0);
  inject_and_see(r, "1519 with FCS", test_frame(1515, 2));
  r.see_rx("1519.bd1", 1);
  r.see_buffer("1519.data1", 1, 1515);
  inject_and_see(r, "1604 with FCS", test_frame(1600, 3));
  r.see_rx("1604.bd2", 2);
  r.see_rx("1604.bd3", 3);
}

template <bool kEnhanced>
void truncated(Rig& r) {
  start(r, kEnhanced, 3);
  r.write(reg::kFtrl, 0x200);
  r.rx_kick();
  inject_and_see(r, "512 with FCS", test_frame(508, 1));
  r.see_rx("512.bd0", 0);
  inject_and_see(r, "1004 with FCS", test_frame(1000, 2));
  r.see_rx("1004.bd1", 1);
  r.see_buffer("1004.data1", 1, 508);
  r.see_buffer("1004.data1 at the cut", 1, 4, 508);
}

template <bool kEnhanced>
void shift16(Rig& r) {
  start(r, kEnhanced, 2);
  r.write(reg::kRacc, fec::racc::kShift16);
  r.rx_kick();
  inject_and_see(r, "frame", test_frame(60, 1));
  r.see_rx("bd0", 0);
  r.see_buffer("data0 from octet 2", 0, 60, 2);
  inject_and_see(r, "longer", test_frame(1000, 2));
  r.see_rx("bd1", 1);
  r.see_buffer("data1 from octet 2", 1, 1000, 2);
}

void int_gating(Rig& r) {
  start(r, true, 4, 0, 0x80);
  r.rx(0, kE, 0);
  r.rx(2, kE, 0);
  r.rx_kick();
  inject_and_see(r, "INT 0", test_frame(60, 1));
  r.see_rx("INT 0.bd", 0);
  inject_and_see(r, "INT 1", test_frame(61, 2));
  r.see_rx("INT 1.bd", 1);
  inject_and_see(r, "INT 0 then 1", test_frame(200, 3));
  r.see_rx("INT 0 then 1.bd2", 2);
  r.see_rx("INT 0 then 1.bd3", 3);
}

/// Every destination in turn, each into a new descriptor.
void destinations(Rig& r, uint32_t rcr, bool hash_tables) {
  start(r, true, 6, rcr);
  if (hash_tables) {
    for (const uint32_t offset : {reg::kIaur, reg::kIalr, reg::kGaur, reg::kGalr}) {
      r.write(offset, ~0u);
    }
  }
  r.rx_kick();
  const struct {
    const char* label;
    net::MacAddress to;
  } kCases[] = {
      {"own", kOwnMac},
      {"broadcast", net::MacAddress::broadcast()},
      {"multicast", {{0x01, 0x00, 0x5E, 0x00, 0x00, 0x01}}},
      {"other", kOtherMac},
  };
  uint32_t seed = 1;
  for (const auto& c : kCases)
    inject_and_see(r, c.label, test_frame(60 + 4 * seed, seed, c.to)), ++seed;
  for (unsigned i = 0; i < 4; ++i) {
    r.see_rx("bd" + std::to_string(i), i);
  }
}
void filter_exact(Rig& r) {
  destinations(r, 0, false);
}
void filter_promiscuous(Rig& r) {
  destinations(r, fec::rcr::kProm, false);
}
void filter_hash(Rig& r) {
  destinations(r, 0, true);
}
void filter_no_broadcast(Rig& r) {
  destinations(r, fec::rcr::kBcRej, true);
}

void short_frame(Rig& r) {
  start(r, true, 2);
  r.rx_kick();
  inject_and_see(r, "20", test_frame(20, 1));
  r.see_rx("20.bd0", 0);
}

void frame_check_sequence(Rig& r) {
  start(r, true, 1);
  r.rx_kick();
  inject_and_see(r, "frame", test_frame(60, 1));
  r.see_buffer("data", 0, 60);
  r.see_fcs("FCS", 0, 60);
}

void strip_and_pad(Rig& r) {
  start(r, true, 2, fec::rcr::kCrcFwd);
  r.rx_kick();
  inject_and_see(r, "CRCFWD", test_frame(60, 1));
  r.see_rx("CRCFWD.bd", 0);
  r.see_buffer("CRCFWD.data", 0, 60);
}

template <bool kEnhanced>
void restart(Rig& r) {
  start(r, kEnhanced, 3);
  r.rx_kick();
  inject_and_see(r, "first", test_frame(60, 1));
  r.disable();
  r.see_reg("stopped.rdar", reg::kRdar0);
  r.rx(0, kE);
  r.enable();
  r.rx_kick();
  inject_and_see(r, "restarted", test_frame(61, 2));
  r.see_rx("bd0", 0);
  r.see_rx("bd1", 1);
  r.see_buffer("data0", 0, 61);
}

void checksum_status(Rig& r) {
  start(r, true, 6);
  r.rx_kick();
  Bytes bad_ip = checksummed(ip_frame(false, net::kIpUdp, 30, 3));
  bad_ip[net::kEtherHeaderBytes + net::kIpv4ChecksumOffset] ^= 1;
  Bytes bad_udp = checksummed(ip_frame(false, net::kIpUdp, 30, 4));
  bad_udp.back() ^= 1;
  const Bytes frames[] = {checksummed(ip_frame(false, net::kIpUdp, 30, 1)),
                          checksummed(ip_frame(true, net::kIpTcp, 30, 2)), bad_ip, bad_udp,
                          test_frame(60, 5)};
  const char* const labels[] = {"good UDP", "good IPv6 TCP", "bad IP", "bad UDP", "not IP"};
  for (unsigned i = 0; i < 5; ++i) {
    inject_and_see(r, labels[i], frames[i]);
    r.see_rx(std::string(labels[i]) + ".bd", i);
    r.see_buffer(std::string(labels[i]) + ".data", i, frames[i].size());
  }
}

void vlan_classes(Rig& r) {
  start(r, true, 2);
  r.write(reg::kRcmr1, fec::rcmr::kMatchEn | 0x3210);
  r.write(reg::kRcmr2, fec::rcmr::kMatchEn | 0x7654);
  r.rx_kick();
  for (unsigned ring = 1; ring < fec::kRings; ++ring) {
    r.rx(0, kE | kW, rx_esc::kInt, ring);
    r.rx_kick(0, ring);
  }
  inject_and_see(r, "untagged", test_frame(60, 2));
  r.see_rx("untagged.bd0", 0);
  for (const uint16_t priority : {1, 6}) {
    Bytes tagged = test_frame(80, priority);
    base::store_be16(tagged.data() + 12, net::kEtherTypeVlan);
    base::store_be16(tagged.data() + 14, static_cast<uint16_t>(priority << 13 | 5));
    base::store_be16(tagged.data() + 16, 0x88B5);
    const std::string label = "priority " + std::to_string(priority);
    r.inject(tagged);
    r.settle();
    r.see_and_clear_eir(label + ".eir");
    for (unsigned ring = 1; ring < fec::kRings; ++ring) {
      r.see_rx(label + ".ring" + std::to_string(ring), 0, ring);
    }
  }
  r.see_rx("ring0 bd1", 1);
}

void pause_frame(Rig& r) {
  start(r, true, 2, fec::rcr::kFce);
  r.rx_kick();
  Bytes pause(60);
  net::make_pause_frame(kPeerMac, 1, pause.data());
  inject_and_see(r, "pause", pause);
  r.see_rx("bd0", 0);
}

}  // namespace

const std::vector<Script>& rx_scripts() {
  static const std::vector<Script> kScripts = {
      {"rx_simple_legacy", "two frames into two 8-byte descriptors", simple<false>},
      {"rx_simple_enhanced", "the same with 32-byte descriptors", simple<true>},
      {"rx_wrap_legacy", "eight frames through three descriptors, each armed again", wrap<false>},
      {"rx_wrap_enhanced", "the same with 32-byte descriptors", wrap<true>},
      {"rx_exhausted_legacy", "four frames, two descriptors, then armed one by one",
       exhausted<false>},
      {"rx_exhausted_enhanced", "the same with 32-byte descriptors", exhausted<true>},
      {"rx_before_rdar", "a frame that comes before RDAR was written", before_rdar},
      {"rx_while_disabled", "a frame that comes while ETHEREN = 0", while_disabled},
      {"rx_split_legacy", "frames longer than MRBR, and just as long", split<false>},
      {"rx_split_enhanced", "the same with 32-byte descriptors", split<true>},
      {"rx_left_over_bits", "descriptors armed with software and old status bits in them",
       left_over_bits},
      {"rx_split_ring_ends", "descriptors run out inside a frame", split_ring_ends},
      {"rx_over_max_fl", "frames longer than RCR.MAX_FL", over_max_fl},
      {"rx_truncated_legacy", "frames longer than FTRL, 8-byte descriptors", truncated<false>},
      {"rx_truncated_enhanced", "the same with 32-byte descriptors", truncated<true>},
      {"rx_shift16_legacy", "RACC.SHIFT16, 8-byte descriptors", shift16<false>},
      {"rx_shift16_enhanced", "the same with 32-byte descriptors", shift16<true>},
      {"rx_int_gating", "INT of the enhanced descriptor decides on the event", int_gating},
      {"rx_filter_exact", "own, broadcast, multicast and other addresses", filter_exact},
      {"rx_filter_promiscuous", "the same with RCR.PROM", filter_promiscuous},
      {"rx_filter_hash", "the same with full hash tables", filter_hash},
      {"rx_filter_no_broadcast", "the same with RCR.BC_REJ and full hash tables",
       filter_no_broadcast},
      {"rx_short", "a frame under 60 octets", short_frame},
      {"rx_fcs", "the four octets behind the frame", frame_check_sequence},
      {"rx_crcfwd", "RCR.CRCFWD strips the FCS", strip_and_pad},
      {"rx_restart_legacy", "ETHEREN 1, 0, 1: the ring starts over at RDSR", restart<false>},
      {"rx_restart_enhanced", "the same with 32-byte descriptors", restart<true>},
      {"rx_checksum_status", "status words of right and wrong checksums", checksum_status},
      {"rx_vlan_classes", "RCMR sends tagged frames to rings 1 and 2", vlan_classes},
      {"rx_pause", "a PAUSE frame arrives", pause_frame},
  };
  return kScripts;
}

}  // namespace doorbell::qemu
