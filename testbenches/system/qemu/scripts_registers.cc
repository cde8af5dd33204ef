// Register file: reset values, writable bits, write-1-to-clear, doorbells without work, resets.
#include "testbenches/system/qemu/scripts.h"

namespace doorbell::qemu {

namespace {

namespace reg = fec::reg;
namespace rx_sc = fec::rx_sc;

struct Named {
  const char* name;
  uint32_t offset;
};
// Typed from the manuals, not taken from the model's table.
constexpr Named kStored[] = {
    {"EIMR", 0x008},  {"MSCR", 0x044},    {"MIBC", 0x064},    {"RCR", 0x084},   {"TCR", 0x0C4},
    {"PALR", 0x0E4},  {"PAUR", 0x0E8},    {"OPD", 0x0EC},     {"TXIC0", 0x0F0}, {"TXIC1", 0x0F4},
    {"TXIC2", 0x0F8}, {"RXIC0", 0x100},   {"RXIC1", 0x104},   {"RXIC2", 0x108}, {"IAUR", 0x118},
    {"IALR", 0x11C},  {"GAUR", 0x120},    {"GALR", 0x124},    {"TFWR", 0x144},  {"RDSR1", 0x160},
    {"TDSR1", 0x164}, {"MRBR1", 0x168},   {"RDSR2", 0x16C},   {"TDSR2", 0x170}, {"MRBR2", 0x174},
    {"RDSR", 0x180},  {"TDSR", 0x184},    {"MRBR", 0x188},    {"RSFL", 0x190},  {"RSEM", 0x194},
    {"RAEM", 0x198},  {"RAFL", 0x19C},    {"TSEM", 0x1A0},    {"TAEM", 0x1A4},  {"TAFL", 0x1A8},
    {"TIPG", 0x1AC},  {"FTRL", 0x1B0},    {"TACC", 0x1C0},    {"RACC", 0x1C4},  {"RCMR1", 0x1C8},
    {"RCMR2", 0x1CC}, {"DMA1CFG", 0x1D8}, {"DMA2CFG", 0x1DC}, {"QOS", 0x1F0},   {"ATOFF", 0x408},
    {"ATPER", 0x40C}, {"ATCOR", 0x410},   {"ATINC", 0x414},
};
constexpr Named kOthers[] = {
    {"EIR", 0x004},
    {"RDAR", 0x010},
    {"TDAR", 0x014},
    {"ECR", 0x024},
    {"MMFR", 0x040},
    {"RDAR1", 0x1E0},
    {"TDAR1", 0x1E4},
    {"RDAR2", 0x1E8},
    {"TDAR2", 0x1EC},
    {"ATCR", 0x400},
    {"ATVR", 0x404},
    {"ATSTMP", 0x418},
    {"TGSR", 0x604},
    {"TCSR0", 0x608},
    {"TCCR0", 0x60C},
    {"TCSR3", 0x620},
    {"TCCR3", 0x624},
    {"RMON_T_PACKETS", 0x204},
    {"RMON_T_OCTETS", 0x244},
    {"IEEE_T_OCTETS_OK", 0x274},
    {"RMON_R_PACKETS", 0x284},
    {"RMON_R_OCTETS", 0x2C4},
    {"IEEE_R_OCTETS_OK", 0x2E0},
};

void reset_values(Rig& r) {
  for (const Named& n : kOthers) r.see_reg(n.name, n.offset);
  for (const Named& n : kStored) r.see_reg(n.name, n.offset);
}

void writable_bits(Rig& r) {
  for (const Named& n : kStored) {
    r.write(n.offset, ~0u);
    r.see_reg(std::string(n.name) + ".ones", n.offset);
    r.write(n.offset, 0);
    r.see_reg(std::string(n.name) + ".zeros", n.offset);
  }
}

void driver_values(Rig& r) {
  // What Linux 6.12 writes on an i.MX8MP at 1 Gb/s.
  static constexpr struct {
    const char* name;
    uint32_t offset;
    uint32_t value;
  } kWrites[] = {
      {"EIMR", 0x008, 0x0A0000AA}, {"MSCR", 0x044, 0x0000026A}, {"MIBC", 0x064, 0},
      {"RCR", 0x084, 0x47C00044},  {"TCR", 0x0C4, 4},           {"OPD", 0x0EC, 0xFFF0},
      {"TFWR", 0x144, 0x100},      {"MRBR", 0x188, 1984},       {"RSEM", 0x194, 0x84},
      {"RAEM", 0x198, 8},          {"RAFL", 0x19C, 8},          {"FTRL", 0x1B0, 1984},
      {"RACC", 0x1C4, 0x86},       {"ECR", 0x024, 0x132},
  };
  for (const auto& w : kWrites) {
    r.write(w.offset, w.value);
    r.see_reg(w.name, w.offset);
  }
}

void eir_write_one_clears(Rig& r) {
  r.configure(false);
  r.enable();
  r.tx(0, 0, test_frame(60), 0xAC00);
  r.tx_kick();
  r.settle();
  r.see_eir("after frame");
  r.write(reg::kEir, 0);
  r.see_eir("after writing 0");
  r.write(reg::kEir, fec::eir::kTxb0);
  r.see_eir("after clearing TXB");
  r.write(reg::kEir, ~fec::eir::kTxf0);
  r.see_eir("after clearing all but TXF");
  r.write(reg::kEir, fec::eir::kTxf0);
  r.see_eir("after clearing TXF");
}

void ecr_bits(Rig& r) {
  for (const uint32_t value : {0x00000000u, 0x00000122u, 0x00000132u, 0x70000112u, 0xFFFFFF7Cu}) {
    r.write(reg::kEcr, value);
    r.see_reg("ECR", reg::kEcr);
  }
}

void ecr_reset(Rig& r) {
  r.configure(true);
  r.write(reg::kEimr, fec::eir::kFrames);
  r.write(reg::kRcr, 0x07FF0024);
  r.write(reg::kFtrl, 0x400);
  r.enable();
  r.rx(0, 0xA000);
  r.rx_kick();
  r.tx(0, 0, test_frame(60), 0xAC00);
  r.tx_kick();
  r.settle();
  r.write(reg::kEcr, fec::ecr::kReset);
  r.settle();
  for (const Named& n : kOthers) {
    if (n.offset < 0x200 || n.offset >= 0x400) r.see_reg(n.name, n.offset);
  }
  for (const Named& n : kStored) r.see_reg(n.name, n.offset);
  r.see_sent("sent");
  r.see_irq("irq");
}

void soft_stop_keeps_registers(Rig& r) {
  r.configure(true);
  r.write(reg::kEimr, fec::eir::kMii);
  r.write(reg::kFtrl, 0x400);
  r.enable();
  r.disable();
  r.see_reg("ECR", reg::kEcr);
  r.see_reg("EIMR", reg::kEimr);
  r.see_reg("FTRL", reg::kFtrl);
  r.see_reg("RDSR", reg::kRdsr0);
  r.see_reg("TDSR", reg::kTdsr0);
  r.see_reg("MRBR", reg::kMrbr0);
  r.see_reg("PALR", reg::kPalr);
  r.see_reg("PAUR", reg::kPaur);
  r.see_reg("TCR", reg::kTcr);
}

void narrow_reads(Rig& r) {
  r.see_narrow("octet at RCR", 0x084, 1);
  r.see_narrow("octet at RCR + 3", 0x087, 1);
  r.see_narrow("halfword at RCR", 0x084, 2);
  r.see_narrow("halfword at RCR + 2", 0x086, 2);
}

void rdar_rules(Rig& r) {
  r.configure(false);
  r.rx(0, rx_sc::kEmpty);
  r.rx(1, rx_sc::kEmpty | rx_sc::kWrap);
  r.rx_kick(~0u);
  r.settle();
  r.see_reg("written while disabled", reg::kRdar0);
  r.enable();
  r.settle();
  r.see_reg("enabled after that", reg::kRdar0);
  r.rx_kick();
  r.settle();
  r.see_reg("written with 0, two empty", reg::kRdar0);
  r.rx_kick();
  r.settle();
  r.see_reg("written with 0 again", reg::kRdar0);
  r.disable();
  r.see_reg("disabled", reg::kRdar0);
  r.enable();
  r.settle();
  r.see_reg("enabled again", reg::kRdar0);
}

void rdar_without_empty(Rig& r) {
  r.configure(false);
  r.rx(0, rx_sc::kWrap);
  r.enable();
  r.rx_kick(~0u);
  r.settle();
  r.see_reg("no empty descriptor", reg::kRdar0);
  r.inject(test_frame(60));
  r.settle();
  r.see_reg("frame waits", reg::kRdar0);
  r.see_eir("eir");
}

void tdar_rules(Rig& r) {
  r.configure(false);
  r.tx(0, 0, test_frame(60), 0x8C00);
  r.tx(0, 1, test_frame(61), 0x0C00);
  r.tx(0, 2, test_frame(62), 0x2C00);
  r.tx_kick(0, ~0u);
  r.settle();
  r.see_reg("written while disabled", reg::kTdar0);
  r.enable();
  r.settle();
  r.see_reg("enabled after that", reg::kTdar0);
  r.see_sent("enabled after that");
  r.tx_kick(0, 0);
  r.settle();
  r.see_reg("written with 0", reg::kTdar0);
  r.see_sent("written with 0");
  r.see_and_clear_eir("written with 0.eir");
  r.tx_kick(0, ~0u);
  r.settle();
  r.see_reg("nothing ready", reg::kTdar0);
  r.see_sent("nothing ready");
  r.see_eir("nothing ready.eir");
}

}  // namespace

const std::vector<Script>& register_scripts() {
  static const std::vector<Script> kScripts = {
      {"reset_values", "every register after power-on", reset_values},
      {"writable_bits", "all ones and all zeros into every stored register, in address order",
       writable_bits},
      {"driver_values", "the values a driver writes, read back", driver_values},
      {"eir_write_one_clears", "single EIR bits cleared, 0 written", eir_write_one_clears},
      {"ecr_bits", "which bits ECR keeps", ecr_bits},
      {"ecr_reset", "ECR.RESET after use: every register, rings stopped", ecr_reset},
      {"soft_stop_keeps_registers", "ETHEREN 1 to 0 keeps the register file",
       soft_stop_keeps_registers},
      {"narrow_reads", "1- and 2-octet reads", narrow_reads},
      {"rdar_rules", "RDAR while disabled, enabled, written with 0, after a stop", rdar_rules},
      {"rdar_without_empty", "RDAR with no empty descriptor", rdar_without_empty},
      {"tdar_rules", "TDAR while disabled, with any value, with nothing ready", tdar_rules},
  };
  return kScripts;
}

}  // namespace doorbell::qemu
