// The sequences that both FECs are put through.
//
// Each script is a function of a Rig and has no other input, so it does the same on both targets.
// scripts() lists all of them; the files scripts_*.cc hold them by subject.
#pragma once

#include <vector>

#include "testbenches/system/qemu/rig.h"

namespace doorbell::qemu {

struct Script {
  const char* name;
  const char* what;  // for the test plan, one line
  void (*run)(Rig&);
  bool model_drops_partial = false;  // the model's partial_frame_policy: drop instead of wait
};

const std::vector<Script>& register_scripts();
const std::vector<Script>& tx_scripts();
const std::vector<Script>& rx_scripts();
const std::vector<Script>& mac_scripts();
const std::vector<Script>& random_scripts();
std::vector<Script> scripts();

}  // namespace doorbell::qemu
