// Interrupt lines, MDIO, loopback, statistics, timer.
#include "testbenches/system/qemu/scripts.h"

namespace doorbell::qemu {

namespace {

namespace reg = fec::reg;
constexpr uint16_t kTxReady = 0xAC00;  // R W L TC

void mask_and_line(Rig& r) {
  r.configure(true);
  r.enable();
  r.tx(0, 0, test_frame(60, 1), kTxReady);
  r.tx_kick();
  r.settle();
  r.see_eir("eir");
  r.see_irq("mask 0");
  r.write(reg::kEimr, fec::eir::kRxf0);
  r.see_irq("other bit");
  r.write(reg::kEimr, fec::eir::kTxf0);
  r.see_irq("mask TXF");
  r.write(reg::kEir, fec::eir::kTxb0);
  r.see_irq("TXB cleared");
  r.write(reg::kEir, fec::eir::kTxf0);
  r.see_irq("TXF cleared");
  r.tx(0, 0, test_frame(60, 2), kTxReady);
  r.tx_kick();
  r.settle();
  r.see_irq("second frame");
  r.write(reg::kEimr, 0);
  r.see_irq("masked again");
  r.see_eir("still there");
  r.write(reg::kEimr, fec::eir::kTxf0 | fec::eir::kTxb0);
  r.write(reg::kEir, fec::eir::kTxf0);
  r.see_irq("one of two left");
  r.write(reg::kEir, fec::eir::kTxb0);
  r.see_irq("both cleared");
}

void lines(Rig& r) {
  r.configure(true);
  r.write(reg::kEimr, fec::eir::kFrames);
  r.rx(0, 0xA000);
  r.enable();
  r.rx_kick();
  r.inject(test_frame(60, 1));
  r.settle();
  r.see_lines("receive");
  r.write(reg::kEir, ~0u);
  r.see_lines("cleared");
  for (unsigned ring = 0; ring < fec::kRings; ++ring) {
    r.tx(ring, 0, test_frame(60, ring), kTxReady);
    r.tx_kick(ring);
    r.settle();
    r.see_lines("transmit ring " + std::to_string(ring));
    r.write(reg::kEir, ~0u);
    r.see_lines("transmit ring " + std::to_string(ring) + " cleared");
  }
}

void mdio(Rig& r) {
  r.write(reg::kMscr, 0x6A);
  r.settle();
  r.see_and_clear_eir("MSCR.eir");
  r.see_mdio("ID1", 2);
  r.see_mdio("ID2", 3);
  r.see_mdio("BMSR", 1);
  r.see_mdio("nobody", 2, 9);
  r.see_reg("MMFR", reg::kMmfr, 0xF0030000);
}

void mdio_without_clock(Rig& r) {
  r.write(reg::kMmfr, 0x600A0000 | 9u << 23);
  r.settle();
  r.see_and_clear_eir("MSCR 0.eir");
  r.write(reg::kMscr, 0x6A);
  r.settle();
  r.see_and_clear_eir("MSCR set.eir");
  r.write(reg::kMmfr, 0);
  r.settle();
  r.write(reg::kEir, ~0u);
  r.write(reg::kMscr, 0);
  r.write(reg::kMscr, 0x6A);
  r.settle();
  r.see_and_clear_eir("MSCR set, MMFR 0.eir");
}

void loopback(Rig& r) {
  r.configure(true);
  r.write(reg::kRcr, (Rig::kRcrBase | fec::rcr::kLoop) & ~fec::rcr::kDrt);
  r.rx(0, 0xA000);
  r.enable();
  r.rx_kick();
  r.tx(0, 0, test_frame(60, 1), kTxReady);
  r.tx_kick();
  r.settle();
  r.see_sent("sent");
  r.see_eir("eir");
  r.see_rx("rx", 0);
  r.see_buffer("data", 0, 60);
  r.see_tx("tx", 0, 0);
}

void statistics(Rig& r) {
  r.configure(true);
  r.write(reg::kMibc, 0);
  r.rx(0, 0xA000);
  r.enable();
  r.rx_kick();
  r.tx(0, 0, test_frame(60, 1), kTxReady);
  r.tx_kick();
  r.inject(test_frame(100, 2));
  r.settle();
  r.see_reg("MIBC", reg::kMibc);
  r.see_reg("RMON_T_PACKETS", 0x204);
  r.see_reg("RMON_T_P64", 0x228);
  r.see_reg("IEEE_T_FRAME_OK", 0x24C);
  r.see_reg("RMON_T_OCTETS", 0x244);
  r.see_reg("RMON_R_PACKETS", 0x284);
  r.see_reg("RMON_R_P65TO127", 0x2AC);
  r.see_reg("IEEE_R_FRAME_OK", 0x2CC);
  r.see_reg("RMON_R_OCTETS", 0x2C4);
}

void timer(Rig& r) {
  r.write(reg::kAtinc, 0x0A0A);
  r.see_reg("ATINC", reg::kAtinc);
  r.write(reg::kAtper, 0x80000000);
  r.see_reg("ATPER", reg::kAtper);
  r.write(reg::kAtvr, 12345);
  r.see_reg("ATVR stopped", reg::kAtvr);
  r.write(reg::kAtcr, fec::atcr::kEn);
  r.see_reg("ATCR", reg::kAtcr);
  r.settle();
  r.write(reg::kAtcr, fec::atcr::kEn | fec::atcr::kCapture);
  r.settle();
  r.see_reg("ATCR captured", reg::kAtcr);
  r.see_reg("ATVR captured", reg::kAtvr);
}

}  // namespace

const std::vector<Script>& mac_scripts() {
  static const std::vector<Script> kScripts = {
      {"irq_mask", "EIMR decides whether EIR raises a line; level until cleared or masked",
       mask_and_line},
      {"irq_lines", "which lines rise for receive and for each transmit ring", lines},
      {"mdio", "PHY identifier and status, an address where no PHY is", mdio},
      {"mdio_without_clock", "MMFR written while MSCR = 0, then MSCR set", mdio_without_clock},
      {"loopback", "RCR.LOOP", loopback},
      {"statistics", "MIB counters after one frame each way", statistics},
      {"timer", "1588 timer: set, run, capture", timer},
  };
  return kScripts;
}

}  // namespace doorbell::qemu
