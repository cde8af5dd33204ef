// The real command: the simulator behind the verbs, and what SystemC wants of a program.
#include <cstdlib>
#include <iostream>
#include <string>
#include <systemc>
#include <vector>

#include "sim/app/app.h"
#include "sim/run/simulation.h"

// SystemC's library refers to it; main() is ours.
int sc_main(int, char**) {
  return doorbell::app::kDefect;
}

int main(int argc, char** argv) {
  // SystemC prints its copyright line at the first elaboration unless told not to.
  ::setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 1);  // NOLINT: no other thread yet
  const std::vector<std::string> args(argv + 1, argv + argc);
  return doorbell::app::main_with(args, {doorbell::run::simulate, std::cout, std::cerr});
}
