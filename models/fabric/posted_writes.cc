#include "models/fabric/posted_writes.h"

#include <cstring>

namespace doorbell::fabric {

namespace {

template <size_t kHalf>
void copy_halves(uint8_t* to, const uint8_t* from, uint32_t size) {
  std::memcpy(to, from, kHalf);
  std::memcpy(to + size - kHalf, from + size - kHalf, kHalf);
}

// What most device writes are, 1 to 64 bytes, in two moves that may overlap: compilers make a slow
// string instruction of a bounded memcpy.
void copy_small(uint8_t* to, const uint8_t* from, uint32_t size) {
  if (size >= 32) {
    copy_halves<32>(to, from, size);
  } else if (size >= 16) {
    copy_halves<16>(to, from, size);
  } else if (size >= 8) {
    copy_halves<8>(to, from, size);
  } else {
    for (uint32_t i = 0; i < size; ++i) {
      to[i] = from[i];
    }
  }
}

}  // namespace

PostedWrites::PostedWrites() {
  heads_.fill(kNone);
  tails_.fill(kNone);
  nodes_.reserve(kReserved);
  free_.reserve(kReserved);
  for (uint32_t i = 0; i < kReservedBlocks; ++i) {
    blocks_.push_back(std::make_unique<Block>());
    free_blocks_.push_back(i);
  }
}

void PostedWrites::post(base::Picos arrival, uint64_t addr, const uint8_t* data, uint32_t size) {
  while (size > 0) {
    const auto room = static_cast<uint32_t>(kPageBytes - addr % kPageBytes);
    const uint32_t part = std::min(size, room);
    post_in_page(arrival, addr, data, part);
    addr += part;
    data += part;
    size -= part;
  }
}

void PostedWrites::post_in_page(base::Picos arrival, uint64_t addr, const uint8_t* data,
                                uint32_t size) {
  uint32_t index;
  if (free_.empty()) {
    index = static_cast<uint32_t>(nodes_.size());
    nodes_.emplace_back();
    free_.reserve(nodes_.capacity());  // so that release() finds room
  } else {
    index = free_.back();
    free_.pop_back();
  }
  Node& node = nodes_[index];
  node.arrival = arrival;
  node.addr = addr;
  node.size = size;
  if (size > kSmallBytes) {
    if (free_blocks_.empty()) {
      free_blocks_.push_back(static_cast<uint32_t>(blocks_.size()));
      blocks_.push_back(std::make_unique<Block>());
      free_blocks_.reserve(blocks_.capacity());
    }
    node.block = free_blocks_.back();
    free_blocks_.pop_back();
  }
  if (node.block == kNone) {
    copy_small(node.bytes.data(), data, size);
  } else {
    std::memcpy(blocks_[node.block]->data(), data, size);
  }
  // Behind everything of the same arrival: later calls win.
  const uint32_t b = bucket(addr / kPageBytes);
  uint32_t* link = &heads_[b];
  if (*link != kNone && nodes_[tails_[b]].arrival <= arrival) {
    link = &nodes_[tails_[b]].next;
  }
  while (*link != kNone && nodes_[*link].arrival <= arrival) {
    link = &nodes_[*link].next;
  }
  node.next = *link;
  *link = index;
  if (node.next == kNone) {
    tails_[b] = index;
  }
  ++waiting_;
}

void PostedWrites::overlay(uint64_t addr, base::MutByteView into, base::Picos t) const {
  if (waiting_ == 0 || into.size == 0) {
    return;
  }
  const uint64_t end = addr + into.size;
  for (uint64_t page = addr / kPageBytes; page <= (end - 1) / kPageBytes; ++page) {
    for (uint32_t i = heads_[bucket(page)]; i != kNone; i = nodes_[i].next) {
      const Node& node = nodes_[i];
      if (node.arrival > t) {
        break;
      }
      const uint64_t from = std::max(addr, node.addr);
      const uint64_t to = std::min(end, node.addr + node.size);
      if (node.addr / kPageBytes == page && from < to) {
        std::memcpy(into.data + (from - addr), storage(node) + (from - node.addr), to - from);
      }
    }
  }
}

void PostedWrites::release(uint32_t index) {
  Node& node = nodes_[index];
  if (node.block != kNone) {
    free_blocks_.push_back(node.block);
    node.block = kNone;
  }
  free_.push_back(index);
  --waiting_;
}

}  // namespace doorbell::fabric
