// A running QEMU with a qtest channel and a wire to its first Ethernet controller.
//
// The CPU is parked in a two-instruction WFI loop at kRamBase: QEMU's network layer delivers
// nothing into a stopped machine. Both channels are socket pairs made before the fork, so nothing
// is created in the file system. QEMU is killed by the destructor, and by the kernel if the test
// process dies without one. What QEMU prints is kept and can be asked for. Source: QEMU 7.2 command
// line, as tried out with Debian's qemu-system-arm 7.2.22.
#pragma once

#include <sys/types.h>

#include <string>

namespace doorbell::qemu {

/// One of QEMU's boards, and what the test must know about it.
struct Board {
  const char* machine;   // -M
  const char* name;      // of the test instance
  uint64_t fec_base;     // first ENET
  const char* gic;       // QOM path whose inputs are the shared peripheral interrupts
  unsigned phy_address;  // where QEMU answers MDIO frames
};
inline constexpr Board kBoards[] = {
    {"mcimx6ul-evk", "Mcimx6ulEvk", 0x02188000, "/machine/soc/a7mpcore", 2},
    {"mcimx7d-sabre", "Mcimx7dSabre", 0x30BE0000, "/machine/soc/a7mpcore", 0},
};

class QemuProcess {
 public:
  static constexpr const char* kProgram = "qemu-system-arm";
  /// True if kProgram is in PATH.
  static bool available();

  /// Throws std::runtime_error if it cannot be started.
  explicit QemuProcess(const Board& board);
  ~QemuProcess();
  QemuProcess(const QemuProcess&) = delete;
  QemuProcess& operator=(const QemuProcess&) = delete;

  /// Sockets of the channels; each may be taken once and is then the caller's to close.
  int take_qtest_socket();
  int take_wire_socket();
  pid_t pid() const { return pid_; }
  /// "runs", "exited with N" or "killed by signal N".
  std::string status();
  /// Everything QEMU has printed so far.
  std::string output() const;

 private:
  pid_t pid_ = -1;
  int qtest_ = -1;
  int wire_ = -1;
  int output_ = -1;
};

}  // namespace doorbell::qemu
