#include "sim/hal/checks/dma_tracker.h"

#include <algorithm>
#include <cinttypes>

namespace doorbell::hal::checks {

using base::Picos;
using host::kLineBytes;
using host::kPageBytes;

namespace {

bool allows(DmaDir mapped, DmaDir moved) {
  return mapped == DmaDir::kBidirectional || mapped == moved;
}

// As Linux's DMA debugging has it: a bidirectional mapping may be synced either way.
bool may_sync(DmaDir mapped, DmaDir dir) {
  return mapped == DmaDir::kBidirectional || mapped == dir;
}

uint64_t bit_of(unsigned line) {
  return uint64_t{1} << line;
}

}  // namespace

const char* direction_name(DmaDir dir) {
  switch (dir) {
    case DmaDir::kToDevice:
      return "to device";
    case DmaDir::kFromDevice:
      return "from device";
    case DmaDir::kBidirectional:
      return "bidirectional";
  }
  return "?";
}

DmaTracker::DmaTracker(const CheckConfig& config, FindingLog& log, CoherentBlocks& blocks)
    : config_(config), log_(log), blocks_(blocks), pages_(config.memory_base, config.memory_size) {}

// Calls f(page, line number, first and end byte of the range inside the line).
template <typename F>
void DmaTracker::each_line(DmaAddr addr, uint32_t bytes, F f) {
  pages_.over(addr, bytes, [&](Page& page, DmaAddr base) {
    const uint64_t from = addr > base ? addr - base : 0;
    const uint64_t to = std::min<uint64_t>(addr + bytes - base, kPageBytes);
    for (uint64_t at = from; at < to;) {
      const auto line = static_cast<unsigned>(at / kLineBytes);
      const uint64_t end = std::min<uint64_t>(to, (line + 1) * uint64_t{kLineBytes});
      f(page, line, static_cast<unsigned>(at % kLineBytes),
        static_cast<unsigned>(end - line * uint64_t{kLineBytes}));
      at = end;
    }
  });
}

// A mapping that holds the whole range, preferably one that allows `dir`.
DmaTracker::Mapping* DmaTracker::holding(DmaAddr addr, uint32_t bytes, DmaDir dir,
                                         bool& other_direction) {
  other_direction = false;
  const Page* page = pages_.find(addr);
  if (page == nullptr) return nullptr;
  Mapping* other = nullptr;
  for (const uint32_t index : page->mappings) {
    Mapping& mapping = mappings_[index];
    if (!mapping.holds(addr, bytes)) continue;
    if (allows(mapping.dir, dir)) return &mapping;
    other = &mapping;
  }
  other_direction = other != nullptr;
  return other;
}

DmaTracker::Mapping* DmaTracker::starting(DmaAddr addr, uint32_t bytes, DmaDir dir) {
  const Page* page = pages_.find(addr);
  if (page == nullptr) return nullptr;
  Mapping* best = nullptr;
  for (const uint32_t index : page->mappings) {
    Mapping& mapping = mappings_[index];
    if (mapping.addr != addr) continue;
    best = &mapping;
    if (mapping.bytes == bytes && mapping.dir == dir) return best;
  }
  return best;
}

const DmaTracker::Mapping* DmaTracker::starts_inside(DmaAddr addr) {
  const Page* page = pages_.find(addr);
  if (page == nullptr) return nullptr;
  for (const uint32_t index : page->mappings) {
    if (mappings_[index].holds(addr, 1)) return &mappings_[index];
  }
  return nullptr;
}

// The mapping that ended last of those that held the range.
const DmaTracker::Ended* DmaTracker::ended(DmaAddr addr, uint32_t bytes) {
  const Page* page = pages_.find(addr);
  if (page == nullptr) return nullptr;
  const Ended* latest = nullptr;
  for (const Ended& e : page->ended) {
    if (e.at >= Picos(0) && e.holds(addr, bytes) && (latest == nullptr || e.at > latest->at)) {
      latest = &e;
    }
  }
  return latest;
}

void DmaTracker::map(DmaAddr addr, uint32_t bytes, DmaDir dir, bool synced, Picos at) {
  check_freed(addr, "mapped", at);
  uint32_t index = 0;
  if (free_mappings_.empty()) {
    index = static_cast<uint32_t>(mappings_.size());
    mappings_.emplace_back();
  } else {
    index = free_mappings_.back();
    free_mappings_.pop_back();
  }
  mappings_[index] = {addr, bytes, dir, !synced, false, true, at};
  pages_.over(addr, bytes, [&](Page& page, DmaAddr) { page.mappings.push_back(index); });
  if (synced) {
    clean_lines(addr, bytes);
  } else {
    each_line(addr, bytes,
              [](Page& page, unsigned line, unsigned, unsigned) { page.synced &= ~bit_of(line); });
  }
}

void DmaTracker::end(Mapping& mapping, Picos at) {
  const auto index = static_cast<uint32_t>(&mapping - mappings_.data());
  pages_.over(mapping.addr, mapping.bytes, [&](Page& page, DmaAddr) {
    page.mappings.erase(std::find(page.mappings.begin(), page.mappings.end(), index));
    page.ended[page.next_ended] = {mapping.addr, mapping.bytes, mapping.dir, at};
    page.next_ended = (page.next_ended + 1) % kEnded;
  });
  mapping.live = false;
  free_mappings_.push_back(index);
}

void DmaTracker::unmap(DmaAddr addr, uint32_t bytes, DmaDir dir, bool synced, Picos at) {
  Mapping* mapping = starting(addr, bytes, dir);
  if (mapping == nullptr) {
    const Ended* before = ended(addr, 1);
    const bool again = before != nullptr && before->addr == addr;
    log_.report(again ? Rule::kDoubleUnmap : Rule::kUnmapNotMapped, at, [&] {
      return again ? text("unmap of 0x%" PRIx64 ", %u bytes: unmapped already at %" PRId64 " ps",
                          addr, bytes, before->at.count())
                   : text("unmap of 0x%" PRIx64 ", %u bytes: no mapping starts there", addr, bytes);
    });
    return;
  }
  if (mapping->bytes != bytes) {
    log_.report(Rule::kUnmapWrongLength, at, [&] {
      return text("unmap of 0x%" PRIx64 " with %u bytes: mapped with %u", addr, bytes,
                  mapping->bytes);
    });
  }
  if (mapping->dir != dir) {
    log_.report(Rule::kUnmapWrongDirection, at, [&] {
      return text("unmap of 0x%" PRIx64 " as %s: mapped %s", addr, direction_name(dir),
                  direction_name(mapping->dir));
    });
  }
  end(*mapping, at);
  if (synced && dir != DmaDir::kToDevice) invalidate_lines(addr, bytes, at);
}

// True if a live mapping allows the call; reports what is wrong otherwise.
bool DmaTracker::check_sync(DmaAddr addr, uint32_t bytes, DmaDir dir, const char* call, Picos at) {
  if (bytes == 0) return true;
  const Page* page = pages_.find(addr);
  const Mapping* wrong = nullptr;
  for (size_t i = 0; page != nullptr && i < page->mappings.size(); ++i) {
    const Mapping& mapping = mappings_[page->mappings[i]];
    if (!mapping.holds(addr, bytes)) continue;
    if (may_sync(mapping.dir, dir)) return true;
    wrong = &mapping;
  }
  if (wrong != nullptr) {
    log_.report(Rule::kSyncWrongDirection, at, [&] {
      return text("%s of 0x%" PRIx64 ", %u bytes, as %s: mapped %s", call, addr, bytes,
                  direction_name(dir), direction_name(wrong->dir));
    });
    return true;
  }
  if (const Mapping* part = starts_inside(addr)) {
    log_.report(Rule::kSyncTooLong, at, [&] {
      return text("%s of 0x%" PRIx64 ", %u bytes: the mapping ends after %" PRIu64, call, addr,
                  bytes, part->addr + part->bytes - addr);
    });
    return true;
  }
  const Ended* before = ended(addr, 1);
  log_.report(before != nullptr ? Rule::kSyncAfterUnmap : Rule::kSyncNotMapped, at, [&] {
    return before != nullptr ? text("%s of 0x%" PRIx64 ", %u bytes: unmapped at %" PRId64 " ps",
                                    call, addr, bytes, before->at.count())
                             : text("%s of 0x%" PRIx64 ", %u bytes: not mapped", call, addr, bytes);
  });
  return false;
}

void DmaTracker::sync_for_device(DmaAddr addr, uint32_t bytes, DmaDir dir, Picos at) {
  if (check_sync(addr, bytes, dir, "sync_for_device", at)) {
    bool other = false;
    if (Mapping* mapping = holding(addr, bytes, dir, other)) mapping->cpu_turn = false;
  }
  clean_lines(addr, bytes);
}

void DmaTracker::sync_for_cpu(DmaAddr addr, uint32_t bytes, DmaDir dir, Picos at) {
  if (check_sync(addr, bytes, dir, "sync_for_cpu", at)) {
    bool other = false;
    if (Mapping* mapping = holding(addr, bytes, dir, other)) mapping->cpu_turn = true;
  }
  if (dir != DmaDir::kToDevice) invalidate_lines(addr, bytes, at);
}

void DmaTracker::clean_lines(DmaAddr addr, uint32_t bytes) {
  each_line(addr, bytes, [](Page& page, unsigned line, unsigned, unsigned) {
    page.lines[line].dirty_from = page.lines[line].dirty_to = 0;
    page.synced |= bit_of(line);
    page.fresh &= ~bit_of(line);
  });
}

void DmaTracker::invalidate_lines(DmaAddr addr, uint32_t bytes, Picos at) {
  each_line(addr, bytes, [at](Page& page, unsigned line, unsigned, unsigned) {
    Line& l = page.lines[line];
    l.dirty_from = l.dirty_to = 0;
    page.cached &= ~bit_of(line);
    if (l.written_at <= at) page.fresh &= ~bit_of(line);
  });
}

// A fresh page has no contents that anybody may rely on.
void DmaTracker::page_allocated(DmaAddr addr, Picos at) {
  if (Page* page = pages_.at(addr)) {
    page->use = Use::kAllocated;
    page->use_since = at;
    page->fresh = 0;
    for (Line& line : page->lines) line.written_at = Picos(0);
  }
}

void DmaTracker::page_freed(DmaAddr addr, Picos at) {
  Page* page = pages_.at(addr);
  if (page == nullptr) return;
  check_freed(addr, "freed again", at);
  if (!page->mappings.empty()) {
    const Mapping& mapping = mappings_[page->mappings.front()];
    log_.report(Rule::kPageFreedMapped, at, [&] {
      return text("page 0x%" PRIx64 " freed: 0x%" PRIx64 ", %u bytes, is mapped since %" PRId64
                  " ps",
                  addr, mapping.addr, mapping.bytes, mapping.since.count());
    });
  }
  page->use = Use::kFreed;
  page->use_since = at;
}

void DmaTracker::check_freed(DmaAddr addr, const char* what, Picos at) {
  const Page* page = pages_.find(addr);
  if (page == nullptr || page->use != Use::kFreed) return;
  log_.report(Rule::kPageUseAfterFree, at, [&] {
    return text("page 0x%" PRIx64 " %s: freed at %" PRId64 " ps", addr / kPageBytes * kPageBytes,
                what, page->use_since.count());
  });
}

// The API's turns: whose is the memory, whatever the caches do.
void DmaTracker::check_turn(DmaAddr addr, uint32_t bytes, Touch how, Picos at) {
  const Page* page = pages_.find(addr);
  if (page == nullptr) return;
  for (const uint32_t index : page->mappings) {
    const Mapping& mapping = mappings_[index];
    if (how == Touch::kWrite && !mapping.pooled && !mapping.cpu_turn &&
        mapping.overlaps(addr, bytes)) {
      log_.report(Rule::kTouchNotSynced, at, [&] {
        return text("CPU wrote 0x%" PRIx64 ", %u bytes: mapped %s since %" PRId64
                    " ps, not synced for the CPU",
                    addr, bytes, direction_name(mapping.dir), mapping.since.count());
      });
      return;
    }
    if (mapping.dir == DmaDir::kToDevice || !mapping.overlaps(addr, bytes)) continue;
    bool unsynced = false;
    each_line(addr, bytes, [&](Page& p, unsigned line, unsigned, unsigned) {
      unsynced = unsynced || ((p.fresh & bit_of(line)) != 0 && p.lines[line].written_at <= at);
    });
    if (!unsynced) continue;
    log_.report(Rule::kTouchNotSynced, at, [&] {
      return text("CPU %s 0x%" PRIx64
                  ", %u bytes: written by the device and not synced for the CPU",
                  how == Touch::kRead ? "read" : "wrote", addr, bytes);
    });
    return;
  }
}

void DmaTracker::touch(DmaAddr addr, uint32_t bytes, Touch how, Picos at, bool excused) {
  if (bytes == 0) return;
  check_freed(addr, "touched", at);
  if (!excused) check_turn(addr, bytes, how, at);
  bool reported = false;
  each_line(addr, bytes, [&](Page& page, unsigned line, unsigned from, unsigned to) {
    Line& l = page.lines[line];
    if ((page.cached & bit_of(line)) == 0) {
      page.cached |= bit_of(line);
      l.cached_at = at;
    } else if (!config_.coherent && !reported && l.written_at > l.cached_at && l.written_at <= at) {
      reported = true;
      log_.report(Rule::kTouchStale, at, [&] {
        return text("CPU %s 0x%" PRIx64 ", %u bytes: line in the cache since %" PRId64
                    " ps, written by the device at %" PRId64 " ps",
                    how == Touch::kRead ? "read" : "wrote", addr, bytes, l.cached_at.count(),
                    l.written_at.count());
      });
    }
    if (how == Touch::kWrite) {
      const bool dirty = l.dirty_to != 0;
      l.dirty_from = static_cast<uint8_t>(dirty ? std::min<unsigned>(l.dirty_from, from) : from);
      l.dirty_to = static_cast<uint8_t>(std::max<unsigned>(l.dirty_to, to));
    }
  });
}

DmaTracker::Cover DmaTracker::cover(DmaAddr addr, uint32_t bytes, DmaDir dir) {
  if (blocks_.find(addr, bytes) != nullptr) return Cover::kGood;
  bool other = false;
  if (holding(addr, bytes, dir, other) == nullptr) return Cover::kNone;
  return other ? Cover::kWrongDirection : Cover::kGood;
}

bool DmaTracker::synced_for_device(DmaAddr addr, uint32_t bytes) {
  if (blocks_.find(addr, bytes) != nullptr) return true;
  bool good = true;
  each_line(addr, bytes, [&](Page& page, unsigned line, unsigned from, unsigned to) {
    const Line& l = page.lines[line];
    good = good && (page.synced & bit_of(line)) != 0 &&
           !(l.dirty_to != 0 && l.dirty_from < to && from < l.dirty_to);
  });
  return good;
}

void DmaTracker::forget_contents(DmaAddr addr, uint32_t bytes) {
  each_line(addr, bytes, [](Page& page, unsigned line, unsigned, unsigned) {
    page.fresh &= ~bit_of(line);
    page.lines[line].written_at = Picos(0);
  });
}

// An access that was under way when its mapping ended is judged by its own time.
void DmaTracker::check_access(DmaAddr addr, uint32_t bytes, bool write, Picos at) {
  const DmaDir dir = write ? DmaDir::kFromDevice : DmaDir::kToDevice;
  const Cover found = cover(addr, bytes, dir);
  if (found == Cover::kGood) return;
  const Ended* before = ended(addr, bytes);
  if (before != nullptr && before->at > at && allows(before->dir, dir)) return;
  const char* what = write ? "wrote" : "read";
  if (found == Cover::kWrongDirection) {
    log_.report(Rule::kDeviceWrongDirection, at, [&] {
      return text("device %s 0x%" PRIx64 ", %u bytes: mapped %s", what, addr, bytes,
                  write ? "to device" : "from device");
    });
    return;
  }
  log_.report(Rule::kDeviceOutsideMapping, at, [&] {
    const Mapping* part = starts_inside(addr);
    if (part != nullptr) {
      return text("device %s 0x%" PRIx64 ", %u bytes: the mapping ends after %" PRIu64, what, addr,
                  bytes, part->addr + part->bytes - addr);
    }
    return before != nullptr
               ? text("device %s 0x%" PRIx64 ", %u bytes: unmapped at %" PRId64 " ps", what, addr,
                      bytes, before->at.count())
               : text("device %s 0x%" PRIx64 ", %u bytes: not mapped", what, addr, bytes);
  });
}

void DmaTracker::device_read(DmaAddr addr, uint32_t bytes, Picos at, const host::CacheView* cache) {
  check_access(addr, bytes, false, at);
  if (config_.coherent || blocks_.find(addr, bytes) != nullptr) return;
  bool reported = false;
  each_line(addr, bytes, [&](Page& page, unsigned line, unsigned from, unsigned to) {
    const Line& l = page.lines[line];
    if (reported || l.dirty_to == 0 || l.dirty_from >= to || from >= l.dirty_to) return;
    if (cache != nullptr && !cache->dirty(addr, bytes)) return;
    reported = true;
    log_.report(Rule::kDeviceReadDirty, at, [&] {
      return text("device read 0x%" PRIx64
                  ", %u bytes: line %u of the page is dirty in the CPU's "
                  "cache",
                  addr, bytes, line);
    });
  });
}

void DmaTracker::device_write(DmaAddr addr, uint32_t bytes, Picos issued, Picos visible,
                              const host::CacheView* cache) {
  check_access(addr, bytes, true, issued);
  if (visible == base::kNever || blocks_.find(addr, bytes) != nullptr) return;
  bool reported = false;
  each_line(addr, bytes, [&](Page& page, unsigned line, unsigned, unsigned) {
    Line& l = page.lines[line];
    l.written_at = visible;
    page.fresh |= bit_of(line);
    if (config_.coherent || reported || l.dirty_to == 0) return;
    if (cache != nullptr && !cache->dirty(addr, bytes)) return;
    reported = true;
    log_.report(Rule::kDeviceWriteDirty, issued, [&] {
      return text("device wrote 0x%" PRIx64
                  ", %u bytes: line %u of the page is dirty in the CPU's "
                  "cache",
                  addr, bytes, line);
    });
  });
}

void DmaTracker::report_leaks(Picos at) {
  pages_.each([&](const Page& page, DmaAddr addr) {
    if (page.use == Use::kAllocated) {
      log_.report(Rule::kLeakPage, at, [&] {
        return text("page 0x%" PRIx64 ", allocated at %" PRId64 " ps, was not freed", addr,
                    page.use_since.count());
      });
    }
    for (const uint32_t index : page.mappings) {
      const Mapping& mapping = mappings_[index];
      if (mapping.addr / kPageBytes * kPageBytes != addr) continue;  // counted where it starts
      log_.report(Rule::kLeakMapping, at, [&] {
        return text(
            "mapping 0x%" PRIx64 " of %u bytes, %s, made at %" PRId64 " ps, was not unmapped",
            mapping.addr, mapping.bytes, direction_name(mapping.dir), mapping.since.count());
      });
    }
  });
}

}  // namespace doorbell::hal::checks
