// The tsnep rings as the ring checks need them.
//
// From the contract headers only. A ring begins when its descriptor address is written, with bit 0
// resetting the owner counter; its blocks are found by their links. Transmit frames are
// acknowledged on their first fragment, inline data has no buffer; a receive buffer begins with 16
// bytes of metadata, which are part of it. The kick is the enable bit in CONTROL: descriptors that
// are handed over without one are a finding when the ring stops. Receive stops by its own bit;
// transmit never does, the driver waits until it has drained.
#pragma once

#include <string>

#include "models/tsnep/tsnep_desc.h"
#include "models/tsnep/tsnep_limits.h"
#include "models/tsnep/tsnep_regs.h"
#include "sim/hal/checks/ring_spec.h"

namespace doorbell::hal::checks {

/// `name` goes in front of "rx0" or "tx0"; `load_barrier`: demand a dma_rmb between the
/// acknowledgement and the write-back's other words.
inline RingSpec tsnep_ring(const std::string& name, unsigned queue, bool receive,
                           bool load_barrier = true) {
  namespace hw = doorbell::tsnep;
  RingSpec spec;
  spec.name = name + (receive ? " rx" : " tx") + std::to_string(queue);
  spec.handing = Handing::kCounter;
  spec.direction = receive ? DmaDir::kFromDevice : DmaDir::kToDevice;
  spec.stride = hw::kBlockBytes;
  spec.count = hw::kRingSize;
  spec.base_register =
      receive ? hw::reg::rx_desc_addr_low(queue) : hw::reg::tx_desc_addr_low(queue);
  spec.base_high_register =
      receive ? hw::reg::rx_desc_addr_high(queue) : hw::reg::tx_desc_addr_high(queue);
  spec.base_mask = hw::desc_addr::kAddress;
  spec.reset_mask = hw::desc_addr::kResetOwnerCounter;
  spec.next = {hw::kOffDesc + hw::kOffNext, 8};
  spec.ownership = {hw::kOffDesc + hw::kOffProperties, 4};
  spec.owner_mask = hw::props::kOwnerCounter;
  spec.address = {hw::kOffDesc + hw::kOffBuffer, 8};
  spec.echo = {hw::kOffWriteback + hw::kOffWbProperties, 4};
  spec.load_barrier = load_barrier;
  spec.doorbell_register = hw::reg::control(queue);
  spec.needs_doorbell = true;
  if (receive) {
    spec.length = {hw::kOffDesc + hw::kOffProperties, 4, 0, hw::props::kBufferSize};
    spec.echo_mask = hw::props::kRxOwnerMask;
    spec.doorbell_mask = hw::control::kRxEnable;
    spec.stop_register = hw::reg::control(queue);
    spec.stop_mask = hw::control::kRxDisable;
  } else {
    spec.length = {hw::kOffDesc + hw::kOffMoreProperties, 4, 0, hw::props::kLength};
    spec.echo_mask = hw::props::kTxOwnerMask;
    spec.first_mask = hw::props::kLength;
    spec.last_mask = hw::props::kLastFragment;
    spec.no_buffer_owner = hw::props::kDataAfterDesc;
    spec.doorbell_mask = hw::control::kTxEnable;
  }
  return spec;
}

}  // namespace doorbell::hal::checks
