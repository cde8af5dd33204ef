// libFuzzer harness of the capture loader: any file is either refused with a message or replayed
// and verified without fault. Also run over the corpus by fuzz_corpus_test.cc in every build.
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "models/net/pcap_source.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace doorbell;
  net::PcapSpec spec;
  // The last octet picks the way to replay, so that the file itself stays a file.
  const uint8_t choice = size == 0 ? 0 : data[size - 1];
  spec.timing = static_cast<net::PcapTiming>(choice % 3);
  spec.rate_pps = 100'000;
  spec.speed = choice % 2 == 0 ? 1.0 : 1e-3;
  spec.loops = 2;
  auto source = net::PcapSource::open_memory({data, size}, "fuzz", spec);
  if (!source.ok()) {
    if (source.error().empty()) std::abort();
    return 0;
  }
  base::Picos free;
  for (int i = 0; i < 4096; ++i) {
    const net::Arrival* arrival = source.value()->peek();
    if (arrival == nullptr) break;
    if (arrival->start < free || arrival->bytes.size < net::kMinFrameBytes) std::abort();
    free = arrival->start + base::Picos(1);
    const std::vector<uint8_t> bytes(arrival->bytes.begin(), arrival->bytes.end());
    source.value()->pop();
    const net::Provenance provenance = source.value()->verify({bytes.data(), bytes.size()});
    if (!provenance.intact || !provenance.in_order) std::abort();
  }
  return 0;
}
