#include "testbenches/system/qemu/anchors.h"

#include <algorithm>

namespace doorbell::qemu {

const std::vector<Anchor>& anchors() {
  static const std::vector<Anchor> kAnchors = {
      {"reset_values", "ECR", "0xf0000000"},
      {"reset_values", "RCR", "0x05ee0001"},
      {"reset_values", "MIBC", "0xc0000000"},
      {"reset_values", "OPD", "0x00010000"},
      {"reset_values", "TIPG", "0x0000000c"},
      {"reset_values", "FTRL", "0x000007ff"},
      {"reset_values", "ATPER", "0x3b9aca00"},
      {"writable_bits", "RCR.ones", "0x07ff003f"},
      {"writable_bits", "MRBR.ones", "0x00003ff0"},
      {"writable_bits", "RDSR.ones", "0xfffffff8"},
      {"writable_bits", "TFWR.ones", "0x0000013f"},
      {"writable_bits", "RACC.ones", "0x000000c7"},
      {"writable_bits", "ATINC.ones", "0x00007f7f"},
      {"tx_single_legacy", "frame.sent.frames", "60 B *"},
      {"tx_single_legacy", "frame.eir", "TXF TXB"},
      {"tx_single_legacy", "bd.status", "0x2c00"},
      {"tx_single_legacy", "bd.length", "60"},
      {"tx_wrap_legacy", "four.sent.frames", "60 B *, 61 B *, 62 B *, 63 B *"},
      {"tx_wrap_legacy", "bd3.status", "0x2c00"},
      {"tx_wrap_legacy", "after wrap.sent.frames", "70 B *"},
      {"tx_gather_legacy", "gathered.sent.frames", "100 B *"},
      {"tx_gather_legacy", "bd0.status", "0x0000"},
      {"tx_gap_legacy", "first.sent.frames", "60 B *"},
      {"tx_gap_legacy", "resumed.sent.frames", "61 B *, 62 B *"},
      {"tx_partial_drop", "half.sent.count", "0"},
      {"tx_partial_drop", "rest.sent.frames", "70 B *"},
      {"tx_restart_legacy", "restarted.sent.frames", "64 B *"},
      {"tx_over_max_fl", "long.eir", "TXF TXB"},
      {"tx_short", "short.sent.frames", "20 B *, 59 B *"},
      {"tx_unmapped", "sent.frames", "60 B *"},
      {"tx_int_gating", "INT 0.eir", "-"},
      {"tx_int_gating", "INT 0.bd.bdu", "0x80000000"},
      {"tx_int_gating", "INT 1.eir", "TXF TXB"},
      {"rx_simple_legacy", "armed.rdar", "0x01000000"},
      {"rx_simple_legacy", "bd0.length", "64"},
      {"rx_simple_legacy", "second.rdar", "0x00000000"},
      {"rx_exhausted_legacy", "one more.bd0.length", "66"},
      {"rx_split_legacy", "300.eir", "RXF RXB"},
      {"rx_split_legacy", "300.bd0.length", "128"},
      {"rx_split_legacy", "300.bd2.length", "48"},
      {"rx_truncated_enhanced", "1004.bd1.status", "0x0821"},
      {"rx_shift16_enhanced", "bd0.length", "66"},
      {"rx_int_gating", "INT 0.eir", "-"},
      {"rx_filter_exact", "other.eir", "RXF"},
      {"irq_mask", "mask 0", "-"},
      {"irq_mask", "mask TXF", "raised"},
      {"irq_mask", "TXF cleared", "-"},
      {"mdio", "ID1.data", "0x00000007"},
      {"mdio", "ID2.data", "0x0000c0d1"},
      {"mdio", "nobody.data", "0x0000ffff"},
  };
  return kAnchors;
}

std::vector<std::string> missed_anchors(const std::string& script, const Log& qemu) {
  std::vector<std::string> misses;
  for (const Anchor& anchor : anchors()) {
    if (script != anchor.script) continue;
    const auto found = std::find_if(qemu.begin(), qemu.end(),
                                    [&](const Observation& o) { return o.label == anchor.label; });
    if (found == qemu.end()) {
      misses.push_back(std::string("no observation ") + anchor.label);
    } else if (!matches(anchor.value, found->value)) {
      misses.push_back(std::string(anchor.label) + " is " + found->value + ", measured was " +
                       anchor.value);
    }
  }
  return misses;
}

}  // namespace doorbell::qemu
