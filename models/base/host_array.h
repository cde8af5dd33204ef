// A large zeroed array of the simulator's own, kind to the host's TLB.
//
// For tables with an entry per simulated page: accesses are spread over megabytes, and with 4 KiB
// pages of the host each would cost a page walk on top of the cache miss. The memory is advised for
// huge pages and costs nothing until it is touched. T must be trivially destructible, and all zero
// bits must be a valid T (the constructor does not run).
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace doorbell::base {

template <typename T>
class HostArray {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  HostArray() = default;
  /// Throws std::bad_alloc.
  explicit HostArray(size_t size) : size_(size) {
    // Room to start at a huge page.
    bytes_ = size * sizeof(T) + kHugePage;
    map_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map_ == MAP_FAILED) {
      throw std::bad_alloc();
    }
    const auto begin = reinterpret_cast<uintptr_t>(map_);
    const uintptr_t aligned = (begin + kHugePage - 1) / kHugePage * kHugePage;
    data_ = reinterpret_cast<T*>(aligned);
    madvise(data_, size * sizeof(T), MADV_HUGEPAGE);
  }
  HostArray(HostArray&& other) noexcept
      : map_(std::exchange(other.map_, nullptr)),
        bytes_(other.bytes_),
        data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)) {}
  HostArray& operator=(HostArray&&) = delete;
  ~HostArray() {
    if (map_ != nullptr) {
      munmap(map_, bytes_);
    }
  }

  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }
  size_t size() const { return size_; }

 private:
  static constexpr uintptr_t kHugePage = 2u << 20;
  void* map_ = nullptr;
  size_t bytes_ = 0;
  T* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace doorbell::base
