#include "models/fabric/memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cassert>
#include <cstring>
#include <new>

#include "models/fabric/transaction_time.h"

namespace doorbell::fabric {

namespace {
constexpr uint64_t kHugeFrom = 1u << 30;
}

Memory::Memory(sc_core::sc_module_name name, const MemoryConfig& config)
    : sc_module(name), socket("socket"), config_(config), bank_free_(config.banks) {
  assert((config.banks & (config.banks - 1)) == 0 &&
         (config.interleave & (config.interleave - 1)) == 0);
  // Untouched pages of an anonymous mapping cost no host memory.
  void* map = mmap(nullptr, config.size, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map == MAP_FAILED) {
    throw std::bad_alloc();
  }
  data_ = static_cast<uint8_t*>(map);
  // A large machine's buffers are spread over hundreds of megabytes: fewer TLB misses on the host.
  if (config.size >= kHugeFrom) {
    madvise(map, config.size, MADV_HUGEPAGE);
  }
  socket.register_b_transport(this, &Memory::b_transport);
  socket.register_transport_dbg(this, &Memory::transport_dbg);
  socket.register_get_direct_mem_ptr(this, &Memory::get_dmi);
}

Memory::~Memory() {
  munmap(data_, config_.size);
}

base::Picos Memory::reserve_bank(base::Picos at, uint64_t addr) {
  if (config_.bank_busy == base::Picos(0)) {
    return at;  // no bank is ever in use: calls need not come in order of time
  }
  base::Picos& free = bank_free_[(addr / config_.interleave) & (config_.banks - 1)];
  const base::Picos start = base::max(at, free);
  free = start + config_.bank_busy;
  return start;
}

void Memory::b_transport(int, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const uint64_t addr = payload.get_address();
  const unsigned size = payload.get_data_length();
  if (!contains(addr, size)) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  if (payload.get_byte_enable_ptr() != nullptr || payload.get_streaming_width() < size) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return;
  }
  const base::Picos at = annotated_time(payload, delay);
  const base::Picos start = reserve_bank(at, addr);
  if (payload.is_read()) {
    // Not settle(): a core that lags behind this device must not see what comes later for it.
    std::memcpy(payload.get_data_ptr(), pointer(addr), size);
    posted_.overlay(addr, {payload.get_data_ptr(), size}, at);
    annotate(payload, delay, start + config_.latency);
  } else {
    // By the time somebody looks the host has the line: 64 queues of pages fit no cache.
    __builtin_prefetch(pointer(addr), 1);
    if (observer_ != nullptr) {
      observer_->coming(addr);
    }
    posted_.relieve(*this);
    posted_.post(start, addr, payload.get_data_ptr(), size);
    annotate(payload, delay, start);
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

void Memory::operator()(uint64_t addr, const uint8_t* data, uint32_t size) {
  std::memcpy(pointer(addr), data, size);
  if (observer_ != nullptr) {
    observer_->written(addr, size);
  }
}

unsigned int Memory::transport_dbg(int, tlm::tlm_generic_payload& payload) {
  const uint64_t addr = payload.get_address();
  const unsigned size = payload.get_data_length();
  if (!contains(addr, size)) {
    return 0;
  }
  if (payload.is_read()) {
    std::memcpy(payload.get_data_ptr(), pointer(addr), size);
  } else {
    std::memcpy(pointer(addr), payload.get_data_ptr(), size);
  }
  return size;
}

bool Memory::get_dmi(int, tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
  dmi.set_dmi_ptr(data_);
  dmi.set_start_address(config_.base);
  dmi.set_end_address(config_.base + config_.size - 1);
  dmi.allow_read_write();
  dmi.set_read_latency(to_sc(config_.latency));
  dmi.set_write_latency(sc_core::SC_ZERO_TIME);
  return true;
}

}  // namespace doorbell::fabric
