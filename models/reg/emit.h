// Text made from a register table: a SystemVerilog package and a Markdown table.
//
// Both are committed in the repository and a test compares them, so RTL and documentation cannot
// drift from the model. Output depends on the table and the options only.
// SystemVerilog names follow lowRISC style: parameters FEC_EIR_OFFSET, FEC_EIR_RESET, and for each
// field FEC_EIR_TXF0_LSB and FEC_EIR_TXF0_MASK. Not emitted: RTL of the register file itself.
#pragma once

#include <string>

#include "models/reg/reg_spec.h"

namespace doorbell::reg {

struct EmitOptions {
  std::string prefix;  ///< "FEC": begins every parameter; in lower case the package is fec_regs_pkg
  std::string title;   ///< heading, for example "NXP FEC (ENET of the i.MX8MP)"
  std::string source;  ///< file that holds the table; named in the header of the output
  unsigned offset_bits = 12;  ///< width of the offsets; must hold the table's last one
};

std::string emit_sv_package(const RegTable& table, const EmitOptions& options);
std::string emit_markdown(const RegTable& table, const EmitOptions& options);

}  // namespace doorbell::reg
