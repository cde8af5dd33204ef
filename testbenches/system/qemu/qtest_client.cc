#include "testbenches/system/qemu/qtest_client.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>

namespace doorbell::qemu {

namespace {

std::string hex(uint64_t v) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%" PRIx64, v);
  return text;
}

unsigned digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
  throw QtestError(std::string("qtest: not a hexadecimal digit: ") + c);
}

}  // namespace

QtestClient::~QtestClient() {
  close(socket_);
}

void QtestClient::writel(uint64_t addr, uint32_t value) {
  request("writel " + hex(addr) + " " + hex(value));
}

Bytes QtestClient::read(uint64_t addr, size_t bytes) {
  const std::string text = request("read " + hex(addr) + " " + hex(bytes));
  if (text.size() != 2 + 2 * bytes) throw QtestError("qtest: read answered " + text);
  Bytes out(bytes);
  for (size_t i = 0; i < bytes; ++i) {
    out[i] = static_cast<uint8_t>(digit(text[2 + 2 * i]) << 4 | digit(text[3 + 2 * i]));
  }
  return out;
}

void QtestClient::write(uint64_t addr, base::ByteView bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string line = "write " + hex(addr) + " " + hex(bytes.size) + " 0x";
  for (const uint8_t b : bytes) {
    line += kDigits[b >> 4];
    line += kDigits[b & 15];
  }
  request(line);
}

void QtestClient::intercept_irqs(const std::string& path) {
  request("irq_intercept_in " + path);
}

uint64_t QtestClient::number(const char* command, uint64_t addr) {
  return std::strtoull(request(std::string(command) + " " + hex(addr)).c_str(), nullptr, 0);
}

/// Sends a line and returns what follows "OK ", after having taken the interrupt lines before it.
std::string QtestClient::request(const std::string& line) {
  const std::string text = line + "\n";
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = send(socket_, text.data() + done, text.size() - done, MSG_NOSIGNAL);
    if (n <= 0) throw QtestError("qtest: QEMU does not listen any more, at: " + line);
    done += static_cast<size_t>(n);
  }
  for (;;) {
    const std::string answer = next_line();
    if (take_irq(answer)) continue;
    if (answer == "OK") return "";
    if (answer.rfind("OK ", 0) == 0) return answer.substr(3);
    throw QtestError("qtest: " + line + " answered " + answer);
  }
}

std::string QtestClient::next_line() {
  for (;;) {
    const size_t end = buffer_.find('\n');
    if (end != std::string::npos) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return line;
    }
    pollfd wait{socket_, POLLIN, 0};
    if (poll(&wait, 1, kAnswerSeconds * 1000) <= 0) throw QtestError("qtest: no answer in time");
    char chunk[4096];
    const ssize_t n = recv(socket_, chunk, sizeof chunk, 0);
    if (n <= 0) throw QtestError("qtest: QEMU closed the connection");
    buffer_.append(chunk, static_cast<size_t>(n));
  }
}

bool QtestClient::take_irq(const std::string& line) {
  unsigned number = 0;
  if (std::sscanf(line.c_str(), "IRQ raise %u", &number) == 1) {
    raised_.insert(number);
    return true;
  }
  if (std::sscanf(line.c_str(), "IRQ lower %u", &number) == 1) {
    raised_.erase(number);
    return true;
  }
  return false;
}

}  // namespace doorbell::qemu
