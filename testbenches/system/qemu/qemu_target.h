// QEMU's own FEC as a Target.
//
// The wire is a stream socket with QEMU's framing: length in four octets, big-endian, then the
// frame. QEMU works through a ring inside the register write, and reads the wire in its main loop
// between two qtest requests; so settle() needs no timing: it waits until QEMU has read all that
// was injected, or cannot (no empty descriptor), and then asks once more.
#pragma once

#include "testbenches/system/qemu/qemu_process.h"
#include "testbenches/system/qemu/qtest_client.h"
#include "testbenches/system/qemu/target.h"

namespace doorbell::qemu {

class QemuTarget final : public Target {
 public:
  explicit QemuTarget(const Board& board);
  ~QemuTarget() override;

  uint32_t read32(uint32_t offset) override { return client_.readl(board_.fec_base + offset); }
  void write32(uint32_t offset, uint32_t value) override {
    client_.writel(board_.fec_base + offset, value);
  }
  std::optional<uint32_t> read_narrow(uint32_t offset, unsigned octets) override;
  Bytes mem_read(uint32_t addr, size_t bytes) override { return client_.read(addr, bytes); }
  void mem_write(uint32_t addr, base::ByteView bytes) override { client_.write(addr, bytes); }
  void inject(base::ByteView frame) override;
  std::vector<Bytes> take_sent() override;
  std::set<unsigned> raised_lines() override { return client_.raised(); }
  void settle() override;

  /// Whether QEMU still runs and what it printed, for failure messages.
  std::string report() { return "QEMU " + process_.status() + "; printed: " + process_.output(); }

 private:
  void drain_wire();

  const Board& board_;
  QemuProcess process_;
  QtestClient client_;
  int wire_;
  Bytes received_;  // octets from the wire that take_sent() has not yet handed out
};

}  // namespace doorbell::qemu
