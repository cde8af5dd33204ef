// Which lines of memory the last-level cache holds, as far as DMA can tell.
//
// Tags only, no data: a set-associative directory of 64-byte lines. A device write that hits
// updates in place; one that misses takes one of the first `ddio_ways` (Intel's DDIO: a small fixed
// share). What the CPU touches may take any way. A device read does not allocate. Replacement is
// least recently used among the allowed ways. Used only with LlcReads::kTracked.
#pragma once

#include <cstdint>
#include <vector>

namespace doorbell::fabric {

class PcieLlc {
 public:
  PcieLlc(uint64_t bytes, unsigned ways, unsigned ddio_ways);

  /// True when every line of the range is held.
  bool read(uint64_t addr, uint64_t bytes);
  /// Device write: allocates, or (without DDIO) takes the lines out.
  void write(uint64_t addr, uint64_t bytes, bool allocate);
  /// The CPU loads or stores these lines.
  void touch(uint64_t addr, uint64_t bytes);

  uint64_t hits() const { return hits_; }
  uint64_t misses() const { return misses_; }

 private:
  struct Way {
    uint64_t line = 0;  // line number + 1; 0 = empty
    uint64_t used = 0;
  };
  Way* set_of(uint64_t line) { return &lines_[(line & set_mask_) * ways_]; }
  Way* find(uint64_t line);
  void insert(uint64_t line, unsigned ways);

  unsigned ways_;
  unsigned ddio_ways_;
  uint64_t set_mask_;
  std::vector<Way> lines_;
  uint64_t clock_ = 0;
  uint64_t hits_ = 0;
  uint64_t misses_ = 0;
};

}  // namespace doorbell::fabric
