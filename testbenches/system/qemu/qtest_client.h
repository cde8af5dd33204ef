// Client of QEMU's qtest protocol: one line of text per request, one per answer.
//
// Speaks over a connected stream socket that it owns. Modelled: word reads and writes, blocks of
// guest memory, interception of a device's interrupt inputs with tracking of their levels. Not
// modelled: clock stepping (QEMU must run under the qtest accelerator for that, which Debian does
// not ship). Every call blocks until QEMU has answered, at most kAnswerSeconds of wall time; then,
// or when QEMU closes the socket, it throws QtestError. Source: QEMU 7.2, protocol as described at
// the head of softmmu/qtest.c.
#pragma once

#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>

#include "testbenches/system/qemu/target.h"

namespace doorbell::qemu {

class QtestError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class QtestClient {
 public:
  static constexpr int kAnswerSeconds = 10;

  explicit QtestClient(int socket) : socket_(socket) {}
  ~QtestClient();
  QtestClient(const QtestClient&) = delete;
  QtestClient& operator=(const QtestClient&) = delete;

  uint32_t readl(uint64_t addr) { return static_cast<uint32_t>(number("readl", addr)); }
  uint32_t readw(uint64_t addr) { return static_cast<uint32_t>(number("readw", addr)); }
  uint32_t readb(uint64_t addr) { return static_cast<uint32_t>(number("readb", addr)); }
  void writel(uint64_t addr, uint32_t value);
  Bytes read(uint64_t addr, size_t bytes);
  void write(uint64_t addr, base::ByteView bytes);

  /// From now on the inputs of the device at `path` are tracked instead of delivered.
  void intercept_irqs(const std::string& path);
  /// Intercepted inputs that are high, as of the latest answer.
  const std::set<unsigned>& raised() const { return raised_; }

 private:
  std::string request(const std::string& line);
  uint64_t number(const char* command, uint64_t addr);
  std::string next_line();
  bool take_irq(const std::string& line);

  int socket_;
  std::string buffer_;
  std::set<unsigned> raised_;
};

}  // namespace doorbell::qemu
