// Maps from the application's side: what the kernel's bpf() call would answer.
#include "sim/stack/bpf/map.h"

#include <algorithm>
#include <cerrno>
#include <map>
#include <set>

#include "hook.h"

namespace doorbell::stack::bpf {
namespace {

using testing::HasSubstr;

std::unique_ptr<Map> make(MapType type, uint32_t key, uint32_t value, uint32_t entries,
                          uint32_t flags = 0, unsigned cpus = 4) {
  auto map = Map::create(map_spec("m", type, key, value, entries, flags), cpus);
  EXPECT_TRUE(map.ok()) << map.error();
  return map.ok() ? map.take() : nullptr;
}

std::string refusal(const MapSpec& spec) {
  auto map = Map::create(spec, 4);
  return map.ok() ? "" : map.error();
}

TEST(MapCreate, WhatTheKernelRefuses) {
  EXPECT_EQ(refusal(map_spec("m", MapType::kArray, 4, 8, 0)), "map 'm' (array): max_entries is 0");
  EXPECT_EQ(refusal(map_spec("m", MapType::kArray, 8, 8, 1)),
            "map 'm' (array): key_size is 8; this type has keys of 4 octets");
  EXPECT_THAT(refusal(map_spec("m", MapType::kHash, 0, 8, 1)), HasSubstr("key_size is 0"));
  EXPECT_THAT(refusal(map_spec("m", MapType::kHash, 513, 8, 1)), HasSubstr("key_size is 513"));
  EXPECT_THAT(refusal(map_spec("m", MapType::kHash, 4, 0, 1)), HasSubstr("value_size is 0"));
  EXPECT_THAT(refusal(map_spec("m", MapType::kHash, 4, 9 << 20, 1)), HasSubstr("value_size is"));
  EXPECT_THAT(refusal(map_spec("m", MapType::kXskmap, 4, 8, 1)), HasSubstr("value_size is not 4"));
  EXPECT_THAT(refusal(map_spec("m", MapType::kDevmap, 4, 12, 1)), HasSubstr("neither 4 nor 8"));
  EXPECT_THAT(refusal(map_spec("m", MapType::kLpmTrie, 8, 8, 1)),
              HasSubstr("needs flag BPF_F_NO_PREALLOC"));
  EXPECT_THAT(refusal(map_spec("m", MapType::kLpmTrie, 4, 8, 1, kNoPrealloc)),
              HasSubstr("an LPM key is"));
  EXPECT_THAT(refusal(map_spec("m", MapType::kHash, 4, 8, 1, 1u << 20)), HasSubstr("map_flags"));
}

TEST(MapCreate, WhatIsNotModelled) {
  EXPECT_EQ(refusal(map_spec("events", static_cast<MapType>(27), 0, 0, 4096)),
            "map 'events' (type 27): this type is not modelled; allowed: hash, array, prog_array, "
            "percpu_hash, percpu_array, lru_hash, lru_percpu_hash, lpm_trie, devmap, cpumap, "
            "xskmap, devmap_hash");
  EXPECT_EQ(refusal(map_spec("m", MapType::kHash, 8, 1024, 10'000'000)),
            "map 'm' (hash): takes more than 256 MiB");
  EXPECT_THAT(refusal(map_spec("m", MapType::kHash, 8, 8, 0xFFFFFFFF)), HasSubstr("256 MiB"));
  EXPECT_THAT(refusal(map_spec("m", MapType::kPercpuArray, 4, 8 << 20, 0xFFFFFFFF)),
              HasSubstr("256 MiB"));
}

TEST(ArrayMaps, HaveAllTheirEntriesAlways) {
  auto map = make(MapType::kArray, 4, 8, 3);
  EXPECT_EQ(map->size(), 3u);
  EXPECT_EQ(map->get<uint64_t>(uint32_t{2}), 0u);
  EXPECT_EQ(map->set(uint32_t{2}, uint64_t{99}), 0);
  EXPECT_EQ(map->get<uint64_t>(uint32_t{2}), 99u);
  EXPECT_EQ(map->set(uint32_t{3}, uint64_t{1}), -E2BIG);
  EXPECT_EQ(map->set(uint32_t{0}, uint64_t{1}, kUpdateNoExist), -EEXIST);
  EXPECT_EQ(map->set(uint32_t{0}, uint64_t{1}, kUpdateExist), 0);
  EXPECT_EQ(map->set(uint32_t{0}, uint64_t{1}, 3), -EINVAL);
  EXPECT_EQ(map->get<uint64_t>(uint32_t{3}), std::nullopt);
  const uint32_t key = 0;
  EXPECT_EQ(map->remove(reinterpret_cast<const uint8_t*>(&key)), -EINVAL);
  EXPECT_EQ(map->set(uint64_t{0}, uint64_t{1}), -EINVAL) << "a key of the wrong size";
  EXPECT_EQ(map->set(uint32_t{0}, uint32_t{1}), -EINVAL) << "a value of the wrong size";
}

TEST(ArrayMaps, PerCpuCopiesAndTheirSum) {
  auto map = make(MapType::kPercpuArray, 4, 16, 2);
  const uint32_t key = 1;
  for (unsigned cpu = 0; cpu < 4; ++cpu) {
    base::store_le<uint64_t>(map->value(1, cpu), 10 + cpu);
    base::store_le<uint64_t>(map->value(0, cpu), 1000);
  }
  EXPECT_EQ(map->sum(key), 10u + 11 + 12 + 13);
  struct Pair {
    uint64_t a, b;
  };
  EXPECT_EQ(map->get<Pair>(key, 2)->a, 12u);
  EXPECT_EQ(map->get<Pair>(key, 4), std::nullopt);
  EXPECT_EQ(map->set(key, Pair{7, 8}), 0) << "the application writes all copies";
  EXPECT_EQ(map->sum(key), 28u);
}

template <typename K>
std::vector<K> keys_of(Map& map) {
  std::vector<K> keys;
  K key{};
  const uint8_t* at = nullptr;
  while (map.next_key(at, reinterpret_cast<uint8_t*>(&key))) {
    keys.push_back(key);
    at = reinterpret_cast<const uint8_t*>(&key);
  }
  return keys;
}

TEST(HashMaps, UpdateFlagsAndCapacity) {
  auto map = make(MapType::kHash, 4, 4, 2);
  EXPECT_EQ(map->get<uint32_t>(uint32_t{1}), std::nullopt);
  EXPECT_EQ(map->set(uint32_t{1}, uint32_t{10}, kUpdateExist), -ENOENT);
  EXPECT_EQ(map->set(uint32_t{1}, uint32_t{10}, kUpdateNoExist), 0);
  EXPECT_EQ(map->set(uint32_t{1}, uint32_t{11}, kUpdateNoExist), -EEXIST);
  EXPECT_EQ(map->set(uint32_t{1}, uint32_t{11}, 4), -EINVAL);
  EXPECT_EQ(map->set(uint32_t{2}, uint32_t{20}), 0);
  EXPECT_EQ(map->set(uint32_t{3}, uint32_t{30}), -E2BIG);
  EXPECT_EQ(map->set(uint32_t{1}, uint32_t{12}), 0) << "a full map still takes known keys";
  EXPECT_EQ(map->get<uint32_t>(uint32_t{1}), 12u);
  EXPECT_EQ(map->size(), 2u);
  const uint32_t one = 1;
  EXPECT_EQ(map->remove(reinterpret_cast<const uint8_t*>(&one)), 0);
  EXPECT_EQ(map->remove(reinterpret_cast<const uint8_t*>(&one)), -ENOENT);
  EXPECT_EQ(map->set(uint32_t{3}, uint32_t{30}), 0);
  EXPECT_EQ(keys_of<uint32_t>(*map), (std::vector<uint32_t>{3, 2})) << "slot order";
}

TEST(HashMaps, NewEntriesAreZeroOnAllCpus) {
  auto map = make(MapType::kPercpuHash, 4, 8, 1);
  int error = 0;
  const uint32_t key = 5;
  const auto* bytes = reinterpret_cast<const uint8_t*>(&key);
  const uint32_t slot = map->prepare(bytes, kUpdateAny, error);
  for (unsigned cpu = 0; cpu < 4; ++cpu) base::store_le<uint64_t>(map->value(slot, cpu), 7);
  EXPECT_EQ(map->sum(key), 28u);
  map->remove(bytes);
  EXPECT_EQ(map->prepare(bytes, kUpdateAny, error), slot);
  EXPECT_EQ(map->sum(key), 0u);
}

// Against std::map, over many random operations.
TEST(HashMaps, BehaveAsAModelDoes) {
  auto map = make(MapType::kHash, 8, 8, 64);
  std::map<uint64_t, uint64_t> model;
  base::Stream random(3, "hash model");
  for (int i = 0; i < 50000; ++i) {
    const uint64_t key = random.below(100) * 0x100000001;
    const auto* bytes = reinterpret_cast<const uint8_t*>(&key);
    if (random.chance(1, 2)) {
      const uint64_t value = random.next();
      const bool fits = model.size() < 64 || model.count(key) != 0;
      ASSERT_EQ(map->set(key, value), fits ? 0 : -E2BIG);
      if (fits) model[key] = value;
    } else {
      ASSERT_EQ(map->remove(bytes), model.erase(key) != 0 ? 0 : -ENOENT);
    }
    const auto it = model.find(key);
    ASSERT_EQ(map->get<uint64_t>(key),
              it == model.end() ? std::nullopt : std::optional<uint64_t>(it->second));
    ASSERT_EQ(map->size(), model.size());
  }
  const auto keys = keys_of<uint64_t>(*map);
  EXPECT_EQ(std::set<uint64_t>(keys.begin(), keys.end()).size(), model.size());
}

TEST(LruMaps, TheLeastRecentlyUsedGoes) {
  auto map = make(MapType::kLruHash, 4, 4, 3);
  for (uint32_t k = 1; k <= 3; ++k) EXPECT_EQ(map->set(k, k * 10), 0);
  const uint32_t one = 1;
  map->find(reinterpret_cast<const uint8_t*>(&one), true);  // a program's look-up
  EXPECT_EQ(map->set(uint32_t{4}, uint32_t{40}), 0);        // 2 is the oldest now
  EXPECT_EQ(map->get<uint32_t>(uint32_t{2}), std::nullopt);
  EXPECT_EQ(map->get<uint32_t>(uint32_t{1}), 10u);
  EXPECT_EQ(map->set(uint32_t{3}, uint32_t{31}), 0);  // an update is a use
  EXPECT_EQ(map->set(uint32_t{5}, uint32_t{50}), 0);  // 1: the application's look-up was no use
  EXPECT_EQ(map->get<uint32_t>(uint32_t{1}), std::nullopt);
  EXPECT_EQ(map->get<uint32_t>(uint32_t{3}), 31u);
  EXPECT_EQ(map->size(), 3u);
  const uint32_t three = 3;
  EXPECT_EQ(map->remove(reinterpret_cast<const uint8_t*>(&three)), 0);
  EXPECT_EQ(map->set(uint32_t{6}, uint32_t{60}), 0);
  EXPECT_EQ(map->get<uint32_t>(uint32_t{4}), 40u) << "there was room";
}

// Against a list of keys, newest first.
TEST(LruMaps, BehaveAsAListDoes) {
  auto map = make(MapType::kLruHash, 4, 4, 8);
  std::vector<uint32_t> newest_first;
  base::Stream random(7, "lru");
  for (int i = 0; i < 20000; ++i) {
    const auto key = static_cast<uint32_t>(random.below(16));
    const auto* bytes = reinterpret_cast<const uint8_t*>(&key);
    const auto at = std::find(newest_first.begin(), newest_first.end(), key);
    const bool known = at != newest_first.end();
    if (known) newest_first.erase(at);
    switch (random.below(3)) {
      case 0:
        ASSERT_EQ(map->remove(bytes), known ? 0 : -ENOENT);
        break;
      case 1:
        ASSERT_EQ(map->find(bytes, true) != Map::kNoSlot, known);
        if (known) newest_first.insert(newest_first.begin(), key);
        break;
      default:
        ASSERT_EQ(map->set(key, key), 0);
        newest_first.insert(newest_first.begin(), key);
        if (newest_first.size() > 8) newest_first.pop_back();
        break;
    }
    ASSERT_EQ(map->size(), newest_first.size());
    for (const uint32_t k : newest_first) ASSERT_EQ(map->get<uint32_t>(k), k) << "step " << i;
  }
}

struct Prefix {
  uint32_t length;
  uint8_t address[4];
};

TEST(LpmMaps, TheLongestPrefixWins) {
  auto map = make(MapType::kLpmTrie, 8, 4, 8, kNoPrealloc);
  const auto add = [&](Prefix p, uint32_t value) { return map->set(p, value); };
  const auto look = [&](uint8_t a, uint8_t b, uint8_t c, uint8_t d) {
    return map->get<uint32_t>(Prefix{32, {a, b, c, d}}).value_or(0);
  };
  EXPECT_EQ(look(10, 0, 0, 1), 0u);
  EXPECT_EQ(add({0, {9, 9, 9, 9}}, 1), 0) << "octets behind the prefix do not count";
  EXPECT_EQ(add({8, {10, 0, 0, 0}}, 2), 0);
  EXPECT_EQ(add({24, {10, 1, 2, 0}}, 3), 0);
  EXPECT_EQ(add({25, {10, 1, 2, 128}}, 4), 0);
  EXPECT_EQ(add({32, {10, 1, 2, 200}}, 5), 0);
  EXPECT_EQ(add({33, {10, 1, 2, 200}}, 6), -EINVAL);
  EXPECT_EQ(look(11, 0, 0, 1), 1u);
  EXPECT_EQ(look(10, 200, 0, 1), 2u);
  EXPECT_EQ(look(10, 1, 2, 127), 3u);
  EXPECT_EQ(look(10, 1, 2, 128), 4u);
  EXPECT_EQ(look(10, 1, 2, 200), 5u);
  EXPECT_EQ(map->get<uint32_t>(Prefix{24, {10, 1, 2, 200}}), 3u)
      << "a look-up for 24 bits finds no longer one";
  const Prefix gone{24, {10, 1, 2, 77}};
  EXPECT_EQ(map->remove(reinterpret_cast<const uint8_t*>(&gone)), 0);
  EXPECT_EQ(map->remove(reinterpret_cast<const uint8_t*>(&gone)), -ENOENT);
  EXPECT_EQ(look(10, 1, 2, 127), 2u);
  EXPECT_EQ(map->size(), 4u);
  EXPECT_EQ(add({8, {10, 7, 7, 7}}, 22), 0) << "the same prefix: replaced";
  EXPECT_EQ(look(10, 200, 0, 1), 22u);
  for (uint8_t i = 0; i < 4; ++i) EXPECT_EQ(add({16, {i, 0, 0, 0}}, 9), 0);
  EXPECT_EQ(add({16, {77, 0, 0, 0}}, 9), -ENOSPC);
  EXPECT_EQ(keys_of<Prefix>(*map).size(), 8u);
}

TEST(LpmMaps, AgreeWithASearchOfAll) {
  auto map = make(MapType::kLpmTrie, 8, 4, 500, kNoPrealloc);
  base::Stream random(5, "lpm");
  std::vector<std::pair<Prefix, uint32_t>> all;
  const auto bits = [](const Prefix& p) { return base::load_be32(p.address); };
  const auto mask = [](uint32_t length) { return length == 0 ? 0u : 0xFFFFFFFFu << (32 - length); };
  for (uint32_t i = 0; i < 400; ++i) {
    Prefix p{static_cast<uint32_t>(random.below(33)), {}};
    base::store_be32(p.address, static_cast<uint32_t>(random.below(16)) << 28 |
                                    static_cast<uint32_t>(random.below(256)) << 12);
    ASSERT_EQ(map->set(p, i + 1), 0);
    all.emplace_back(p, i + 1);
  }
  for (int i = 0; i < 3000; ++i) {
    Prefix key{32, {}};
    base::store_be32(key.address, static_cast<uint32_t>(random.below(16)) << 28 |
                                      static_cast<uint32_t>(random.below(256)) << 12);
    uint32_t best = 0;
    int64_t length = -1;
    for (const auto& [p, value] : all) {
      if (((bits(p) ^ bits(key)) & mask(p.length)) == 0 && int64_t{p.length} >= length) {
        best = value;
        length = p.length;
      }
    }
    ASSERT_EQ(map->get<uint32_t>(key).value_or(0), best);
  }
}

TEST(TargetMaps, AreEmptyUntilSet) {
  Socket socket;
  for (const MapType type :
       {MapType::kDevmap, MapType::kDevmapHash, MapType::kCpumap, MapType::kXskmap}) {
    auto map = make(type, 4, 4, 4);
    SCOPED_TRACE(map_type_name(type));
    EXPECT_EQ(map->size(), 0u);
    EXPECT_EQ(map->get<uint32_t>(uint32_t{2}), std::nullopt);
    EXPECT_EQ(map->set(uint32_t{2}, uint32_t{1}), -EINVAL) << "a bare number is no target";
    EXPECT_EQ(map->set_target(2, {7, &socket}), 0);
    EXPECT_EQ(map->get<uint32_t>(uint32_t{2}), 7u);
    const uint32_t two = 2;
    const uint32_t slot = map->find(reinterpret_cast<const uint8_t*>(&two), false);
    ASSERT_NE(map->target(slot), nullptr);
    EXPECT_EQ(map->target(slot)->socket, &socket);
    EXPECT_EQ(map->size(), 1u);
    EXPECT_EQ(map->remove(reinterpret_cast<const uint8_t*>(&two)), 0);
    EXPECT_EQ(map->get<uint32_t>(uint32_t{2}), std::nullopt);
    EXPECT_EQ(map->remove(reinterpret_cast<const uint8_t*>(&two)), -ENOENT);
    EXPECT_EQ(map->set_program(0, 0), -EINVAL);
  }
  EXPECT_EQ(make(MapType::kDevmap, 4, 4, 4)->set_target(4, {1, nullptr}), -E2BIG);
  auto programs = make(MapType::kProgArray, 4, 4, 4);
  EXPECT_EQ(programs->set_program(4, 0), -E2BIG);
  EXPECT_EQ(programs->set_program(3, 0), 0);
  EXPECT_EQ(programs->set_target(0, {1, nullptr}), -EINVAL);
  EXPECT_EQ(programs->size(), 1u);
}

}  // namespace
}  // namespace doorbell::stack::bpf
