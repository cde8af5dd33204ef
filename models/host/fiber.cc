#include "models/host/fiber.h"

#include <boost/context/preallocated.hpp>
#include <utility>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define DOORBELL_ASAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define DOORBELL_ASAN 1
#endif
#ifdef DOORBELL_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

namespace doorbell::host {

namespace context = boost::context;

Fiber::Fiber(size_t stack_bytes, std::function<void()> body)
    : body_(std::move(body)), allocator_(stack_bytes), stack_(allocator_.allocate()) {
  inside_ =
      context::fiber(std::allocator_arg, context::preallocated(stack_.sp, stack_.size, stack_),
                     allocator_, [this](context::fiber&& back) { return start(std::move(back)); });
}

// A body that has not returned is unwound on its own stack: the sanitizer is told of the way there
// and, since the body cannot do it, of the way back.
Fiber::~Fiber() {
  if (!inside_) {
    return;
  }
  void* fake = nullptr;
  before_switch(static_cast<const char*>(stack_.sp) - stack_.size, stack_.size, &fake);
  { const context::fiber unwound = std::move(inside_); }
  if (!started_) {
    after_switch(nullptr);
  }
  before_switch(outside_bottom_, outside_bytes_, nullptr);
  came_back(fake);
}

context::fiber Fiber::start(context::fiber&& back) {
  after_switch(nullptr);
  started_ = true;
  outside_ = std::move(back);
  try {
    body_();
  } catch (const context::detail::forced_unwind&) {
    throw;  // the destructor's
  } catch (...) {
    error_ = std::current_exception();
  }
  done_ = true;
  before_switch(outside_bottom_, outside_bytes_, nullptr);
  return std::move(outside_);
}

void Fiber::enter() {
  if (done_) {
    return;
  }
  void* fake = nullptr;
  before_switch(static_cast<const char*>(stack_.sp) - stack_.size, stack_.size, &fake);
  inside_ = std::move(inside_).resume();
  came_back(fake);
  if (error_ != nullptr) {
    std::rethrow_exception(std::exchange(error_, nullptr));
  }
}

void Fiber::leave() {
  before_switch(outside_bottom_, outside_bytes_, &fake_inside_);
  try {
    outside_ = std::move(outside_).resume();
  } catch (const context::detail::forced_unwind&) {
    after_switch(fake_inside_);
    throw;
  }
  after_switch(fake_inside_);
}

void Fiber::before_switch([[maybe_unused]] const void* bottom, [[maybe_unused]] size_t bytes,
                          [[maybe_unused]] void** fake) {
#ifdef DOORBELL_ASAN
  __sanitizer_start_switch_fiber(fake, bottom, bytes);
#endif
}

// On the stack of whoever entered.
void Fiber::came_back([[maybe_unused]] void* fake) {
#ifdef DOORBELL_ASAN
  __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#endif
}

// On the fiber's own stack: remembers the one it came from.
void Fiber::after_switch([[maybe_unused]] void* fake) {
#ifdef DOORBELL_ASAN
  __sanitizer_finish_switch_fiber(fake, &outside_bottom_, &outside_bytes_);
#endif
}

}  // namespace doorbell::host
