#include "testbenches/models/fabric/allocation_count.h"

#include <cstdlib>
#include <new>

namespace {
uint64_t count = 0;
}

void* operator new(size_t n) {
  ++count;
  if (void* p = std::malloc(n == 0 ? 1 : n)) return p;
  throw std::bad_alloc();
}
void* operator new(size_t n, const std::nothrow_t&) noexcept {  // of std::stable_sort
  ++count;
  return std::malloc(n == 0 ? 1 : n);
}
void operator delete(void* p) noexcept {
  std::free(p);
}
void operator delete(void* p, size_t) noexcept {
  std::free(p);
}

namespace doorbell::fabric::test {

uint64_t allocations() {
  return count;
}

}  // namespace doorbell::fabric::test
