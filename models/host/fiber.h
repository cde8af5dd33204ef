// A second stack to run on: how many cores execute in one SystemC thread.
//
// enter() runs the body until it calls leave() or returns; the next enter() goes on behind that
// leave(). A switch costs about 10 ns where one between SystemC threads costs some 250
// (docs/decisions/0006). Built on Boost.Context. An exception of the body comes out of enter(). A
// body that has not returned is unwound by the destructor; it must not leave() then, nor within a
// catch block ever: the C++ runtime keeps caught exceptions by thread. Not thread safe.
#pragma once

#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>
#include <cstddef>
#include <exception>
#include <functional>

namespace doorbell::host {

class Fiber {
 public:
  Fiber(size_t stack_bytes, std::function<void()> body);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// Runs the body. Nothing happens once it has returned.
  void enter();
  /// From the body: back to whoever called enter().
  void leave();
  bool done() const { return done_; }

 private:
  boost::context::fiber start(boost::context::fiber&& back);
  // For the address sanitizer, which must know of every change of stack.
  void before_switch(const void* bottom, size_t bytes, void** fake);
  void after_switch(void* fake);
  void came_back(void* fake);

  std::function<void()> body_;
  boost::context::protected_fixedsize_stack allocator_;
  boost::context::stack_context stack_;
  boost::context::fiber inside_;
  boost::context::fiber outside_;
  std::exception_ptr error_;
  bool started_ = false;
  bool done_ = false;
  void* fake_inside_ = nullptr;
  const void* outside_bottom_ = nullptr;
  size_t outside_bytes_ = 0;
};

}  // namespace doorbell::host
