// Replays the fuzzer's corpus, and mutations of it, without the fuzzer.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "models/base/random.h"
#include "sim/run/data_dir.h"
#include "sim/run/toml_reader.h"
#include "testbenches/sim/run/fuzz/load_anything.h"

namespace doorbell::run {
namespace {

std::vector<std::string> seeds() {
  std::vector<std::string> texts;
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(DOORBELL_CORPUS_DIR)) {
    paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  texts.reserve(paths.size());
  for (const auto& path : paths) {
    texts.push_back(read_text_file(path.string()).value());
  }
  for (const auto& kind : {"scenarios", "platforms"}) {
    for (const auto& name : shipped_names(kind)) {
      texts.push_back(read_text_file(shipped_path(kind, name)).value());
    }
  }
  return texts;
}

void load(const std::string& text) {
  load_anything(reinterpret_cast<const uint8_t*>(text.data()), text.size());
}

TEST(LoaderCorpus, EverySeedIsLoadedOrRefused) {
  const auto texts = seeds();
  ASSERT_GE(texts.size(), 10u);
  for (const auto& text : texts) {
    load(text);
  }
}

TEST(LoaderCorpus, EveryPrefixIsLoadedOrRefused) {
  for (const auto& text : seeds()) {
    for (size_t length = 0; length < std::min<size_t>(text.size(), 1200); length += 7) {
      load(text.substr(0, length));
    }
  }
}

TEST(LoaderCorpus, MutatedSeedsAreLoadedOrRefused) {
  base::Stream random(11, "corpus");
  const auto texts = seeds();
  for (int round = 0; round < 1500; ++round) {
    std::string text = texts[random.below(texts.size())];
    for (uint64_t change = 0; change <= random.below(4) && !text.empty(); ++change) {
      const auto at = static_cast<size_t>(random.below(text.size()));
      switch (random.below(4)) {
        case 0:
          text[at] = static_cast<char>(random.below(256));
          break;
        case 1:
          text.erase(at, random.below(20));
          break;
        case 2:
          text.insert(at, text.substr(random.below(text.size()), random.below(30)));
          break;
        default:
          text.insert(at, 1, "=[]{}\".\n#"[random.below(9)]);
          break;
      }
    }
    load(text);
  }
}

}  // namespace
}  // namespace doorbell::run
