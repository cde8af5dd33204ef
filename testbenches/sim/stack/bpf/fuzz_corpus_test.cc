// Replays the fuzzer's corpus, and each object of it cut off at every 16 octets and with octets
// changed: nothing a file holds may crash the simulator.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "models/base/random.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace doorbell::stack::bpf {
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

TEST(ObjectFuzzCorpus, EveryObjectIsRunOrRefused) {
  const auto files = corpus();
  ASSERT_GE(files.size(), 15u);
  for (const auto& file : files) LLVMFuzzerTestOneInput(file.data(), file.size());
}

TEST(ObjectFuzzCorpus, CutOffAtEvery16Octets) {
  for (const auto& file : corpus()) {
    for (size_t n = 0; n < file.size(); n += 16) {
      const std::vector<uint8_t> cut(file.begin(), file.begin() + static_cast<long>(n));
      LLVMFuzzerTestOneInput(cut.data(), cut.size());
    }
  }
}

TEST(ObjectFuzzCorpus, ChangedOctets) {
  base::Stream stream(1, "object mutation");
  for (const auto& file : corpus()) {
    for (int i = 0; i < 400; ++i) {
      auto changed = file;
      for (uint64_t n = stream.between(1, 4); n > 0; --n) {
        changed[stream.below(file.size())] = static_cast<uint8_t>(stream.next());
      }
      LLVMFuzzerTestOneInput(changed.data(), changed.size());
    }
  }
}

// The section headers are what everything else is found by.
TEST(ObjectFuzzCorpus, ChangedHeaders) {
  base::Stream stream(2, "header mutation");
  for (const auto& file : corpus()) {
    ASSERT_GT(file.size(), 64u);
    uint64_t headers = 0;
    std::copy(file.begin() + 40, file.begin() + 48, reinterpret_cast<uint8_t*>(&headers));
    ASSERT_LT(headers, file.size());
    for (int i = 0; i < 400; ++i) {
      auto changed = file;
      const uint64_t from = stream.chance(1, 4) ? 0 : headers;
      const uint64_t reach = from == 0 ? 64 : file.size() - headers;
      static const uint8_t kValues[] = {0x00, 0x01, 0x7F, 0x80, 0xFF};
      for (uint64_t n = stream.between(1, 3); n > 0; --n) {
        changed[from + stream.below(reach)] =
            stream.chance(1, 2) ? kValues[stream.below(5)] : static_cast<uint8_t>(stream.next());
      }
      LLVMFuzzerTestOneInput(changed.data(), changed.size());
    }
  }
}

}  // namespace
}  // namespace doorbell::stack::bpf
