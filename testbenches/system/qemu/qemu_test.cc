// QEMU's FEC as a second opinion: every script on both targets, differences explained by the table.
#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <systemc>

#include "models/net/checksum.h"
#include "testbenches/system/qemu/anchors.h"
#include "testbenches/system/qemu/model_target.h"
#include "testbenches/system/qemu/qemu_target.h"
#include "testbenches/system/qemu/scripts.h"
#include "testbenches/system/qemu/test_plan.h"

namespace doorbell::qemu {
namespace {

class QemuDifferential : public testing::TestWithParam<std::tuple<Board, Script>> {};

TEST_P(QemuDifferential, EveryDifferenceIsExplained) {
  const auto& [board, script] = GetParam();
  if (!QemuProcess::available()) {
    if (std::getenv("CI") != nullptr) FAIL() << QemuProcess::kProgram << " is not installed";
    GTEST_SKIP() << QemuProcess::kProgram << " is not installed";
  }
  QemuTarget qemu(board);
  Rig on_qemu(qemu, board.phy_address);
  try {
    script.run(on_qemu);
  } catch (const QtestError& error) {
    FAIL() << error.what() << '\n' << qemu.report();
  }
  ModelTarget model(board, script.model_drops_partial);
  Rig on_model(model, board.phy_address);
  script.run(on_model);

  for (const std::string& miss : missed_anchors(script.name, on_qemu.log())) {
    ADD_FAILURE() << "QEMU: " << miss;
  }
  const Comparison result =
      compare(script.name, on_qemu.log(), on_model.log(), expected_differences());
  for (const std::string& text : result.unexplained) ADD_FAILURE() << text;
  for (const std::string& id : result.stale) {
    ADD_FAILURE() << "expected difference " << id << " did not occur";
  }
  RecordProperty("equal", static_cast<int>(result.equal));
  RecordProperty("explained", static_cast<int>(result.explained));
}

std::string instance_name(const testing::TestParamInfo<QemuDifferential::ParamType>& info) {
  return std::string(std::get<0>(info.param).name) + "_" + std::get<1>(info.param).name;
}

INSTANTIATE_TEST_SUITE_P(All, QemuDifferential,
                         testing::Combine(testing::ValuesIn(kBoards), testing::ValuesIn(scripts())),
                         instance_name);

// The one thing of the common set that QEMU cannot be asked: it dies of it.
TEST(ModelAlone, FcsDividedBetweenTwoBuffers) {
  constexpr uint32_t kMrbr = 0x80;
  ModelTarget model(kBoards[0], false);
  Rig rig(model, kBoards[0].phy_address);
  rig.configure(false);
  rig.write(fec::reg::kMrbr0, kMrbr);
  for (unsigned i = 0; i < 6; ++i) rig.rx(i, fec::rx_sc::kEmpty);
  rig.enable();
  rig.rx_kick();
  for (unsigned i = 0; i < 3; ++i) {
    const Bytes frame = test_frame(kMrbr - 3 + i, i);
    rig.inject(frame);
    rig.settle();
    Bytes wire = frame;
    wire.resize(frame.size() + net::kFcsBytes);
    net::store_fcs(wire.data() + frame.size(), net::fcs({frame.data(), frame.size()}));
    const uint32_t first = Rig::kRxData + 2 * i * Rig::kBufferStep;
    Bytes got = model.mem_read(first, kMrbr);
    const Bytes rest = model.mem_read(first + Rig::kBufferStep, wire.size() - kMrbr);
    got.insert(got.end(), rest.begin(), rest.end());
    EXPECT_EQ(got, wire) << i;
    const Bytes bds = model.mem_read(Rig::kRx + 2 * i * fec::kLegacyStride, 16);
    EXPECT_EQ(base::load_le<uint32_t>(bds.data()), kMrbr) << i;
    EXPECT_EQ(base::load_le<uint32_t>(bds.data() + 8), fec::rx_sc::kLast << 16 | wire.size()) << i;
  }
}

TEST(QemuTestPlan, DocumentIsUpToDate) {
  const std::string path = std::string(DOORBELL_SOURCE_DIR) + "/docs/testplans/qemu-fec.md";
  std::ifstream in(path);
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  const std::string wanted = with_generated_part(text);
  ASSERT_FALSE(wanted.empty()) << path << " lacks the marker of the generated part";
  if (const char* again = std::getenv("DOORBELL_REGENERATE"); again != nullptr && *again == '1') {
    std::ofstream(path) << wanted;
    return;
  }
  EXPECT_TRUE(text == wanted)
      << path << " is stale: run this test with DOORBELL_REGENERATE=1 and commit it";
}

}  // namespace

// What GTest prints for a parameter; its default would be the bytes of the structs.
void PrintTo(const Board& board, std::ostream* out) {
  *out << board.machine;
}
void PrintTo(const Script& script, std::ostream* out) {
  *out << script.name;
}

}  // namespace doorbell::qemu

// libsystemc refers to it; never called, because the tests elaborate without it.
int sc_main(int, char**) {
  return 0;
}
