// QEMU's FEC as a second opinion: every script on both targets, differences explained by the table.
#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <systemc>

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
