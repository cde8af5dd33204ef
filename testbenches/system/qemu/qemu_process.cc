#include "testbenches/system/qemu/qemu_process.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

#include "testbenches/system/qemu/target.h"

namespace doorbell::qemu {

namespace {

// ARM: wfi; branch back to it. Two little-endian words, the first in the low half.
constexpr uint64_t kParkLoop = 0xEAFFFFFDE320F003;

std::vector<std::string> command_line(const Board& board, int qtest, int wire) {
  char park[96];
  std::snprintf(park, sizeof park, "loader,addr=0x%x,data=0x%llx,data-len=8", kRamBase,
                static_cast<unsigned long long>(kParkLoop));
  char start[64];
  std::snprintf(start, sizeof start, "loader,addr=0x%x,cpu-num=0", kRamBase);
  return {QemuProcess::kProgram,
          "-M",
          board.machine,
          "-m",
          "128M",
          "-accel",
          "tcg",
          "-nodefaults",
          "-no-user-config",
          "-display",
          "none",
          "-chardev",
          "socket,id=qtest-channel,fd=" + std::to_string(qtest),
          "-object",
          "qtest,id=qtest-server,chardev=qtest-channel,log=/dev/null",
          "-nic",
          "socket,fd=" + std::to_string(wire),
          "-device",
          park,
          "-device",
          start};
}

/// Only calls that are allowed between fork and exec.
[[noreturn]] void become_qemu(char* const* argv, pid_t parent, int output) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(126);  // the parent died before the line above
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  execvp(argv[0], argv);
  _exit(127);
}

}  // namespace

bool QemuProcess::available() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (access((folder + "/" + kProgram).c_str(), X_OK) == 0) return true;
  }
  return false;
}

QemuProcess::QemuProcess(const Board& board) {
  int qtest[2];
  int wire[2];
  // Our ends close on exec, QEMU's ends are handed down by number.
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, qtest) != 0 ||
      socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, wire) != 0) {
    throw std::runtime_error("no socket pair for QEMU");
  }
  output_ = memfd_create("qemu-output", MFD_CLOEXEC);
  qtest_ = qtest[0];
  wire_ = wire[0];
  const int qtest_end = dup(qtest[1]);
  const int wire_end = dup(wire[1]);
  close(qtest[1]);
  close(wire[1]);
  std::vector<std::string> words = command_line(board, qtest_end, wire_end);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ == 0) become_qemu(argv.data(), parent, output_);
  close(qtest_end);
  close(wire_end);
  if (pid_ < 0) throw std::runtime_error("cannot start QEMU");
}

QemuProcess::~QemuProcess() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  for (const int fd : {qtest_, wire_, output_}) {
    if (fd >= 0) close(fd);
  }
}

int QemuProcess::take_qtest_socket() {
  return std::exchange(qtest_, -1);
}
int QemuProcess::take_wire_socket() {
  return std::exchange(wire_, -1);
}

std::string QemuProcess::status() {
  // A process that has closed its sockets may need a moment to end.
  constexpr int kTries = 100;
  int status = 0;
  pid_t ended = 0;
  for (int i = 0; i < kTries && ended == 0; ++i) {
    ended = waitpid(pid_, &status, WNOHANG);
    if (ended == 0) usleep(10'000);
  }
  if (ended != pid_) return "runs";
  pid_ = -1;
  return WIFSIGNALED(status) ? "killed by signal " + std::to_string(WTERMSIG(status))
                             : "exited with " + std::to_string(WEXITSTATUS(status));
}

std::string QemuProcess::output() const {
  std::string text;
  char chunk[1024];
  ssize_t n;
  while ((n = pread(output_, chunk, sizeof chunk, static_cast<off_t>(text.size()))) > 0) {
    text.append(chunk, static_cast<size_t>(n));
  }
  return text;
}

}  // namespace doorbell::qemu
