// Driver of the Intel E810 ("ice"): admin queue, queue contexts, RSS, one vector with its own NAPI
// per core, sk_buffs with scatter-gather and TSO, native XDP with three ways to report transmits.
//
// Written on hal and stack; knows nothing of the device's model but its contract. Behaviour is that
// of Linux 6.12 drivers/net/ethernet/intel/ice, the XDP transmit path that of 5.15, of kernel
// commit 9610bd988df9, or of 6.12 (IceDriverConfig::rs). Receive buffers are whole pages of a page
// pool, one a descriptor, where Linux 6.12 splits pages in halves. Not modelled: AF_XDP, XDP on
// frames of several buffers, VFs, DCB, flow director, tunnels, time stamps, BQL's limit (only its
// batching of doorbells), DDP package contents. Timing: hardware accesses charge themselves; the
// driver adds DriverRx per received descriptor, DriverTx and DriverClean per transmit descriptor,
// MapSetup, TxLock. Any HAL call may let another core run in between: what the cores share is
// locked, or raced for as in Linux. Nothing allocates per packet. Files: ice_driver.cc (life
// cycle), ice_reset.cc (bring-up, service task), ice_setup.cc (rings and contexts), ice_vector.cc
// (interrupt and poll), ice_itr.cc, ice_rx.cc, ice_tx.cc, ice_tso.cc, ice_clean.cc, ice_xdp.cc,
// ice_xdp_ring.cc, ice_ethtool.cc, ice_adminq.cc, ice_dim.cc.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/drivers/ice/ice_adminq.h"
#include "sim/drivers/ice/ice_config.h"
#include "sim/drivers/ice/ice_statistics.h"
#include "sim/drivers/ice/ice_vector.h"
#include "sim/hal/hal.h"
#include "sim/stack/net_stack.h"

namespace doorbell::drivers::ice {

/// The machine as this driver sees it. All share registers, memory, barriers and the running CPU.
struct IceHals {
  hal::Hal* misc = nullptr;  ///< MSI-X vector 0: firmware and other causes; admin work
  std::vector<hal::Hal*>
      vectors;        ///< MSI-X vector i + 1: interrupt line 0, NAPI and timers of core i
  unsigned cpus = 0;  ///< cores that may call in; 0: one a vector
};

/// Looks at memory and device without cost or side effect; for ledgers and reports only.
class DevicePeek {
 public:
  virtual ~DevicePeek() = default;
  virtual uint16_t peek16(hal::DmaAddr addr) const = 0;
  /// Index of the first descriptor of a transmit queue that the device has not sent.
  virtual uint32_t tx_head(unsigned queue) const = 0;
};

class IceDriver : public stack::NetDevice {
 public:
  /// Largest MTU whose frames fit one receive buffer: a program sees one buffer only.
  static constexpr uint32_t kMaxXdpMtu = 3072 - 26;

  /// Touches no hardware. Everything handed in must outlive the driver.
  IceDriver(const IceHals& hals, stack::NetStack& stack, const IceDriverConfig& config);
  ~IceDriver() override;

  /// Resets the function, brings the admin queue up, asks what there is, sets RSS and the misc
  /// vector, registers with the stack. 0, or a negative errno (-EINVAL: check() refuses the
  /// configuration).
  int probe();

  // stack::NetDevice
  const char* name() const override { return "ice"; }
  int open() override;
  void stop() override;
  stack::TxStatus xmit(stack::SkBuff& skb, uint16_t queue) override;
  int xdp_xmit(stack::XdpFrame* const* frames, int count) override;
  int xdp_xmit_more(stack::XdpFrame* const* frames, int count) override;
  uint16_t select_queue(const stack::SkBuff& skb) override;
  void tx_timeout(uint16_t queue) override;
  int set_xdp_program(stack::XdpProgram* program) override;
  bool accepts_xdp_frames() const override { return running() && !xdp_.empty(); }
  stack::DropReason xdp_refusal() const override { return xdp_refusal_; }

  // ethtool.
  /// Ring sizes: 0 or -EINVAL; reopens a running device.
  int set_ring_sizes(uint32_t rx, uint32_t tx);
  /// 0, or -EINVAL beyond 8160 and 236 us.
  int set_coalesce(const ItrSetting& rx, const ItrSetting& tx, uint32_t intrl_micros);
  /// Indirection table: 64, 512 or 2048 queue numbers; and key. 0 or a negative errno.
  int set_rss(const std::vector<uint8_t>& lut, const RssKey& key);
  /// 0, or -EINVAL; -EOPNOTSUPP when a program is attached and a frame would not fit one buffer.
  int set_mtu(uint32_t mtu);

  const IceStatistics& statistics() const { return stats_; }
  /// Driver counters by name, sums over the rings. Costs nothing.
  std::vector<StatisticRow> statistic_rows() const;

  /// For the ledger; without cost. Frames in receive rings that poll() has not taken yet.
  uint64_t pending_rx(const DevicePeek& peek) const;
  /// Frames submitted and not reclaimed yet.
  uint64_t pending_tx() const;
  /// Of those, frames that the device has not sent.
  uint64_t pending_tx_device(const DevicePeek& peek) const;
  /// Lets stop() count exactly what it throws away (rx_ring_reset, tx_ring_reset).
  void set_peek(const DevicePeek* peek) { peek_ = peek; }

  const IceDriverConfig& config() const { return config_; }
  unsigned queues() const { return queues_; }
  const TxRing& tx_ring(unsigned i) const { return tx_[i]; }
  const TxRing& xdp_ring(unsigned i) const { return xdp_[i]; }
  unsigned xdp_rings() const { return static_cast<unsigned>(xdp_.size()); }
  bool xdp_rings_shared() const { return xdp_shared_; }
  const RxRing& rx_ring(unsigned i) const { return rx_[i]; }
  /// Receive page pool, for failure injection; nullptr while closed.
  stack::PagePool* rx_pool(unsigned i) { return rx_[i].pool.get(); }
  const IceVector& vector(unsigned i) const { return *vectors_[i]; }
  const AdminQueue& admin() const { return admin_; }
  uint32_t rx_buffer_bytes() const { return rx_buffer_; }

  // Called by vectors and deferred work.
  int poll(IceVector& vector, int budget);
  bool misc_interrupt();
  void service();
  void apply_dim(IceVector& vector, RingContainer& container);

 private:
  enum class XdpResult : uint8_t { kPass, kConsumed, kTx, kRedirected };
  struct XdpSend {
    TxKind kind = TxKind::kXdpTx;
    stack::Page* page = nullptr;
    stack::XdpFrame* frame = nullptr;
    const uint8_t* data = nullptr;
    uint32_t length = 0;
  };
  // Why an XDP ring did not take a frame.
  enum class XdpSent : uint8_t { kTaken, kFull, kMapFailed };
  // What a transmit descriptor of an sk_buff carries besides its buffer.
  struct TxOffloads {
    uint32_t cmd = 0;
    uint32_t maclen = 0;
    uint32_t iplen = 0;
    uint32_t l4len = 0;
    uint16_t tag = 0;
    bool tso = false;
    uint32_t header_bytes = 0;
    uint32_t tso_bytes = 0;
    uint32_t mss = 0;
  };

  // ice_reset.cc
  int bring_up();
  int reset_function();
  int reset_device(unsigned level);
  bool wait_register(uint32_t offset, uint32_t mask, uint32_t value, unsigned polls);
  int read_capabilities();
  int read_mac();
  int load_package();
  int add_vsi();
  int configure_rss();
  int configure_link();
  void configure_itr_unit();
  void enable_misc_vector();
  void disable_misc_vector();
  void handle_event(const hw::IceAqDesc& event);
  void handle_malicious();
  void check_for_hang();
  void recover();

  // ice_driver.cc
  void link_change(bool up);
  void quiesce();
  void free_everything();
  bool wait_for_polls();
  void count_reset_losses();
  int reopen();

  // ice_setup.cc
  int count_xdp_rings();
  int alloc_rings();
  int alloc_tx(TxRing& ring, unsigned queue);
  int alloc_rx(RxRing& ring, unsigned queue);
  void init_xdp_ring(TxRing& ring);
  void map_rings();
  void free_tx(TxRing& ring);
  void free_rx(RxRing& ring);
  int start_tx(TxRing& ring);
  int start_rx(RxRing& ring);
  int enable_rx_rings();
  void route_causes();
  void stop_causes();
  void stop_tx(TxRing& ring);
  void stop_rx_rings();

  // ice_itr.cc
  void write_itr(const IceVector& vector, unsigned itr, uint32_t micros);
  void write_intrl(const IceVector& vector, uint32_t micros);
  void configure_moderation(IceVector& vector);
  void init_moderation(IceVector& vector);
  void set_wb_on_itr(IceVector& vector);
  void enable_interrupt(IceVector& vector);
  void software_interrupt(const IceVector& vector);
  void net_dim(IceVector& vector);
  void sample_dim(IceVector& vector, RingContainer& container, uint64_t packets, uint64_t bytes);

  // ice_rx.cc
  int receive(RxRing& ring, int budget);
  bool take_descriptor(RxRing& ring, uint64_t status);
  void end_of_frame(RxRing& ring, uint64_t status);
  XdpResult one_buffer(RxRing& ring, const RxPart& part, uint64_t status);
  void pass_up(RxRing& ring, uint64_t status, const RxPart* parts, unsigned count);
  void drop_frame(RxRing& ring, stack::DropReason reason);
  bool refill(RxRing& ring, uint32_t count);
  void release_rx(RxRing& ring, uint32_t ntu);

  // ice_tx.cc, ice_tso.cc
  bool linearize(stack::SkBuff& skb);
  bool too_scattered(const stack::SkBuff& skb, uint32_t count) const;
  bool pad(stack::SkBuff& skb);
  bool offloads_of(stack::SkBuff& skb, TxOffloads& off);
  bool prepare_tso(stack::SkBuff& skb, TxOffloads& off);
  void write_context(TxRing& ring, const TxOffloads& off);
  bool map_skb(TxRing& ring, stack::SkBuff& skb, uint32_t first, const TxOffloads& off,
               uint32_t& end);
  bool map_part(TxRing& ring, uint32_t slot, const uint8_t* data, uint32_t bytes,
                const TxOffloads& off, bool final, uint32_t& index);
  void unwind(TxRing& ring, uint32_t first, uint32_t end);
  void copy_frags(stack::SkBuff& skb, uint8_t* to, uint32_t room, uint32_t& taken);
  void put_frag_page(stack::SkBuff& skb, unsigned i);
  bool stop_if_full(TxRing& ring, uint32_t needed);
  stack::TxStatus drop_skb(TxRing& ring, stack::SkBuff& skb, stack::DropReason reason);
  void flush_deferred(TxRing& ring);
  void ring_doorbell(TxRing& ring);
  hal::DmaAddr map(const uint8_t* data, uint32_t bytes, bool& ok);
  void write_data(TxRing& ring, uint32_t index, hal::DmaAddr address, uint64_t qw1);

  // ice_clean.cc
  bool clean_tx(TxRing& ring);
  void release(TxBuf& buf);
  void purge(TxRing& ring);

  // ice_xdp.cc, ice_xdp_ring.cc
  XdpResult run_xdp(RxRing& ring, stack::XdpBuff& buff);
  XdpResult xdp_tx(RxRing& ring, stack::XdpBuff& buff);
  void xdp_consume(stack::XdpBuff& buff, stack::DropReason reason);
  void finalize_xdp(RxRing& ring, bool sent, bool redirected, uint32_t first);
  int xdp_submit(stack::XdpFrame* const* frames, int count, bool flush);
  TxRing& xdp_ring_of_cpu();
  XdpSent xdp_send(TxRing& ring, const XdpSend& send);
  XdpSent send_every(TxRing& ring, const XdpSend& send);
  XdpSent send_threshold(TxRing& ring, const XdpSend& send);
  XdpSent send_quarter(TxRing& ring, const XdpSend& send);
  bool fill_slot(TxRing& ring, const XdpSend& send, uint32_t cmd);
  void request_report(TxRing& ring, uint32_t index);
  void clean_threshold(TxRing& ring);
  uint32_t clean_quarter(TxRing& ring);
  void close_batch(TxRing& ring, uint32_t first);
  void xdp_doorbell(TxRing& ring);
  void lock(TxRing& ring);
  void unlock(TxRing& ring);

  uint32_t rd(uint32_t reg) { return hal_.mmio.read32(reg); }
  void wr(uint32_t reg, uint32_t value) { hal_.mmio.write32(reg, value); }
  unsigned msix(unsigned vector) const { return first_vector_ + vector + 1; }

  hal::Hal& hal_;
  IceHals hals_;
  stack::NetStack& stack_;
  IceDriverConfig config_;
  stack::XdpProgram* program_ = nullptr;  // native
  AdminQueue admin_;
  std::vector<std::unique_ptr<IceVector>> vectors_;
  std::vector<TxRing> tx_;
  std::vector<TxRing> xdp_;
  std::vector<RxRing> rx_;
  std::vector<std::unique_ptr<stack::PagePool>> retired_pools_;  // closed with pages in flight
  hal::DmaAddr lock_words_ = 0;
  bool xdp_shared_ = false;
  bool probed_ = false;
  bool link_ = false;
  unsigned queues_ = 0;
  unsigned cpus_ = 0;
  unsigned pf_ = 0;
  uint16_t vsi_ = 0;
  unsigned first_tx_ = 0;
  unsigned first_rx_ = 0;
  unsigned first_vector_ = 0;
  unsigned tx_available_ = 0;
  uint32_t rx_buffer_ = 0;
  uint32_t max_frame_ = 0;
  unsigned reset_level_ = 0;
  uint64_t last_mdd_seen_ = 0;
  base::Picos last_reset_;
  std::vector<uint8_t> lut_;
  stack::DropReason xdp_refusal_ = stack::DropReason::kRedirectRingFull;
  const DevicePeek* peek_ = nullptr;
  IceStatistics stats_;

  // Runs one member function as deferred work on the misc core.
  class Deferred : public hal::Work {
   public:
    using Method = void (IceDriver::*)();
    Deferred(IceDriver& driver, Method method) : driver_(driver), method_(method) {}
    void run_work() override { (driver_.*method_)(); }

   private:
    IceDriver& driver_;
    Method method_;
  };
  class MiscHandler : public hal::IrqHandler {
   public:
    explicit MiscHandler(IceDriver& driver) : driver_(driver) {}
    bool handle_irq(unsigned) override { return driver_.misc_interrupt(); }

   private:
    IceDriver& driver_;
  };
  MiscHandler misc_handler_{*this};
  Deferred service_work_{*this, &IceDriver::service};
  Deferred recover_work_{*this, &IceDriver::recover};
};

}  // namespace doorbell::drivers::ice
