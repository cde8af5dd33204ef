// What a script acts with: registers, rings, buffers and frames of one target, and its log.
//
// A script sees nothing of what the target answers: every look goes into the log and returns
// nothing, so a script runs the same way on every target. Layout of memory: kRx, kTx (rings), kData
// (buffers); a ring's buffers are kBufferStep apart.
#pragma once

#include <string>

#include "models/fec/fec_desc.h"
#include "models/fec/fec_regs.h"
#include "models/net/frame.h"
#include "testbenches/system/qemu/observation.h"
#include "testbenches/system/qemu/target.h"

namespace doorbell::qemu {

inline constexpr net::MacAddress kOwnMac{{0x02, 0x00, 0x5E, 0x10, 0x00, 0x01}};
inline constexpr net::MacAddress kPeerMac{{0x02, 0x00, 0x5E, 0x10, 0x00, 0x02}};
inline constexpr net::MacAddress kOtherMac{{0x02, 0x00, 0x5E, 0x10, 0x00, 0x03}};

/// A frame of `bytes` octets without FCS, of an experimental type, filled from `seed`.
Bytes test_frame(size_t bytes, uint32_t seed = 1, const net::MacAddress& to = kOwnMac);
/// An IPv4 or IPv6 frame with `payload` octets behind an L4 header; checksum fields are zero.
Bytes ip_frame(bool ipv6, uint8_t protocol, size_t payload, uint32_t seed = 1);
/// The same with right checksums.
Bytes checksummed(Bytes frame);

class Rig {
 public:
  Rig(Target& target, unsigned phy_address) : target_(target), phy_address_(phy_address) {}

  static constexpr uint32_t kRx = kRamBase + 0x100000;
  static constexpr uint32_t kTx = kRamBase + 0x110000;  // ring n: + n * kRingStep
  static constexpr uint32_t kRingStep = 0x10000;
  static constexpr uint32_t kRxRingStep = 0x4000;
  static constexpr uint32_t kRxData = kRamBase + 0x200000;
  static constexpr uint32_t kTxData = kRamBase + 0x400000;
  static constexpr uint32_t kBufferStep = 0x1000;
  static constexpr uint32_t kEnable = fec::ecr::kEtherEn | fec::ecr::kSpeed | fec::ecr::kDbSwp;
  static constexpr uint32_t kRcrBase = 0x05EE0000 | fec::rcr::kMiiMode | fec::rcr::kRgmiiEn;
  static constexpr uint32_t kMrbr = 0x600;

  // Acts.
  void write(uint32_t offset, uint32_t value) { target_.write32(offset, value); }
  void settle() { target_.settle(); }
  void inject(const Bytes& frame) { target_.inject({frame.data(), frame.size()}); }
  void store(uint32_t addr, const Bytes& bytes) {
    target_.mem_write(addr, {bytes.data(), bytes.size()});
  }
  /// Our address, full duplex, ring addresses, both AVB classes on; ETHEREN stays 0.
  void configure(bool enhanced);
  void enable();
  void disable() { write(fec::reg::kEcr, 0); }
  bool enhanced() const { return enhanced_; }

  /// Writes a descriptor of transmit ring `ring`, and its buffer at `addr` (0: the entry's own).
  /// `control` is the enhanced option word and ignored in legacy format.
  void tx(unsigned ring, unsigned index, const Bytes& data, uint16_t status,
          uint32_t control = fec::tx_esc::kInt, uint32_t addr = 0);
  /// Changes only the status halfword of a transmit descriptor.
  void tx_status(unsigned ring, unsigned index, uint16_t status);
  void tx_kick(unsigned ring = 0, uint32_t value = 0) { write(fec::reg::tdar(ring), value); }
  /// Writes an empty receive descriptor with its buffer filled with 0xEE.
  void rx(unsigned index, uint16_t status, uint32_t control = fec::rx_esc::kInt, unsigned ring = 0);
  void rx_kick(uint32_t value = 0, unsigned ring = 0) { write(fec::reg::rdar(ring), value); }

  // Looks.
  void see_reg(const std::string& label, uint32_t offset, uint32_t mask = ~0u);
  void see_eir(const std::string& label);
  /// EIR as it is, then everything in it is cleared.
  void see_and_clear_eir(const std::string& label);
  void see_narrow(const std::string& label, uint32_t offset, unsigned octets);
  /// How many frames were sent since the last look, and each of them.
  void see_sent(const std::string& label);
  /// The same, and whether it is just this one frame.
  void see_sent(const std::string& label, const Bytes& expected);
  void see_tx(const std::string& label, unsigned ring, unsigned index);
  void see_rx(const std::string& label, unsigned index, unsigned ring = 0);
  /// The same without what QEMU leaves out: control and protocol words, time stamp; and, of a
  /// frame's last of several descriptors, the length.
  void see_rx_masked(const std::string& label, unsigned index, bool with_length);
  /// `bytes` octets of a receive buffer, from `offset`.
  void see_buffer(const std::string& label, unsigned index, size_t bytes, size_t offset = 0);
  /// Whether the four octets behind `bytes` of a receive buffer are their FCS.
  void see_fcs(const std::string& label, unsigned index, size_t bytes);
  /// "raised" or "-": whether any of the device's lines is high.
  void see_irq(const std::string& label);
  void see_lines(const std::string& label);
  /// Clause 22 read of the board's PHY (or of `address`): events and data.
  void see_mdio(const std::string& label, unsigned reg, int address = -1);

  const Log& log() const { return log_; }

 private:
  uint32_t stride() const { return enhanced_ ? fec::kEnhancedStride : fec::kLegacyStride; }
  uint32_t rx_at(unsigned ring, unsigned index) const {
    return kRx + ring * kRxRingStep + index * stride();
  }
  uint32_t tx_at(unsigned ring, unsigned index) const {
    return kTx + ring * kRingStep + index * stride();
  }
  void see_desc(const std::string& label, uint32_t addr);
  void see_frames(const std::string& label, const std::vector<Bytes>& frames);
  void see(std::string label, std::string value, std::string detail = "") {
    log_.push_back({std::move(label), std::move(value), std::move(detail)});
  }
  void see_bytes(const std::string& label, const Bytes& bytes);

  Target& target_;
  unsigned phy_address_;
  bool enhanced_ = false;
  Log log_;
};

}  // namespace doorbell::qemu
