// XDP: the buffer a program sees, its verdicts, and the programs that ship with Doorbell.
//
// A program gets a packet where the device left it, before any sk_buff exists, and says what
// becomes of it. Programs are native C++ that read and write packet memory after hal::Dma::touch,
// and charge Op::XdpProgram once a run. A redirect goes to a port, a CPU map's core (refused) or an
// AF_XDP socket (sim/stack/xsk). Modelled: the buffer with headroom and adjustable ends, the
// five verdicts and unknown ones, conversion to an xdp_frame. Not modelled: eBPF instructions, maps
// other than the count per protocol, multi-buffer packets. Pointers are the CPU's view. Source:
// Linux 6.12 include/net/xdp.h, samples/bpf (behaviour).
#pragma once

#include <array>
#include <cstdint>

#include "sim/hal/hal.h"
#include "sim/stack/page_pool.h"

namespace doorbell::stack {

/// Numbered as in the kernel's interface. A program may return any number; unknown ones abort.
enum class Verdict : uint8_t { kAborted = 0, kDrop = 1, kPass = 2, kTx = 3, kRedirect = 4 };

/// Headroom a native program may count on.
inline constexpr uint32_t kXdpPacketHeadroom = 256;

struct RxQueueInfo {
  NetDevice* device = nullptr;
  uint32_t index = 0;
  PagePool* pool = nullptr;
};

struct XdpBuff;

/// The pool that a zero-copy buffer belongs to (sim/stack/xsk/pool.h), as the stack sees it.
class XskBufferOwner {
 public:
  virtual ~XskBufferOwner() = default;
  /// xsk_buff_free.
  virtual void free(XdpBuff& buff) = 0;
  /// Copies the packet to a page of its own and frees the buffer. nullptr: there is no page, and
  /// the buffer stays the caller's.
  virtual XdpFrame* to_frame(XdpBuff& buff) = 0;
};

/// Where an xskmap leads: an AF_XDP socket (sim/stack/xsk/socket.h).
class XskTarget {
 public:
  virtual ~XskTarget() = default;
  /// xsk_rcv. 0: the buffer is the socket's, or copied and given back to its pool. Negative errno:
  /// it stays the caller's.
  virtual int receive(XdpBuff& buff) = 0;
  /// xsk_generic_rcv: copies, and shows the packet to the application at once. The caller keeps the
  /// buffer in any case.
  virtual int receive_generic(const XdpBuff& buff) = 0;
  /// Shows what was received to the application, and wakes it.
  virtual void flush() = 0;
};

struct XdpBuff {
  uint8_t* data_hard_start = nullptr;
  uint8_t* data = nullptr;
  uint8_t* data_end = nullptr;
  uint8_t* data_meta = nullptr;  ///< equal to data: no metadata
  uint32_t frame_size = kPageBytes;
  const RxQueueInfo* rxq = nullptr;
  Page* page = nullptr;           ///< nullptr for a zero-copy buffer
  XskBufferOwner* xsk = nullptr;  ///< of a zero-copy buffer: its pool

  uint32_t length() const { return static_cast<uint32_t>(data_end - data); }
};

/// What a program can reach while it runs.
struct XdpContext {
  /// Core of a CPU map's entry: none.
  static constexpr uint32_t kNoCpu = UINT32_MAX;

  hal::Hal& hal;
  // Where kRedirect leads: a socket if there is one, else a core if there is one, else a port.
  uint32_t redirect_ifindex = 0;
  uint32_t redirect_cpu = kNoCpu;
  XskTarget* redirect_socket = nullptr;
};

class XdpProgram {
 public:
  virtual ~XdpProgram() = default;
  virtual const char* name() const = 0;
  /// Runs on one packet; may move buff.data and buff.data_end.
  virtual Verdict run(XdpBuff& buff, XdpContext& context) = 0;
};

/// bpf_redirect: remembers the port and says kRedirect.
inline Verdict redirect_to(XdpContext& context, uint32_t ifindex) {
  context.redirect_ifindex = ifindex;
  return Verdict::kRedirect;
}

/// bpf_redirect_map with an xskmap's entry.
inline Verdict redirect_to(XdpContext& context, XskTarget& socket) {
  context.redirect_socket = &socket;
  return Verdict::kRedirect;
}

/// One verdict for every packet, without a look at it.
class XdpFixedProgram : public XdpProgram {
 public:
  XdpFixedProgram(const char* name, Verdict verdict) : name_(name), verdict_(verdict) {}
  const char* name() const override { return name_; }
  Verdict run(XdpBuff& buff, XdpContext& context) override;

 private:
  const char* name_;
  Verdict verdict_;
};
class XdpPassProgram : public XdpFixedProgram {
 public:
  XdpPassProgram() : XdpFixedProgram("pass", Verdict::kPass) {}
};
class XdpDropProgram : public XdpFixedProgram {
 public:
  XdpDropProgram() : XdpFixedProgram("drop", Verdict::kDrop) {}
};

/// Packets seen per IP protocol, one array per core. 255: not IP.
class ProtocolCounts {
 public:
  static constexpr unsigned kCpus = 8;
  void count(unsigned cpu, uint8_t protocol) { ++counts_[cpu % kCpus][protocol]; }
  uint64_t total(uint8_t protocol) const;

 private:
  std::array<std::array<uint64_t, 256>, kCpus> counts_{};
};

/// Finds the IP protocol behind up to two VLAN tags, counts it, swaps the MAC addresses and sends
/// the packet back: what the kernel tree's xdp2 sample does. With `udp_only` other protocols are
/// dropped, as there.
class XdpTxProgram : public XdpProgram {
 public:
  explicit XdpTxProgram(bool udp_only = false) : udp_only_(udp_only) {}
  const char* name() const override { return "tx"; }
  Verdict run(XdpBuff& buff, XdpContext& context) override;
  const ProtocolCounts& counts() const { return counts_; }

 private:
  bool udp_only_;
  ProtocolCounts counts_;
};

/// Swaps the MAC addresses and redirects to one port, as the kernel tree's xdp_redirect sample.
class XdpRedirectProgram : public XdpProgram {
 public:
  explicit XdpRedirectProgram(uint32_t ifindex) : ifindex_(ifindex) {}
  const char* name() const override { return "redirect"; }
  Verdict run(XdpBuff& buff, XdpContext& context) override;

 private:
  uint32_t ifindex_;
};

/// Makes the page's XdpFrame from a buffer. Charges XdpConvert and the headroom line. nullptr when
/// the program left too little headroom. A zero-copy buffer is copied and freed; nullptr then also
/// means that no page was there.
XdpFrame* convert_to_frame(hal::Hal& hal, XdpBuff& buff);

/// xdp_return_frame: the page goes back to its pool; nobody knows what was touched, so the whole
/// buffer is cleaned. A page without a pool goes back to the page allocator. Charges XdpReturn.
void return_frame(hal::Hal& hal, XdpFrame& frame);

/// xdp_return_buff: a buffer that nobody needs any more goes back to its page pool or zero-copy
/// pool.
void return_buff(hal::Hal& hal, XdpBuff& buff);

}  // namespace doorbell::stack
