// The statistics registers of port and VSIs.
//
// Counters run freely and are read live; GLPRT and GLV registers count octets with FCS, 40 bits
// wide, low and high word apart. Not modelled: size bins, flow control, the latch of high words.
// Source: Linux 6.12 ice_hw_autogen.h, ice_main.c (ice_update_pf_stats).
#pragma once

#include <vector>

#include "models/ice/ice_core.h"

namespace doorbell::ice {

class Stats {
 public:
  explicit Stats(Core& core);

  void hook();
  /// A frame without FCS.
  void count_rx(unsigned vsi, const uint8_t* frame, uint32_t bytes) {
    count(port_.rx, frame, bytes);
    count(vsis_[vsi].rx, frame, bytes);
  }
  void count_tx(unsigned vsi, const uint8_t* frame, uint32_t bytes) {
    count(port_.tx, frame, bytes);
    count(vsis_[vsi].tx, frame, bytes);
  }
  void count_rdpc(unsigned vsi) { ++vsis_[vsi].rdpc; }
  void count_tepc(unsigned vsi) { ++vsis_[vsi].tepc; }
  void count_tx_link_down() { ++link_down_; }
  void reset();

 private:
  struct Direction {
    uint64_t octets = 0;
    uint64_t unicast = 0;
    uint64_t multicast = 0;
    uint64_t broadcast = 0;
  };
  struct Both {
    Direction rx;
    Direction tx;
    uint64_t rdpc = 0;
    uint64_t tepc = 0;
  };
  static void count(Direction& d, const uint8_t* frame, uint32_t bytes) {
    d.octets += bytes + net::kFcsBytes;
    if ((frame[0] & 1) == 0) {
      ++d.unicast;
    } else if ((base::load_le<uint64_t>(frame) & 0xFFFFFFFFFFFFu) == 0xFFFFFFFFFFFFu) {
      ++d.broadcast;
    } else {
      ++d.multicast;
    }
  }
  uint32_t read_port(uint32_t offset, uint32_t stored);
  uint32_t read_vsi(uint32_t offset, uint32_t stored);
  uint32_t read_vsi_drops(uint32_t offset, uint32_t stored);
  uint32_t read_pcie(uint32_t offset, uint32_t stored);

  Core& core_;
  Both port_;
  std::vector<Both> vsis_;
  uint64_t link_down_ = 0;
};

}  // namespace doorbell::ice
