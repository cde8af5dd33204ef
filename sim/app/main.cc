// The real command: the simulator behind the verbs, and what SystemC wants of a program.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <systemc>
#include <vector>

#include "sim/app/app.h"
#include "sim/run/simulation.h"

namespace {

// Exceptions that cannot travel (out of a destructor, through SystemC's coroutines) end here.
[[noreturn]] void on_terminate() {
  try {
    if (const auto exception = std::current_exception()) {
      std::rethrow_exception(exception);
    }
    std::fputs("doorbell: defect: terminated without an exception\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "doorbell: defect: %s\n", error.what());
  } catch (...) {
    std::fputs("doorbell: defect: unknown exception\n", stderr);
  }
  std::_Exit(doorbell::app::kDefect);
}

}  // namespace

// SystemC's library refers to it; main() is ours.
int sc_main(int, char**) {
  return doorbell::app::kDefect;
}

int main(int argc, char** argv) {
  std::set_terminate(on_terminate);
  // SystemC prints its copyright line at the first elaboration unless told not to.
  ::setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 1);  // NOLINT: no other thread yet
  const std::vector<std::string> args(argv + 1, argv + argc);
  return doorbell::app::main_with(args, {doorbell::run::simulate, std::cout, std::cerr});
}
