// Station: the peer at the other end of the NIC's cable. It sends what its source generates and
// takes and checks what the NIC sends.
//
// Times: an Arrival's start is when its first preamble bit reaches the NIC, one propagation delay
// after it left the station. A frame that the station may not send yet (wire busy, paused) is sent
// as soon as it may; the source's later frames queue behind it, none is lost. PAUSE (IEEE 802.3
// annex 31B): a PAUSE frame of the NIC takes effect when its last bit has reached the station plus
// pause_reaction; a frame that has started is finished. Quanta 0 ends a pause. Frames that peek()
// has shown but that have not started by then may move; the listener is told. pop() settles a
// frame, so a NIC must not pop frames before their start. PAUSE frames are not data: they have id
// kControlFrame, are not in the ledger of anyone and are exempt from pausing. Latency is from end
// of arrival at the NIC to end of departure from the NIC, cable not included. Hot path: no
// allocation, no text.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "models/base/units.h"
#include "models/net/frame.h"
#include "models/net/pcap_writer.h"
#include "models/net/source.h"
#include "models/net/wire.h"
#include "models/probe/counter.h"
#include "models/probe/digest.h"
#include "models/probe/histogram.h"

namespace doorbell::net {

/// Id of an Arrival that comes from no source: a PAUSE frame of the station.
inline constexpr uint64_t kControlFrame = UINT64_MAX;

/// PAUSE frames that the station sends of its own accord.
struct PauseStorm {
  base::Picos period;  // 0: off
  uint16_t quanta = 0xFFFF;
  base::Picos start;
  base::Picos end = base::kNever;
};

struct StationSpec {
  std::string name = "peer";
  MacAddress mac{{0x02, 0x00, 0x5E, 0x10, 0x00, 0x02}};
  base::BitsPerSecond link{1'000'000'000};
  base::Picos propagation;     // each way
  bool flow_control = false;   // obey received PAUSE frames
  base::Picos pause_reaction;  // from last bit of a PAUSE frame to its effect
  PauseStorm storm;
  /// No data frame starts at or after this, in the station's time of sending: what a pause has held
  /// up until then is not sent at all.
  base::Picos end = base::kNever;
};

class Station final : public WireIn, public WireOut, public FrameOrigin {
 public:
  /// `source` may be null: a peer that only listens. Frames from the NIC are verified by the
  /// source.
  Station(StationSpec spec, std::unique_ptr<Source> source);

  /// Moves everything that the station sends by `offset`, before anything is sent: for who learns
  /// only then when the NIC is ready. Tells the listener.
  void delay_start(base::Picos offset);
  /// Frames from the NIC come from `origin` instead (another station, an application on the host);
  /// nullptr: from nobody known, do not verify. Not owned.
  void set_origin(FrameOrigin* origin) { origin_ = origin; }
  /// Adds what the NIC sends to `digest`, not owned.
  void set_digest(probe::Digest* digest) { digest_ = digest; }
  /// Writes what the NIC sends and, if `both`, what it gets. Not owned.
  void set_capture(PcapWriter* capture, bool both) {
    capture_ = capture;
    capture_both_ = both;
  }

  // What the NIC receives.
  const Arrival* peek() override;
  void pop() override;
  void set_listener(ArrivalListener* listener) override { listener_ = listener; }
  // What the NIC sends.
  void transmit(base::Picos start, base::ByteView bytes, uint8_t flaws) override;
  /// Verifies against the own source wherever a frame comes out; `start` is the arrival at the NIC,
  /// or kNever if the frame is not among the last 65536.
  Provenance verify(base::ByteView bytes) override;

  const probe::CounterSet& counters() const { return counters_; }
  const probe::Histogram& latency() const { return latency_; }
  Source* source() { return source_.get(); }
  const StationSpec& spec() const { return spec_; }
  /// Data frames popped by the NIC, those with flaws included.
  uint64_t data_sent() const { return sent_frames_.value; }
  /// Good data frames that came from the NIC.
  uint64_t data_received() const { return received_frames_.value; }
  /// Received frames that were corrupt, reordered or duplicate. source()->verify_stats() tells the
  /// last two apart.
  uint64_t violations() const { return corrupt_.value + out_of_order_.value; }
  /// What was wrong with the first of them; empty if none was.
  const std::string& first_violation() const { return first_violation_; }
  base::Picos last_received() const { return last_received_; }
  /// Starts counters, latency and first_violation() afresh; digest and source go on.
  void reset_counts();

 private:
  // Paused from `from` up to and without `until`, in the station's time of sending.
  struct Pause {
    base::Picos from;
    base::Picos until;
  };
  static constexpr size_t kMaxPauses = 8;

  void choose();
  base::Picos after_pauses(base::Picos at) const;
  void obey_pause(base::Picos effective, uint16_t quanta);
  void take_data(base::Picos start, base::ByteView bytes);
  void note_violation(base::Picos at, base::ByteView bytes, const char* what);

  StationSpec spec_;
  OctetClock octets_;
  std::unique_ptr<Source> source_;
  FrameOrigin* origin_;
  probe::Digest* digest_ = nullptr;
  PcapWriter* capture_ = nullptr;
  bool capture_both_ = false;
  ArrivalListener* listener_ = nullptr;

  bool chosen_ = false;      // current_ is valid
  bool is_control_ = false;  // current_ is a PAUSE frame of the storm
  Arrival current_;
  base::Picos wire_free_;  // when the station's transmitter may start the next frame
  base::Picos storm_next_ = base::kNever;
  base::Picos offset_;
  std::array<uint8_t, kMinFrameBytes> storm_frame_{};
  std::array<Pause, kMaxPauses> pauses_{};  // in order of time, apart from each other
  size_t pause_count_ = 0;

  probe::Histogram latency_;
  base::Picos last_received_;
  std::string first_violation_;
  probe::CounterSet counters_;
  probe::Counter& sent_frames_;
  probe::Counter& sent_bytes_;
  probe::Counter& sent_flawed_;
  probe::Counter& sent_pause_;
  probe::Counter& received_frames_;
  probe::Counter& received_bytes_;
  probe::Counter& received_pause_;
  probe::Counter& received_flawed_;
  probe::Counter& corrupt_;
  probe::Counter& out_of_order_;
};

}  // namespace doorbell::net
