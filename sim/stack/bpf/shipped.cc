#include "sim/stack/bpf/shipped.h"

#include <algorithm>
#include <cstdlib>

namespace doorbell::stack::bpf {

const std::vector<ShippedProgram>& shipped_programs() {
  static const std::vector<ShippedProgram> kPrograms = {
      {"broken_bounds", "reads past the packet without a check: every run is a fault"},
      {"broken_loop", "never ends: every run is a fault"},
      {"count", "counts packets and octets by IP protocol in a per-CPU array, drops"},
      {"cpumap", "spreads flows over the cores of a cpumap"},
      {"devmap", "redirects by receive queue through a devmap"},
      {"drop", "drops everything"},
      {"lb", "load balancer: UDP and TCP flows to back ends, remembered in an LRU hash"},
      {"parse", "walks Ethernet, VLAN, IPv4, IPv6, UDP and TCP with bounds checks; drops garbage"},
      {"pass", "passes everything to the stack"},
      {"redirect", "swaps the MAC addresses and redirects to one port"},
      {"route", "IPv4 router: longest prefix in an LPM trie, TTL and checksum, devmap"},
      {"tail", "a chain of tail calls, one per layer"},
      {"tx", "swaps the MAC addresses and sends back"},
      {"vlan_pop", "takes the outer VLAN tag off and passes"},
      {"xsk", "steers each queue to its AF_XDP socket, else passes"},
  };
  return kPrograms;
}

bool is_shipped_program(std::string_view name) {
  const auto& all = shipped_programs();
  return std::any_of(all.begin(), all.end(), [name](const auto& p) { return p.name == name; });
}

std::string shipped_program_path(std::string_view name) {
  const char* chosen = std::getenv("DOORBELL_PROGRAMS");
  const std::string folder = chosen != nullptr && *chosen != '\0' ? chosen : DOORBELL_PROGRAM_DIR;
  return folder + "/" + std::string(name) + ".o";
}

}  // namespace doorbell::stack::bpf
