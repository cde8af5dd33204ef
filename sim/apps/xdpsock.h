// xdpsock: an AF_XDP application on its own core, with the loops of the program of that name.
//
// Three modes: txonly, rxdrop, l2fwd. The thread spins, or blocks in poll(); it makes the system
// calls that xdpsock makes: sendto for each round of txonly while the Tx ring asks for it, recvfrom
// when there is nothing to receive and the fill ring asks for it. Costs: AppLoop a round, AppFrame
// a packet, whatever the rings' lines and the system calls cost, and the packet's first line where
// it is written (l2fwd). Frames that txonly sends are made by a FrameFiller without cost: the real
// program sends the same bytes over and over. Not modelled: statistics output, command line, busy
// polling of more than one NAPI. Source: xdp-project/bpf-examples AF_XDP-example/xdpsock.c
// (behaviour).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/base/params.h"
#include "models/base/result.h"
#include "sim/hal/process.h"
#include "sim/stack/rx_tap.h"
#include "sim/stack/xsk/socket.h"
#include "sim/stack/xsk/xsk_map.h"

namespace doorbell::apps {

enum class AppMode : uint8_t { kTxOnly, kRxDrop, kL2Fwd };

struct XdpsockConfig {
  AppMode mode = AppMode::kRxDrop;
  bool zero_copy = true;
  uint32_t batch = 64;
  bool need_wakeup = true;
  bool busy_poll = false;
  base::Picos busy_poll_hold{200000000};
  bool poll = false;
  uint32_t frame = 60;  ///< without FCS
  unsigned cpu = 1;
  uint32_t queue = 0;
  uint32_t sockets = 1;
  bool same_queue = false;
  bool shared_umem = false;
  uint32_t rx_ring = 2048;
  uint32_t tx_ring = 2048;
  uint32_t fill_ring = 4096;
  uint32_t completion_ring = 2048;
  uint32_t chunks = 4096;
  uint32_t chunk_bytes = 4096;
  bool unaligned = false;
  uint32_t headroom = 0;
  /// False: each empty round of a spinning loop is simulated. The same result, only later.
  bool skip_empty_rounds = true;
};

/// Reads and checks the values of kAppParams. Error: names the keys ("app.tx_ring ...") and what is
/// allowed.
base::Result<XdpsockConfig> xdpsock_config(const base::ParamSet& params);

/// Makes the frames that an application sends, so that whoever gets them can recognise them. Takes
/// no simulated time.
class FrameFiller {
 public:
  virtual ~FrameFiller() = default;
  /// Puts the next frame of `socket` at `to`, at most `room` bytes. Its length without FCS; 0:
  /// there is none.
  virtual uint32_t fill(uint8_t* to, uint32_t room, unsigned socket) = 0;
};

struct XdpsockCounters {
  uint64_t rounds = 0;
  uint64_t rx_packets = 0;
  uint64_t rx_bytes = 0;      ///< with FCS
  uint64_t tx_submitted = 0;  ///< descriptors put into Tx rings
  uint64_t tx_completed = 0;
  uint64_t sendtos = 0;
  uint64_t recvfroms = 0;
  uint64_t polls = 0;
  uint64_t errors = 0;  ///< system calls that failed for a reason xdpsock would give up for
};

class Xdpsock : public hal::Task {
 public:
  Xdpsock(stack::xsk::Sockets& sockets, const XdpsockConfig& config);
  ~Xdpsock() override;

  /// Who makes the frames of txonly; must be set before run_task() in that mode. Not owned.
  void set_filler(FrameFiller* filler) { filler_ = filler; }
  /// Is shown every received packet, as the application sees it. Not owned.
  void set_tap(stack::ReceiveTap* tap) { tap_ = tap; }

  /// Makes the sockets, binds them and fills the fill rings. Process context. 0, or the negative
  /// errno of the call that failed.
  int open(stack::NetDevice& device);
  /// Steers the queues to the sockets; valid after construction, works after open().
  stack::XdpProgram& program() { return program_; }
  stack::xsk::XskMap& map() { return map_; }

  /// The loop. Ends after stop(): txonly and l2fwd first wait, at most 100 ms, until everything is
  /// sent.
  void run_task(hal::Process& process) override;
  /// Ends the loop. From any context.
  void stop();
  bool running() const { return running_; }
  /// Closes the sockets. Process context, with the loop at its end.
  void close();

  const XdpsockConfig& config() const { return config_; }
  const XdpsockCounters& counters() const { return counters_; }
  unsigned socket_count() const { return static_cast<unsigned>(ports_.size()); }
  stack::xsk::Socket& socket(unsigned i) { return *ports_[i].socket; }
  /// Where all chunks are: one account for each UMEM.
  std::vector<stack::xsk::Account> accounts() const;
  /// Descriptors in Tx rings that no driver has taken.
  uint64_t tx_waiting() const;

 private:
  // The ends of the rings that sockets of one queue share.
  struct Ends {
    explicit Ends(stack::xsk::Socket& socket);
    stack::xsk::UserProducer fill;
    stack::xsk::UserConsumer completion;
    uint32_t outstanding = 0;  // descriptors submitted and not completed
  };
  struct Port {
    std::unique_ptr<stack::xsk::Socket> socket;
    std::unique_ptr<stack::xsk::UserConsumer> rx;
    std::unique_ptr<stack::xsk::UserProducer> tx;
    std::shared_ptr<Ends> ends;
    unsigned number = 0;
    uint32_t first_chunk = 0;
    uint32_t chunks = 0;
    uint32_t next_chunk = 0;
  };

  int open_socket(Port& port, stack::NetDevice& device);
  int set_rings(Port& port, bool own_ends);
  uint64_t chunk_addr(uint32_t chunk) const;
  void populate(Port& port);
  bool wait_in_poll(Port& port);
  void round(Port& port);
  void tx_only(Port& port);
  void complete_tx_only(Port& port);
  void rx_drop(Port& port);
  void l2_forward(Port& port);
  void complete_l2_forward(Port& port);
  bool reserve_fill(Port& port, uint32_t count, uint32_t& index);
  void take_packet(Port& port, const stack::xsk::Desc& desc);
  void kick_tx(Port& port);
  void kick_rx(Port& port);
  void note(int result);
  void spin();
  void watch_rings();
  void finish();
  uint64_t outstanding() const;

  stack::xsk::Sockets& sockets_;
  hal::Hal& hal_;
  XdpsockConfig config_;
  stack::xsk::XskMap map_;
  stack::xsk::XskProgram program_;
  FrameFiller* filler_ = nullptr;
  stack::ReceiveTap* tap_ = nullptr;
  hal::Process* process_ = nullptr;
  std::vector<Port> ports_;
  XdpsockCounters counters_;
  base::Picos round_begin_;
  bool stopping_ = false;
  bool running_ = false;
};

}  // namespace doorbell::apps
