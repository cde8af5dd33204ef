#include "models/net/pcap_writer.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <vector>

namespace doorbell::net {
namespace {

using namespace base::literals;

std::string temp_path(const char* name) {
  return testing::TempDir() + "doorbell_" + name;
}

bool exists(const std::string& path) {
  struct stat info {};
  return stat(path.c_str(), &info) == 0;
}

TEST(PcapWriter, GoldenFile) {
  const std::string path = temp_path("golden.pcap");
  auto writer = PcapWriter::create(path).take();
  const uint8_t bytes[] = {1, 2, 3, 4};
  writer->write(2_s + 345678912_ps, {bytes, 4});  // 345678 ns and some
  EXPECT_FALSE(exists(path));
  ASSERT_FALSE(writer->close().has_value());
  EXPECT_EQ(writer->frames(), 1u);
  EXPECT_FALSE(exists(path + ".part"));
  std::ifstream in(path, std::ios::binary);
  const std::vector<uint8_t> got{std::istreambuf_iterator<char>(in), {}};
  // Magic of nanosecond files, version 2.4, snap length 65535, link type 1; then the record.
  const std::vector<uint8_t> want{0x4d, 0x3c, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0,    0,
                                  0,    0xff, 0xff, 0,    0, 1, 0, 0, 0, 2, 0, 0, 0, 0x4e, 0x46,
                                  0x05, 0x00, 4,    0,    0, 0, 4, 0, 0, 0, 1, 2, 3, 4};
  EXPECT_EQ(got, want);
  std::remove(path.c_str());
}

TEST(PcapWriter, WithoutCloseNothingStays) {
  const std::string path = temp_path("dropped.pcap");
  {
    auto writer = PcapWriter::create(path).take();
    EXPECT_TRUE(exists(path + ".part"));
  }
  EXPECT_FALSE(exists(path));
  EXPECT_FALSE(exists(path + ".part"));
}

TEST(PcapWriter, SaysWhyItCannotCreate) {
  const auto result = PcapWriter::create("/no/such/folder/a.pcap");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(
      result.error(),
      "/no/such/folder/a.pcap: cannot write capture: /no/such/folder/a.pcap.part: No such file "
      "or directory");
}

TEST(PcapWriter, ReportsAFullDisk) {
  const std::string path = temp_path("full.pcap");
  std::remove((path + ".part").c_str());
  ASSERT_EQ(symlink("/dev/full", (path + ".part").c_str()), 0);
  auto writer = PcapWriter::create(path).take();
  const std::vector<uint8_t> frame(1514);
  for (int i = 0; i < 100; ++i) writer->write(1_us, {frame.data(), frame.size()});
  const auto error = writer->close();
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->message, path + ": writing the capture failed: No space left on device");
  EXPECT_FALSE(exists(path));
}

}  // namespace
}  // namespace doorbell::net
