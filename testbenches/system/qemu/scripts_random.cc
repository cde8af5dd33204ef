// Random sequences inside the set where both must agree in everything.
//
// The set (what both devices define the same way): frames of at least 60 octets without FCS and
// within MAX_FL, INT on every enhanced descriptor, our own address, no receive acceleration bits,
// every frame of a kick complete. Not looked at, because QEMU leaves them out: the FCS octets, the
// received control and protocol words, time stamps, the length in the last of several descriptors.
// Each kick is worked off before the next act.
#include <algorithm>

#include "models/base/random.h"
#include "testbenches/system/qemu/scripts.h"

namespace doorbell::qemu {

namespace {

namespace reg = fec::reg;

class RandomRun {
 public:
  RandomRun(Rig& rig, uint64_t seed, bool enhanced, bool transmit, bool receive)
      : r_(rig),
        random_(seed, "qemu"),
        enhanced_(enhanced),
        transmit_(transmit),
        receive_(receive) {}

  void run(unsigned steps) {
    r_.configure(enhanced_);
    restart();
    for (step_ = 0; step_ < steps; ++step_) {
      const uint64_t dice = random_.below(100);
      if (dice < 3) {
        r_.disable();
        restart();
      } else if (dice < 10) {
        interrupts();
      } else if (!receive_ || (transmit_ && dice < 55)) {
        send();
      } else {
        receive();
      }
    }
  }

 private:
  static constexpr unsigned kTxRing = 9;
  static constexpr unsigned kRxRing = 7;

  std::string label(const char* what) const { return "step" + std::to_string(step_) + "." + what; }
  uint32_t seed() { return static_cast<uint32_t>(random_.next()); }

  /// Fresh rings: transmit empty, receive all armed but without doorbell.
  void restart() {
    for (unsigned ring = 0; ring < fec::kRings; ++ring) {
      next_tx_[ring] = 0;
      for (unsigned i = 0; i < kTxRing; ++i) r_.tx(ring, i, {}, tx_wrap(i), 0);
    }
    next_rx_ = 0;
    for (unsigned i = 0; i < kRxRing; ++i) r_.rx(i, rx_status(i));
    mrbr_ = static_cast<uint32_t>(16 * random_.between(8, 0x60));
    r_.write(reg::kMrbr0, mrbr_);
    r_.enable();
    r_.rx_kick();
    r_.settle();
    r_.see_reg(label("rdar"), reg::kRdar0);
  }

  static uint16_t tx_wrap(unsigned i) {
    return static_cast<uint16_t>(i + 1 == kTxRing ? fec::tx_sc::kWrap : 0);
  }
  static uint16_t rx_status(unsigned i) {
    return static_cast<uint16_t>(fec::rx_sc::kEmpty | (i + 1 == kRxRing ? fec::rx_sc::kWrap : 0));
  }

  /// The two bits of a status word that are software's; the same in both directions.
  uint16_t software_bits() {
    return static_cast<uint16_t>(random_.next() &
                                 (fec::tx_sc::kSoftware1 | fec::rx_sc::kSoftware2));
  }

  void interrupts() {
    const auto mask = static_cast<uint32_t>(random_.next()) & fec::eir::kFrames;
    r_.write(reg::kEimr, mask);
    r_.see_irq(label("irq"));
    r_.write(reg::kEir, static_cast<uint32_t>(random_.next()));
    r_.see_eir(label("eir"));
    r_.see_irq(label("irq after clearing"));
  }

  /// One to three frames of one to four descriptors on one ring, then one doorbell.
  void send() {
    const auto ring = static_cast<unsigned>(enhanced_ ? random_.below(fec::kRings) : 0);
    const uint64_t frames = random_.between(1, 2);
    std::vector<unsigned> used;
    for (uint64_t f = 0; f < frames; ++f) {
      const Bytes frame = test_frame(random_.between(60, 1514), seed());
      const size_t parts = random_.between(1, 4);
      size_t from = 0;
      for (size_t p = 0; p < parts; ++p) {
        const bool last = p + 1 == parts;
        const size_t left = frame.size() - from - (parts - 1 - p);
        const size_t size =
            last ? frame.size() - from : random_.between(1, std::min<size_t>(left, 600));
        const unsigned i = next_tx_[ring];
        const auto first = frame.begin() + static_cast<ptrdiff_t>(from);
        r_.tx(ring, i, Bytes(first, first + static_cast<ptrdiff_t>(size)),
              static_cast<uint16_t>(fec::tx_sc::kReady | tx_wrap(i) | software_bits() |
                                    (last ? fec::tx_sc::kLast | fec::tx_sc::kTc : 0)));
        from += size;
        used.push_back(i);
        next_tx_[ring] = (i + 1) % kTxRing;
      }
    }
    r_.tx_kick(ring, seed());
    r_.settle();
    r_.see_sent(label("sent"));
    r_.see_reg(label("tdar"), reg::tdar(ring));
    for (const unsigned i : used) r_.see_tx(label("tx") + std::to_string(i), ring, i);
    r_.see_eir(label("eir"));
    r_.see_irq(label("irq"));
  }

  /// A frame size whose FCS is not divided between two buffers: that makes QEMU 7.2.22 abort.
  size_t receive_size() {
    for (;;) {
      // Mostly what fits into one buffer with 6 octets to spare, as a driver has it.
      const size_t fits = std::min<size_t>(1514, mrbr_ - 6);
      const size_t size = random_.between(60, random_.chance(3, 4) ? fits : 1514);
      const size_t behind = (size + net::kFcsBytes) % mrbr_;
      if (behind == 0 || behind >= net::kFcsBytes) return size;
    }
  }

  /// One to three frames, all of which fit into the ring; then the descriptors are armed again.
  void receive() {
    const uint64_t frames = random_.between(1, 3);
    unsigned free = kRxRing;
    struct Filled {
      unsigned index;
      size_t bytes;   // of the frame, without FCS
      bool of_split;  // the last of several: QEMU and the manual count its length differently
    };
    std::vector<Filled> filled;
    for (uint64_t n_frame = 0; n_frame < frames; ++n_frame) {
      const Bytes frame = test_frame(receive_size(), seed());
      const auto needed =
          static_cast<unsigned>((frame.size() + net::kFcsBytes + mrbr_ - 1) / mrbr_);
      if (needed > free) break;
      free -= needed;
      r_.inject(frame);
      for (unsigned n = 0; n < needed; ++n) {
        const size_t from = n * mrbr_;
        const size_t bytes = from < frame.size() ? std::min<size_t>(mrbr_, frame.size() - from) : 0;
        filled.push_back({next_rx_, bytes, needed > 1 && n + 1 == needed});
        next_rx_ = (next_rx_ + 1) % kRxRing;
      }
    }
    r_.settle();
    r_.see_reg(label("rdar"), reg::kRdar0);
    r_.see_eir(label("eir"));
    r_.see_irq(label("irq"));
    for (const Filled& f : filled) {
      r_.see_rx_masked(label("rx") + std::to_string(f.index), f.index, !f.of_split);
      r_.see_buffer(label("data") + std::to_string(f.index), f.index, f.bytes);
      r_.rx(f.index, static_cast<uint16_t>(rx_status(f.index) | software_bits()));
    }
    r_.rx_kick(seed());
    r_.settle();
    r_.see_reg(label("rearmed"), reg::kRdar0);
  }

  Rig& r_;
  base::Stream random_;
  bool enhanced_;
  bool transmit_;
  bool receive_;
  unsigned step_ = 0;
  unsigned next_tx_[fec::kRings] = {};
  unsigned next_rx_ = 0;
  uint32_t mrbr_ = 0;
};

template <uint64_t kSeed, bool kEnhanced, bool kTransmit, bool kReceive>
void random_run(Rig& r) {
  RandomRun(r, kSeed, kEnhanced, kTransmit, kReceive).run(200);
}

}  // namespace

const std::vector<Script>& random_scripts() {
  static const std::vector<Script> kScripts = {
      {"random_tx_legacy", "200 steps, transmit, ring 0, 8-byte descriptors",
       random_run<11, false, true, false>},
      {"random_tx_enhanced", "200 steps, transmit, rings 0 to 2, 32-byte descriptors",
       random_run<12, true, true, false>},
      {"random_rx_legacy", "200 steps, receive, random MRBR, 8-byte descriptors",
       random_run<13, false, false, true>},
      {"random_rx_enhanced", "200 steps, receive, random MRBR, 32-byte descriptors",
       random_run<14, true, false, true>},
      {"random_both_legacy", "200 steps, both ways", random_run<15, false, true, true>},
      {"random_both_enhanced", "200 steps, both ways, rings 0 to 2",
       random_run<16, true, true, true>},
  };
  return kScripts;
}

std::vector<Script> scripts() {
  std::vector<Script> all;
  for (const auto* part :
       {&register_scripts(), &tx_scripts(), &rx_scripts(), &mac_scripts(), &random_scripts()}) {
    all.insert(all.end(), part->begin(), part->end());
  }
  return all;
}

}  // namespace doorbell::qemu
