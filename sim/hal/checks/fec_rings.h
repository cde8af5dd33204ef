// The FEC's six rings as the ring checks need them.
//
// From the contract headers only. Ring bases come from RDSR and TDSR, the receive buffer size from
// MRBR. The rings live while ECR.ETHEREN is set, each from the first RDAR or TDAR write
// on that finds a descriptor: the engine idles before. A doorbell without work is legal here (RDAR
// is written per packet, TDAR again by workarounds).
#pragma once

#include <array>
#include <string>

#include "models/fec/fec_desc.h"
#include "models/fec/fec_limits.h"
#include "models/fec/fec_regs.h"
#include "sim/hal/checks/ring_spec.h"

namespace doorbell::hal::checks {

struct FecRingSizes {
  uint32_t rx = doorbell::fec::kDefaultRxRingSize;
  uint32_t tx = doorbell::fec::kDefaultTxRingSize;
};

/// `name` goes in front of "rx0" ... "tx2" in messages; `load_barrier`: demand a dma_rmb behind the
/// status word (Linux 6.12 has none on receive).
inline std::array<RingSpec, 2 * doorbell::fec::kRings> fec_rings(const std::string& name,
                                                                 doorbell::fec::DescFormat format,
                                                                 const FecRingSizes& sizes,
                                                                 bool load_barrier = false) {
  namespace fec = doorbell::fec;
  std::array<RingSpec, 2 * fec::kRings> rings;
  for (unsigned i = 0; i < 2 * fec::kRings; ++i) {
    RingSpec& spec = rings[i];
    const unsigned q = i % fec::kRings;
    const bool rx = i < fec::kRings;
    spec.name = name + (rx ? " rx" : " tx") + std::to_string(q);
    spec.direction = rx ? DmaDir::kFromDevice : DmaDir::kToDevice;
    spec.stride = fec::stride(format);
    spec.count = rx ? sizes.rx : sizes.tx;
    spec.base_register = rx ? fec::reg::rdsr(q) : fec::reg::tdsr(q);
    spec.base_mask = fec::fifo::kDescBase;
    spec.enable_register = fec::reg::kEcr;
    spec.enable_mask = fec::ecr::kEtherEn;
    spec.waits_for_doorbell = true;
    spec.doorbell_register = rx ? fec::reg::rdar(q) : fec::reg::tdar(q);
    spec.ownership = {fec::kOffStatus, 2};
    spec.owner_mask = spec.device_value = rx ? fec::rx_sc::kEmpty : fec::tx_sc::kReady;
    spec.wrap_mask = rx ? fec::rx_sc::kWrap : fec::tx_sc::kWrap;
    spec.address = {fec::kOffAddress, 4};
    if (rx) {
      spec.buffer_register = fec::reg::mrbr(q);
      spec.buffer_mask = fec::fifo::kMrbr;
      spec.load_barrier = load_barrier;
    } else {
      spec.length = {fec::kOffLength, 2};
    }
  }
  return rings;
}

}  // namespace doorbell::hal::checks
