// Replays the fuzzer's corpus, and each file of it cut off at many places and with octets changed.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "models/base/random.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace doorbell::net {
namespace {

std::vector<std::vector<uint8_t>> corpus() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(DOORBELL_FUZZ_CORPUS)) {
    paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::vector<uint8_t>> out;
  for (const auto& path : paths) {
    std::ifstream in(path, std::ios::binary);
    out.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return out;
}

TEST(PcapFuzzCorpus, EveryFileIsReplayedOrRefused) {
  const auto files = corpus();
  ASSERT_GE(files.size(), 8u);
  for (const auto& file : files) LLVMFuzzerTestOneInput(file.data(), file.size());
}

TEST(PcapFuzzCorpus, CutOffFiles) {
  for (const auto& file : corpus()) {
    const size_t step = std::max<size_t>(1, file.size() / 30);
    for (size_t n = 0; n < file.size(); n += step) {
      const std::vector<uint8_t> cut(file.begin(), file.begin() + static_cast<long>(n));
      LLVMFuzzerTestOneInput(cut.data(), cut.size());
    }
  }
}

TEST(PcapFuzzCorpus, ChangedOctets) {
  base::Stream stream(1, "pcap mutation");
  for (const auto& file : corpus()) {
    if (file.empty()) continue;
    for (int i = 0; i < 40; ++i) {
      auto changed = file;
      for (uint64_t n = stream.between(1, 4); n > 0; --n) {
        // Most of a file's structure is at its beginning.
        const uint64_t reach =
            stream.chance(1, 2) ? std::min<uint64_t>(120, file.size()) : file.size();
        changed[stream.below(reach)] = static_cast<uint8_t>(stream.next());
      }
      LLVMFuzzerTestOneInput(changed.data(), changed.size());
    }
  }
}

}  // namespace
}  // namespace doorbell::net
