#include "testbenches/system/qemu/qemu_target.h"

#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>

namespace doorbell::qemu {

namespace {
constexpr uint32_t kRdar = 0x010;
constexpr size_t kPrefix = 4;
}  // namespace

QemuTarget::QemuTarget(const Board& board)
    : board_(board),
      process_(board),
      client_(process_.take_qtest_socket()),
      wire_(process_.take_wire_socket()) {
  client_.intercept_irqs(board.gic);
}

QemuTarget::~QemuTarget() {
  close(wire_);
}

std::optional<uint32_t> QemuTarget::read_narrow(uint32_t offset, unsigned octets) {
  const uint64_t addr = board_.fec_base + offset;
  return octets == 1 ? client_.readb(addr) : client_.readw(addr);
}

void QemuTarget::inject(base::ByteView frame) {
  Bytes out(kPrefix + frame.size);
  base::store_be32(out.data(), static_cast<uint32_t>(frame.size));
  std::copy(frame.begin(), frame.end(), out.begin() + kPrefix);
  if (send(wire_, out.data(), out.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(out.size())) {
    throw QtestError("wire: QEMU does not take the frame");
  }
}

void QemuTarget::drain_wire() {
  uint8_t chunk[65536];
  ssize_t n;
  while ((n = recv(wire_, chunk, sizeof chunk, MSG_DONTWAIT)) > 0) {
    received_.insert(received_.end(), chunk, chunk + n);
  }
}

std::vector<Bytes> QemuTarget::take_sent() {
  drain_wire();
  std::vector<Bytes> frames;
  size_t at = 0;
  while (received_.size() - at >= kPrefix) {
    const size_t size = base::load_be32(received_.data() + at);
    if (received_.size() - at - kPrefix < size) break;
    const auto first = received_.begin() + static_cast<ptrdiff_t>(at + kPrefix);
    frames.emplace_back(first, first + static_cast<ptrdiff_t>(size));
    at += kPrefix + size;
  }
  received_.erase(received_.begin(), received_.begin() + static_cast<ptrdiff_t>(at));
  return frames;
}

void QemuTarget::settle() {
  const auto deadline =
      std::chrono::steady_clock::now() + std::chrono::seconds(QtestClient::kAnswerSeconds);
  for (;;) {
    int unread = 0;
    if (ioctl(wire_, SIOCOUTQ, &unread) != 0) throw QtestError("wire: no queue length");
    // The request after the look at the queue makes sure that what was read is also worked out.
    const bool can_receive = client_.readl(board_.fec_base + kRdar) != 0;
    if (unread == 0 || !can_receive) return;
    if (std::chrono::steady_clock::now() > deadline) throw QtestError("wire: QEMU does not read");
  }
}

}  // namespace doorbell::qemu
