// Which cores hold each line of memory that applications and the kernel share.
//
// A directory as a snoop filter keeps it: per line the set of cores with a copy. A read by a core
// without one takes it from another; a write takes the line away from all others. Only pages that
// were registered have a directory: elsewhere the machine's caches are one (models/host). Not
// modelled: capacity, states beyond "who has it", which cores share a cache level.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace doorbell::hal {

class SharedLines {
 public:
  static constexpr uint32_t kLinesPerPage = 64;
  static constexpr unsigned kMaxCores = 64;

  explicit SharedLines(uint32_t pages) : pages_(pages) {}

  void add_page(uint32_t page) { pages_[page] = std::make_unique<Page>(); }
  void remove_page(uint32_t page) { pages_[page].reset(); }
  bool has(uint32_t page) const { return page < pages_.size() && pages_[page] != nullptr; }

  /// Core `core` touches a line; `missed`: no cache held it. True: another core's copy had to move
  /// or go.
  bool touch(uint32_t page, uint32_t line, unsigned core, bool write, bool missed);

 private:
  using Page = std::array<uint64_t, kLinesPerPage>;  // a bit a core
  std::vector<std::unique_ptr<Page>> pages_;
};

}  // namespace doorbell::hal
