#include "models/host/cache_view.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace doorbell::host {

CacheView::CacheView(fabric::Memory& memory, bool coherent)
    : memory_(memory),
      coherent_(coherent),
      base_(memory.config().base),
      pages_(memory.config().size / kPageBytes) {
  const uint64_t size = memory.config().size;
  if (coherent_) {
    view_ = memory_.pointer(base_);
    memory_.set_observer(this);
    return;
  }
  void* map = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map == MAP_FAILED) {
    throw std::bad_alloc();
  }
  view_ = static_cast<uint8_t*>(map);
}

CacheView::~CacheView() {
  memory_.set_observer(nullptr);
  if (!coherent_) {
    munmap(view_, memory_.config().size);
  }
}

// Calls f(page index, mask of its lines) for every page of the range.
template <typename F>
void CacheView::each_page(uint64_t addr, uint32_t bytes, F f) {
  if (bytes == 0) {
    return;
  }
  uint64_t first = (addr - base_) / kLineBytes;
  const uint64_t last = (addr - base_ + bytes - 1) / kLineBytes;
  while (first <= last) {
    const uint64_t page = first / 64;
    const uint64_t end = std::min(last, page * 64 + 63);
    const uint64_t count = end - first + 1;
    const uint64_t ones = count == 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1;
    f(page, ones << (first % 64));
    first = end + 1;
  }
}

void CacheView::copy_lines(uint64_t page, uint64_t mask, bool out) {
  uint8_t* cpu = view_ + page * kPageBytes;
  uint8_t* mem = memory_.pointer(base_ + page * kPageBytes);
  while (mask != 0) {
    const auto line = static_cast<unsigned>(__builtin_ctzll(mask));
    mask &= mask - 1;
    if (out) {
      std::memcpy(mem + line * kLineBytes, cpu + line * kLineBytes, kLineBytes);
    } else {
      std::memcpy(cpu + line * kLineBytes, mem + line * kLineBytes, kLineBytes);
    }
  }
}

uint32_t CacheView::touch(uint64_t addr, uint32_t bytes, bool write) {
  if (coherent_ && bytes != 0 && addr / kLineBytes == (addr + bytes - 1) / kLineBytes) {
    PageLines& lines = pages_[(addr - base_) / kPageBytes];
    const uint64_t mask = uint64_t{1} << (addr / kLineBytes % (kPageBytes / kLineBytes));
    const bool missed = (lines.cached & mask) == 0;
    lines.cached |= mask;
    lines.dirty |= write ? mask : 0;
    return missed ? 1 : 0;
  }
  uint32_t missed = 0;
  each_page(addr, bytes, [&](uint64_t page, uint64_t mask) {
    PageLines& lines = pages_[page];
    const uint64_t missing = mask & ~lines.cached;
    if (missing != 0) {
      missed += static_cast<uint32_t>(__builtin_popcountll(missing));
      if (!coherent_) {
        copy_lines(page, missing, false);
      }
      lines.cached |= missing;
    }
    if (write) {
      lines.dirty |= mask;
    }
  });
  return missed;
}

uint32_t CacheView::clean(uint64_t addr, uint32_t bytes) {
  uint32_t written = 0;
  each_page(addr, bytes, [&](uint64_t page, uint64_t mask) {
    PageLines& lines = pages_[page];
    const uint64_t out = mask & lines.dirty;
    if (out != 0) {
      if (!coherent_) {
        copy_lines(page, out, true);
      }
      lines.dirty &= ~out;
      written += static_cast<uint32_t>(__builtin_popcountll(out));
    }
  });
  return written;
}

void CacheView::written(uint64_t addr, uint32_t bytes) {
  each_page(addr, bytes, [&](uint64_t page, uint64_t mask) {
    pages_[page].cached &= ~mask;
    pages_[page].dirty &= ~mask;
  });
}

void CacheView::invalidate(uint64_t addr, uint32_t bytes) {
  if (bytes == 0 || coherent_) {
    return;
  }
  const uint64_t last = addr + bytes - 1;
  if (addr % kLineBytes != 0) {
    clean(addr, 1);
  }
  if (last % kLineBytes != kLineBytes - 1) {
    clean(last, 1);
  }
  each_page(addr, bytes, [&](uint64_t page, uint64_t mask) {
    pages_[page].cached &= ~mask;
    pages_[page].dirty &= ~mask;
  });
}

const uint8_t* CacheView::snoop(uint64_t addr, uint32_t bytes, uint8_t* scratch) {
  if (coherent_) {
    return virt(addr);
  }
  bool any_cached = false;
  bool all_cached = true;
  each_page(addr, bytes, [&](uint64_t page, uint64_t mask) {
    const uint64_t held = pages_[page].cached & mask;
    any_cached = any_cached || held != 0;
    all_cached = all_cached && held == mask;
  });
  if (!any_cached) {
    return memory_.pointer(addr);
  }
  if (all_cached) {
    return virt(addr);
  }
  for (uint32_t done = 0; done < bytes;) {
    const uint64_t at = addr + done;
    const uint32_t part =
        std::min<uint32_t>(bytes - done, kLineBytes - static_cast<uint32_t>(at % kLineBytes));
    const PageLines& lines = pages_[(at - base_) / kPageBytes];
    const bool held = (lines.cached >> ((at - base_) / kLineBytes % 64) & 1) != 0;
    std::memcpy(scratch + done, held ? virt(at) : memory_.pointer(at), part);
    done += part;
  }
  return scratch;
}

bool CacheView::dirty(uint64_t addr, uint32_t bytes) const {
  bool any = false;
  const_cast<CacheView*>(this)->each_page(addr, bytes, [&](uint64_t page, uint64_t mask) {
    any = any || (pages_[page].dirty & mask) != 0;
  });
  return any && !coherent_;
}

}  // namespace doorbell::host
