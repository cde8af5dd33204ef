// Driver of the NXP ENET/FEC as on the i.MX8MP, in the shape of Linux's: three receive and three
// transmit rings served by one NAPI, native XDP, sk_buffs with scatter-gather and TSO.
//
// Written on hal and stack; knows nothing of the device's model but the register and descriptor
// contract. The version modelled is that of Linux 6.5 with XDP_TX (fec_main.c; 1024 transmit
// descriptors); what later versions changed is a key of FecDriverConfig. Timing: hardware accesses
// charge themselves, and the driver adds DriverRx per packet, DriverTx and DriverClean per
// descriptor, TxLock and MapSetup. Not modelled: runtime power management, suspend, Wake-on-LAN,
// EEE, PPS output, bounce buffers. Calls advance the calling core's time and do not block;
// nothing allocates per packet. Files: fec_driver.cc (life cycle, interrupt, poll), fec_memory.cc,
// fec_rx.cc, fec_tx.cc, fec_tso.cc, fec_clean.cc, fec_xdp.cc, fec_mdio.cc, fec_phy.cc, fec_ptp.cc,
// fec_ethtool.cc.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/fec/fec_regs.h"
#include "sim/drivers/fec/fec_config.h"
#include "sim/drivers/fec/fec_ring.h"
#include "sim/hal/hal.h"
#include "sim/stack/net_stack.h"

namespace doorbell::drivers::fec {

/// What the driver counts, as in rtnl_link_stats64 and `ethtool -S`.
struct FecStatistics {
  uint64_t rx_packets = 0;
  uint64_t rx_bytes = 0;
  uint64_t rx_errors = 0;
  uint64_t rx_dropped = 0;
  uint64_t rx_length_errors = 0;
  uint64_t rx_crc_errors = 0;
  uint64_t rx_frame_errors = 0;
  uint64_t rx_fifo_errors = 0;
  uint64_t rx_csum_good = 0;
  uint64_t rx_vlan_stripped = 0;
  uint64_t tx_submitted = 0;  ///< frames handed to a transmit ring, of whatever kind
  uint64_t tx_packets = 0;
  uint64_t tx_bytes = 0;
  uint64_t tx_errors = 0;
  uint64_t tx_dropped = 0;
  uint64_t tx_timeouts = 0;
  uint64_t tx_doorbells = 0;
  uint64_t tx_doorbells_skipped = 0;  ///< ERR007885 rule: TDAR stayed set over four reads
  uint64_t tx_timestamps = 0;
  uint64_t tx_kicks = 0;  ///< ERR006358 check found a stalled ring
  uint64_t rx_xdp_redirect = 0;
  uint64_t rx_xdp_pass = 0;
  uint64_t rx_xdp_drop = 0;
  uint64_t rx_xdp_tx = 0;
  uint64_t rx_xdp_tx_errors = 0;
  uint64_t tx_xdp_xmit = 0;
  uint64_t tx_xdp_xmit_errors = 0;
  uint64_t restarts = 0;
  uint64_t interrupts = 0;
  uint64_t polls = 0;
  uint64_t graceful_stop_timeouts = 0;
  uint64_t mdio_timeouts = 0;
};

/// One line of a statistics report.
struct StatisticRow {
  std::string name;
  uint64_t value = 0;
  std::string help;
};

/// Looks at coherent memory without cost or side effect; for ledgers and reports only.
class CoherentPeek {
 public:
  virtual ~CoherentPeek() = default;
  virtual uint16_t peek16(hal::DmaAddr addr) const = 0;
};

class FecDriver : public stack::NetDevice, public hal::IrqHandler, public hal::NapiPoll {
 public:
  /// Touches no hardware. Everything handed in must outlive the driver.
  FecDriver(hal::Hal& hal, stack::NetStack& stack, const FecDriverConfig& config);
  ~FecDriver() override;

  /// Finds the device and registers it with the stack: all probe-time register accesses, memory for
  /// the rings, interrupt and NAPI. 0, or a negative errno.
  int probe();

  // stack::NetDevice
  const char* name() const override { return "fec"; }
  int open() override;
  void stop() override;
  stack::TxStatus xmit(stack::SkBuff& skb, uint16_t queue) override;
  int xdp_xmit(stack::XdpFrame* const* frames, int count) override;
  uint16_t select_queue(const stack::SkBuff& skb) override;
  void tx_timeout(uint16_t queue) override;
  int set_xdp_program(stack::XdpProgram* program) override;
  bool accepts_xdp_frames() const override { return running() && program_ != nullptr; }
  stack::DropReason xdp_refusal() const override { return xdp_refusal_; }

  // hal::IrqHandler, hal::NapiPoll
  bool handle_irq(unsigned line) override;
  int poll(int budget) override;

  /// What the PHY says about the link has changed. Restarts or stops the device.
  void link_change(bool up, unsigned mbps, bool full_duplex);

  /// New MAC address; written to the device if it runs.
  void set_mac(const net::MacAddress& mac);
  /// New receive filter; written to the device if it runs.
  void set_rx_mode(bool promiscuous, bool all_multicast,
                   const std::vector<net::MacAddress>& multicast);
  /// 0, or -EINVAL if the device cannot count that far.
  int set_coalesce(const Coalesce& rx, const Coalesce& tx);
  const Coalesce& rx_coalesce() const { return config_.rx_coalesce; }
  const Coalesce& tx_coalesce() const { return config_.tx_coalesce; }
  /// Flow control; restarts the device if it runs.
  void set_pause(bool on);
  /// New MTU: 0, or -EINVAL outside 68..1966.
  int set_mtu(uint32_t mtu);

  /// One MDIO transfer of clause 22. A register value, or a negative errno.
  int mdio_read(unsigned phy, unsigned reg);
  int mdio_write(unsigned phy, unsigned reg, uint16_t value);
  /// The same of clause 45.
  int mdio_read45(unsigned port, unsigned device, unsigned reg);
  int mdio_write45(unsigned port, unsigned device, unsigned reg, uint16_t value);

  /// 1588 time in ns since the timer started.
  uint64_t ptp_time();
  /// Time stamp of the last packet sent that asked for one.
  uint64_t last_tx_timestamp_ns() const { return last_tx_timestamp_ns_; }

  const FecStatistics& statistics() const { return stats_; }
  /// Driver counters by name. Costs nothing.
  std::vector<StatisticRow> statistic_rows() const;
  /// The MIB counters, read from the device: costs register reads.
  std::vector<StatisticRow> read_mib();

  /// For the ledger; without cost. Frames closed by the device that poll() has not taken yet.
  uint64_t pending_rx(const CoherentPeek& peek) const;
  /// Frames submitted and not reclaimed yet, by the rings' state.
  uint64_t pending_tx() const;
  /// Of those, frames the device has not given back (R still set in their last descriptor).
  uint64_t pending_tx_device(const CoherentPeek& peek) const;
  /// Lets restarts count exactly what they throw away (rx_ring_reset, tx_ring_reset).
  void set_peek(const CoherentPeek* peek) { peek_ = peek; }

  const FecDriverConfig& config() const { return config_; }
  const RxRing& rx_ring(unsigned queue) const { return rx_[queue]; }
  const TxRing& tx_ring(unsigned queue) const { return tx_[queue]; }
  /// Receive page pool, for failure injection; nullptr while closed.
  stack::PagePool* rx_pool(unsigned queue) { return rx_[queue].pool.get(); }

 private:
  // Runs one member function as deferred work.
  class Deferred : public hal::Work {
   public:
    using Method = void (FecDriver::*)();
    Deferred(FecDriver& driver, Method method) : driver_(driver), method_(method) {}
    void run_work() override { (driver_.*method_)(); }

   private:
    FecDriver& driver_;
    Method method_;
  };
  enum class XdpResult : uint8_t { kPass, kConsumed, kRedirected };
  // What goes into one transmit descriptor of an XDP path.
  struct XdpSend {
    TxBuffer type = TxBuffer::kXdpTx;
    stack::XdpFrame* frame = nullptr;  // nullptr: the buffer itself is queued
    stack::Page* page = nullptr;
    const uint8_t* data = nullptr;
    uint32_t length = 0;
    uint32_t sync = 0;  // kXdpTx: bytes to clean
  };

  // fec_driver.cc
  void restart();
  void program_rings();
  void program_pause();
  void program_rx_mode();
  void program_coalesce();
  void stop_hardware();
  uint32_t collect_events();
  void timeout_work();

  // fec_memory.cc
  int alloc_rings();
  void free_rings();
  void init_descriptors();
  void init_rx_descriptors(RxRing& ring);
  void init_tx_descriptors(unsigned queue);
  int fill_rx_rings();
  void free_rx_buffers();
  void free_tx_buffers();
  void purge_slot(TxRing& ring, uint32_t index);
  void give_back(TxSlot& slot);
  void count_reset_losses();

  // fec_rx.cc
  int receive(int budget);
  int receive_ring(unsigned queue, int budget);
  XdpResult receive_one(unsigned queue, uint32_t index);
  void count_rx_error(uint16_t status);
  stack::Page* take_page(RxRing& ring, uint32_t index);
  void rearm(RxRing& ring, uint32_t index, uint16_t status);
  void pass_up(unsigned queue, uint32_t index, const stack::XdpBuff& buff);

  // fec_tx.cc, fec_tso.cc
  void submit_skb(stack::SkBuff& skb, unsigned queue);
  bool map_frags(stack::SkBuff& skb, unsigned queue, uint32_t& last);
  void unwind(unsigned queue, uint32_t first, uint32_t end);
  void submit_tso(stack::SkBuff& skb, unsigned queue);
  void tso_header(const stack::SkBuff& skb, unsigned queue, uint32_t index, base::ByteView header);
  bool tso_payload(const stack::SkBuff& skb, unsigned queue, uint32_t index, base::ByteView bytes,
                   bool ends_segment, bool ends_packet);
  void clear_checksums(stack::SkBuff& skb);
  uint32_t tx_esc(const stack::SkBuff& skb, unsigned queue) const;
  uint16_t tx_base_status(hal::DmaAddr bd);
  hal::DmaAddr map(const uint8_t* data, uint32_t bytes, bool& ok);
  void drop_skb(stack::SkBuff& skb, stack::DropReason reason);
  void ring_doorbell(unsigned queue);
  void submit_doorbell(unsigned queue);
  void flush_doorbells();

  // fec_clean.cc
  void clean(int budget);
  void clean_ring(unsigned queue, int budget);
  void clean_skb(TxRing& ring, uint32_t index);
  void clean_xdp(TxRing& ring, uint32_t index);

  // fec_xdp.cc
  XdpResult run_xdp(stack::XdpBuff& buff);
  void xdp_consume(stack::XdpBuff& buff, uint32_t sync, stack::DropReason reason);
  bool xdp_tx(stack::XdpBuff& buff, uint32_t sync, stack::DropReason& why);
  bool xdp_queue(unsigned queue, const XdpSend& send, stack::DropReason& why);
  unsigned xdp_tx_queue() const { return hal_.cpu.id() % hw::kRings; }

  // fec_mdio.cc, fec_phy.cc
  void mdio_init();
  bool mdio_wait();
  int mdio_transfer(uint32_t st, uint32_t op, unsigned pa, unsigned ra, uint16_t data);
  void phy_start();
  void phy_stop();
  void phy_work();

  // fec_ptp.cc
  void ptp_start();
  void ptp_save();
  void ptp_restore();
  uint32_t ptp_capture();
  uint64_t ptp_extend(uint32_t stamp) const;
  void ptp_keepalive();

  uint32_t rd(uint32_t reg) { return hal_.mmio.read32(reg); }
  void wr(uint32_t reg, uint32_t value) { hal_.mmio.write32(reg, value); }
  bool enhanced() const { return config_.enhanced_descriptors; }

  hal::Hal& hal_;
  stack::NetStack& stack_;
  FecDriverConfig config_;
  stack::XdpProgram* program_ = nullptr;  // native
  std::array<RxRing, hw::kRings> rx_;
  std::array<TxRing, hw::kRings> tx_;
  std::vector<std::unique_ptr<stack::PagePool>> retired_pools_;  // closed with pages in flight
  hal::DmaAddr bd_block_ = 0;
  uint32_t phy_speed_ = 0;  // MSCR value
  bool probed_ = false;
  bool link_ = false;
  unsigned mbps_ = 0;
  bool full_duplex_ = false;
  bool pause_ = false;          // flow control as negotiated
  bool partner_pause_ = false;  // what the link partner advertises
  bool in_poll_ = false;
  stack::DropReason xdp_refusal_ = stack::DropReason::kRedirectRingFull;
  const CoherentPeek* peek_ = nullptr;
  FecStatistics stats_;

  Deferred timeout_work_{*this, &FecDriver::timeout_work};
  Deferred phy_work_{*this, &FecDriver::phy_work};
  Deferred ptp_work_{*this, &FecDriver::ptp_keepalive};
  bool phy_running_ = false;

  // Software extension of the 31-bit 1588 counter.
  struct PtpState {
    uint32_t cycle_last = 0;
    uint64_t ns = 0;
    uint64_t saved_ns = 0;
    base::Picos saved_at;
    uint32_t saved_correction = 0;
    uint32_t saved_increment = 0;
  };
  PtpState ptp_;
  uint64_t last_tx_timestamp_ns_ = 0;
};

}  // namespace doorbell::drivers::fec
