// Transmit rings: order, wrap, scatter-gather, stops and restarts, checksums, events.
#include "models/net/checksum.h"
#include "testbenches/system/qemu/scripts.h"

namespace doorbell::qemu {

namespace {

namespace reg = fec::reg;
namespace tx_esc = fec::tx_esc;

// Status values: R ready, W wrap, L last, T append the CRC.
constexpr uint16_t kR = fec::tx_sc::kReady;
constexpr uint16_t kW = fec::tx_sc::kWrap;
constexpr uint16_t kLT = fec::tx_sc::kLast | fec::tx_sc::kTc;

Bytes part(const Bytes& frame, size_t from, size_t count) {
  const auto first = frame.begin() + static_cast<ptrdiff_t>(from);
  return Bytes(first, first + static_cast<ptrdiff_t>(count));
}

void start(Rig& r, bool enhanced) {
  r.configure(enhanced);
  r.enable();
}

void kick_and_see(Rig& r, const std::string& label, unsigned ring = 0) {
  r.tx_kick(ring);
  r.settle();
  r.see_reg(label + ".tdar", reg::tdar(ring));
  r.see_sent(label + ".sent");
  r.see_and_clear_eir(label + ".eir");
}

template <bool kEnhanced>
void single(Rig& r) {
  start(r, kEnhanced);
  r.tx(0, 0, test_frame(60), kR | kW | kLT);
  kick_and_see(r, "frame");
  r.see_tx("bd", 0, 0);
  r.tx(0, 0, test_frame(1514, 2), kR | kW | kLT);
  kick_and_see(r, "longest");
  r.see_tx("longest.bd", 0, 0);
}

template <bool kEnhanced>
void wrap(Rig& r) {
  start(r, kEnhanced);
  for (unsigned i = 0; i < 4; ++i) {
    r.tx(0, i, test_frame(60 + i, i), static_cast<uint16_t>(kR | kLT | (i == 3 ? kW : 0)));
  }
  kick_and_see(r, "four");
  for (unsigned i = 0; i < 4; ++i) r.see_tx("bd" + std::to_string(i), 0, i);
  r.tx(0, 0, test_frame(70, 9), kR | kLT);
  kick_and_see(r, "after wrap");
  r.see_tx("after wrap.bd0", 0, 0);
  r.see_tx("after wrap.bd1", 0, 1);
}

template <bool kEnhanced>
void gather(Rig& r) {
  start(r, kEnhanced);
  const Bytes frame = test_frame(100, 5);
  const uint32_t odd = Rig::kTxData + 0x20001;
  r.tx(0, 0, part(frame, 0, 30), kR, tx_esc::kInt, odd);
  r.tx(0, 1, part(frame, 30, 1), kR, tx_esc::kInt, odd + 0x102);
  r.tx(0, 2, part(frame, 31, 69), kR | kW | kLT, tx_esc::kInt, odd + 0x303);
  kick_and_see(r, "gathered");
  for (unsigned i = 0; i < 3; ++i) r.see_tx("bd" + std::to_string(i), 0, i);
}

/// Software bits and a descriptor without octets: neither changes anything.
template <bool kEnhanced>
void odd_descriptors(Rig& r) {
  constexpr uint16_t kSoftware = fec::tx_sc::kSoftware1 | fec::tx_sc::kIntr;
  start(r, kEnhanced);
  const Bytes frame = test_frame(90, 5);
  r.tx(0, 0, part(frame, 0, 30), kR | kSoftware);
  r.tx(0, 1, {}, kR);
  r.tx(0, 2, part(frame, 30, 60), kR | kW | kLT | kSoftware);
  kick_and_see(r, "frame");
  for (unsigned i = 0; i < 3; ++i) r.see_tx("bd" + std::to_string(i), 0, i);
}

void events_survive_stop(Rig& r) {
  start(r, true);
  r.write(reg::kEimr, fec::eir::kTxf0);
  r.tx(0, 0, test_frame(60, 1), kR | kW | kLT);
  r.tx_kick();
  r.settle();
  r.disable();
  r.settle();
  r.see_eir("eir");
  r.see_irq("irq");
  r.enable();
  r.see_eir("eir enabled");
  r.see_irq("irq enabled");
  r.write(reg::kEir, ~0u);
  r.see_irq("irq cleared");
}

template <bool kEnhanced>
void not_ready_between_frames(Rig& r) {
  start(r, kEnhanced);
  r.tx(0, 0, test_frame(60, 1), kR | kLT);
  r.tx(0, 1, test_frame(61, 2), kLT);
  r.tx(0, 2, test_frame(62, 3), kR | kW | kLT);
  kick_and_see(r, "first");
  r.see_tx("first.bd1", 0, 1);
  r.see_tx("first.bd2", 0, 2);
  kick_and_see(r, "kicked in vain");
  r.tx_status(0, 1, kR | kLT);
  kick_and_see(r, "resumed");
  for (unsigned i = 0; i < 3; ++i) r.see_tx("resumed.bd" + std::to_string(i), 0, i);
}

void not_ready_inside_frame(Rig& r) {
  start(r, true);
  const Bytes frame = test_frame(140, 4);
  r.tx(0, 0, part(frame, 0, 70), kR);
  r.tx(0, 1, part(frame, 70, 70), kW | kLT);
  kick_and_see(r, "half");
  r.see_tx("half.bd0", 0, 0);
  r.see_tx("half.bd1", 0, 1);
  r.tx_status(0, 1, kR | kW | kLT);
  kick_and_see(r, "rest");
  r.see_tx("rest.bd0", 0, 0);
  r.see_tx("rest.bd1", 0, 1);
}

template <bool kEnhanced>
void restart(Rig& r) {
  start(r, kEnhanced);
  r.tx(0, 0, test_frame(60, 1), kR | kLT);
  r.tx(0, 1, test_frame(61, 2), kLT);
  r.tx(0, 2, test_frame(62, 3), kW | kLT);
  kick_and_see(r, "first");
  r.disable();
  r.see_reg("stopped.tdar", reg::kTdar0);
  r.tx(0, 0, test_frame(64, 4), kR | kLT);
  r.enable();
  kick_and_see(r, "restarted");
  r.see_tx("restarted.bd0", 0, 0);
  r.see_tx("restarted.bd1", 0, 1);
}

void new_base_after_restart(Rig& r) {
  start(r, false);
  r.tx(0, 0, test_frame(60, 1), kR | kW | kLT);
  kick_and_see(r, "first");
  r.disable();
  r.write(reg::kTdsr0, Rig::kTx + Rig::kRingStep);
  r.tx(1, 0, test_frame(66, 2), kR | kW | kLT);
  r.tx(0, 0, test_frame(67, 3), kR | kW | kLT);
  r.enable();
  kick_and_see(r, "second");
  r.see_tx("old ring", 0, 0);
  r.see_tx("new ring", 1, 0);
}

void over_max_fl(Rig& r) {
  start(r, true);
  r.tx(0, 0, test_frame(1515, 1), kR | kLT);
  r.tx(0, 1, test_frame(1600, 2), kR | kW | kLT);
  kick_and_see(r, "long");
  r.see_tx("bd0", 0, 0);
  r.see_tx("bd1", 0, 1);
}

void short_frames(Rig& r) {
  start(r, true);
  r.tx(0, 0, test_frame(20, 1), kR | kLT);
  r.tx(0, 1, test_frame(59, 2), kR | kW | kLT);
  kick_and_see(r, "short");
  r.see_tx("bd0", 0, 0);
  r.see_tx("bd1", 0, 1);
}

void without_tc(Rig& r) {
  start(r, true);
  Bytes frame = test_frame(60, 1);
  frame.resize(64);
  net::store_fcs(frame.data() + 60, net::fcs({frame.data(), 60}));
  r.tx(0, 0, frame, static_cast<uint16_t>(kR | kW | fec::tx_sc::kLast));
  kick_and_see(r, "own FCS");
  r.see_tx("bd", 0, 0);
}

void unmapped_buffer(Rig& r) {
  start(r, false);
  r.tx(0, 0, {}, kR | kW | kLT, 0, 0);
  Bytes desc(fec::kLegacyStride);
  fec::encode(fec::FecTxDesc{60, kR | kW | kLT, 0xF0000000, 0, 0, 0, 0}, desc.data(),
              fec::DescFormat::kLegacy);
  r.store(Rig::kTx, desc);
  r.tx_kick();
  r.settle();
  r.see_reg("ecr", reg::kEcr, fec::ecr::kEtherEn);
  r.see_sent("sent");
  r.see_eir("eir");
  r.see_tx("bd", 0, 0);
}

void int_gating(Rig& r) {
  start(r, true);
  r.tx(0, 0, test_frame(60, 1), kR | kLT, 0);
  kick_and_see(r, "INT 0");
  r.see_tx("INT 0.bd", 0, 0);
  r.tx(0, 1, test_frame(61, 2), kR | kLT, tx_esc::kInt);
  kick_and_see(r, "INT 1");
  r.see_tx("INT 1.bd", 0, 1);
  // Two descriptors of one frame, INT on one of them.
  const Bytes frame = test_frame(120, 3);
  r.tx(0, 2, part(frame, 0, 60), kR, tx_esc::kInt);
  r.tx(0, 3, part(frame, 60, 60), kR | kLT, 0);
  kick_and_see(r, "INT on the first");
  r.tx(0, 4, part(frame, 0, 60), kR, 0);
  r.tx(0, 5, part(frame, 60, 60), kR | kW | kLT, tx_esc::kInt);
  kick_and_see(r, "INT on the last");
}

void checksums(Rig& r) {
  start(r, true);
  const struct {
    const char* label;
    Bytes frame;
    uint32_t insert;
  } kCases[] = {
      {"IPv4 UDP, both", ip_frame(false, net::kIpUdp, 33), tx_esc::kIins | tx_esc::kPins},
      {"IPv4 UDP, IP only", ip_frame(false, net::kIpUdp, 40, 2), tx_esc::kIins},
      {"IPv4 UDP, protocol only", ip_frame(false, net::kIpUdp, 41, 3), tx_esc::kPins},
      {"IPv4 TCP, both", ip_frame(false, net::kIpTcp, 100, 4), tx_esc::kIins | tx_esc::kPins},
      {"IPv4 ICMP, both", ip_frame(false, net::kIpIcmp, 56, 5), tx_esc::kIins | tx_esc::kPins},
      {"IPv6 UDP, both", ip_frame(true, net::kIpUdp, 50, 6), tx_esc::kIins | tx_esc::kPins},
      {"IPv6 TCP, both", ip_frame(true, net::kIpTcp, 51, 7), tx_esc::kIins | tx_esc::kPins},
      {"not IP, both", test_frame(80, 8), tx_esc::kIins | tx_esc::kPins},
      {"IPv4 UDP, none", ip_frame(false, net::kIpUdp, 33, 9), 0},
  };
  constexpr unsigned kNotIp = 7;
  unsigned i = 0;
  for (const auto& c : kCases) {
    r.tx(0, i, c.frame, kR | kLT, tx_esc::kInt | c.insert);
    r.tx_kick();
    r.settle();
    const bool both = c.insert == (tx_esc::kIins | tx_esc::kPins);
    r.see_sent(c.label, both && i != kNotIp ? checksummed(c.frame) : c.frame);
    r.see_and_clear_eir(c.label + std::string(".eir"));
    r.see_tx(c.label + std::string(".bd"), 0, i++);
  }
}

void checksums_enabled_by_tacc(Rig& r) {
  r.configure(true);
  r.write(reg::kTacc, fec::tacc::kIpChk | fec::tacc::kProChk);
  r.enable();
  r.tx(0, 0, ip_frame(false, net::kIpUdp, 33), kR | kLT,
       tx_esc::kInt | tx_esc::kIins | tx_esc::kPins);
  r.tx(0, 1, ip_frame(false, net::kIpUdp, 33, 2), kR | kW | kLT, tx_esc::kInt);
  kick_and_see(r, "two");
}

void rings_1_and_2(Rig& r) {
  start(r, true);
  for (unsigned ring = 1; ring < fec::kRings; ++ring) {
    const std::string label = "ring " + std::to_string(ring);
    for (unsigned i = 0; i < 3; ++i) {
      r.tx(ring, i, test_frame(60 + 8 * i, 10 * ring + i),
           static_cast<uint16_t>(kR | kLT | (i == 2 ? kW : 0)));
    }
    kick_and_see(r, label);
    for (unsigned i = 0; i < 3; ++i) r.see_tx(label + ".bd" + std::to_string(i), ring, i);
    r.tx(ring, 0, test_frame(90, ring), kR | kLT);
    kick_and_see(r, label + " wrapped");
  }
  r.tx(0, 0, test_frame(77, 7), kR | kW | kLT);
  kick_and_see(r, "ring 0");
}

void rings_1_and_2_legacy(Rig& r) {
  start(r, false);
  r.write(reg::kQos, fec::qos::kSchemeRoundRobin);
  r.tx(0, 0, test_frame(60, 1), kR | kW | kLT);
  r.tx(1, 0, test_frame(61, 2), kR | kW | kLT);
  r.tx(2, 0, test_frame(62, 3), kR | kW | kLT);
  kick_and_see(r, "TDAR1", 1);
  kick_and_see(r, "TDAR2", 2);
  kick_and_see(r, "TDAR", 0);
  for (unsigned ring = 0; ring < fec::kRings; ++ring) {
    r.see_tx("ring" + std::to_string(ring), ring, 0);
  }
}

void timestamp(Rig& r) {
  r.configure(true);
  r.write(reg::kAtinc, 10);
  r.write(reg::kAtcr, fec::atcr::kEn);
  r.enable();
  r.settle();
  r.tx(0, 0, test_frame(60, 1), kR | kW | kLT, tx_esc::kInt | tx_esc::kTs);
  kick_and_see(r, "stamped");
  r.see_tx("bd", 0, 0);
}

void graceful_stop(Rig& r) {
  start(r, true);
  r.write(reg::kTcr, fec::tcr::kFdEn | fec::tcr::kGts);
  r.settle();
  r.see_and_clear_eir("stopped.eir");
  r.tx(0, 0, test_frame(60, 1), kR | kW | kLT);
  r.tx_kick();
  r.settle();
  r.see_sent("while stopped");
  r.see_and_clear_eir("while stopped.eir");
  r.write(reg::kTcr, fec::tcr::kFdEn);
  r.settle();
  r.see_sent("released");
  r.see_and_clear_eir("released.eir");
  r.see_tx("bd", 0, 0);
}

void burst(Rig& r) {
  start(r, true);
  for (unsigned i = 0; i < 32; ++i) {
    r.tx(0, i, test_frame(60 + 37 * i, i), static_cast<uint16_t>(kR | kLT | (i == 31 ? kW : 0)));
  }
  kick_and_see(r, "32 frames");
  for (unsigned i = 0; i < 32; ++i) r.see_tx("bd" + std::to_string(i), 0, i);
}

}  // namespace

const std::vector<Script>& tx_scripts() {
  static const std::vector<Script> kScripts = {
      {"tx_single_legacy", "one frame of 60 and of 1514 octets, 8-byte descriptors", single<false>},
      {"tx_single_enhanced", "the same with 32-byte descriptors", single<true>},
      {"tx_wrap_legacy", "four frames, wrap, one more", wrap<false>},
      {"tx_wrap_enhanced", "the same with 32-byte descriptors", wrap<true>},
      {"tx_gather_legacy", "one frame in three descriptors at odd addresses", gather<false>},
      {"tx_gather_enhanced", "the same with 32-byte descriptors", gather<true>},
      {"tx_odd_legacy", "software bits set, a descriptor of length 0", odd_descriptors<false>},
      {"tx_odd_enhanced", "the same with 32-byte descriptors", odd_descriptors<true>},
      {"tx_events_survive_stop", "ETHEREN 1, 0, 1 leaves EIR and the line alone",
       events_survive_stop},
      {"tx_gap_legacy", "a descriptor that is not ready between two frames, then resumed",
       not_ready_between_frames<false>},
      {"tx_gap_enhanced", "the same with 32-byte descriptors", not_ready_between_frames<true>},
      {"tx_partial_wait", "R = 0 inside a frame; model with partial_frame_policy = wait",
       not_ready_inside_frame},
      {"tx_partial_drop", "R = 0 inside a frame; model with partial_frame_policy = drop",
       not_ready_inside_frame, true},
      {"tx_restart_legacy", "ETHEREN 1, 0, 1: the ring starts over at TDSR", restart<false>},
      {"tx_restart_enhanced", "the same with 32-byte descriptors", restart<true>},
      {"tx_new_base", "TDSR changed while stopped", new_base_after_restart},
      {"tx_over_max_fl", "frames longer than RCR.MAX_FL", over_max_fl},
      {"tx_short", "frames under 60 octets", short_frames},
      {"tx_without_tc", "TC = 0: software brings the FCS", without_tc},
      {"tx_unmapped", "a buffer at an address where nothing is", unmapped_buffer},
      {"tx_int_gating", "INT of the enhanced descriptor decides on the event", int_gating},
      {"tx_checksums", "IINS and PINS on IPv4, IPv6, UDP, TCP, ICMP and others", checksums},
      {"tx_tacc", "TACC.IPCHK and PROCHK, with and without IINS and PINS",
       checksums_enabled_by_tacc},
      {"tx_rings_1_2", "rings 1, 2, then 0, enhanced", rings_1_and_2},
      {"tx_rings_1_2_legacy", "rings 1 and 2 with 8-byte descriptors", rings_1_and_2_legacy},
      {"tx_timestamp", "TS = 1 with the timer running", timestamp},
      {"tx_graceful_stop", "TCR.GTS, a frame queued meanwhile, then released", graceful_stop},
      {"tx_burst", "32 frames on one doorbell", burst},
  };
  return kScripts;
}

}  // namespace doorbell::qemu
