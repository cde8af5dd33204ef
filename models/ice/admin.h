// Admin queue: what firmware answers to the commands that bring a port up.
//
// One command at a time: its descriptor is read, then its buffer, then firmware works for
// IceConfig::firmware_time, then the answer's buffer and descriptor are written, the head moves and
// the firmware's cause fires (not with SI). Events (link status) go to the event ring, or are lost
// with ARQLEN.OVFL when it is empty. Modelled as commands with effect: get version, shutdown,
// capabilities, MAC read and write, VSI (VLAN stripping only), link status, PHY and link control,
// RSS key and table, transmit queues. Answered as done, without effect: resources, PXE, switch
// rules, event mask, package download. Unknown opcodes answer ENOSYS. Source: Linux 6.12
// ice_adminq_cmd.h, ice_controlq.c.
#pragma once

#include <array>
#include <vector>

#include "models/ice/fifo.h"
#include "models/ice/ice_adminq.h"
#include "models/ice/ice_core.h"
#include "models/ice/reads.h"

namespace doorbell::ice {

class Admin {
 public:
  explicit Admin(Core& core);

  void tail_written(const reg::WriteEvent& event);
  void length_written(const reg::WriteEvent& event);
  void event_tail_written(const reg::WriteEvent& event);
  void read_done(const Read& read, base::Picos at, bool ok);
  void reset();
  bool busy() const { return state_ != State::kIdle; }

 private:
  enum class State : uint8_t { kIdle, kDescriptor, kBuffer, kWork };

  void step();
  void next_command();
  void finish(AqError error);
  void post_link_event();
  AqError execute();
  AqError get_version();
  AqError capabilities();
  AqError mac_read();
  AqError mac_write();
  AqError vsi();
  AqError link_status();
  void fill_link_status();
  AqError rss_key();
  AqError rss_lut();
  AqError switch_config();
  AqError resource();
  AqError nvm_read();
  AqError phy_caps();
  AqError package_info();
  AqError add_queues();
  AqError disable_queues();
  /// Answer of `bytes` in the buffer; E2BIG when the driver's is smaller.
  AqError answer(uint32_t bytes);
  bool enabled() const { return (core_.regs.peek(reg::kPfFwAtqlen) & fw_qlen::kEnable) != 0; }
  uint64_t ring() const;
  uint32_t length() const;

  Core& core_;
  base::Event event_;
  State state_ = State::kIdle;
  IceAqDesc command_;
  std::array<uint8_t, kAqDescBytes> raw_{};
  std::vector<uint8_t> buffer_;
  uint32_t answer_bytes_ = 0;  // of the buffer to write back
  uint32_t head_ = 0;
  uint32_t event_head_ = 0;
  uint16_t generation_ = 0;
  bool read_ok_ = true;
  bool link_event_ = false;
  bool link_told_ = false;
};

}  // namespace doorbell::ice
