#include <cstdarg>
#include <cstdio>

#include "sim/report/result.h"

namespace doorbell::report {
namespace {

// Appends formatted text; lines here are far shorter than the buffer.
__attribute__((format(printf, 2, 3))) void add(std::string& out, const char* format, ...) {
  char line[512];
  va_list args;
  va_start(args, format);
  std::vsnprintf(line, sizeof line, format, args);
  va_end(args);
  out += line;
}

// "353 612": groups of three, so that a rate can be read at a glance.
std::string grouped(double value) {
  char digits[40];
  std::snprintf(digits, sizeof digits, "%.0f", value);
  std::string text = digits;
  for (auto i = static_cast<int>(text.size()) - 3; i > 0; i -= 3) {
    text.insert(static_cast<size_t>(i), " ");
  }
  return text;
}

std::string grouped(uint64_t value) {
  return grouped(static_cast<double>(value));
}

void add_traffic(std::string& out, const RunResult& r) {
  add(out, "  offered  %15s pps   %15s packets in %.6g ms of simulated time\n",
      grouped(r.rx.offered_pps).c_str(), grouped(r.sim.packets).c_str(), r.sim.duration_ns / 1e6);
  add(out, "  received %15s pps   %15s packets  %15s bytes\n", grouped(r.rx.pps).c_str(),
      grouped(r.rx.packets).c_str(), grouped(r.rx.bytes).c_str());
  add(out, "  sent     %15s pps   %15s packets  %15s bytes\n", grouped(r.tx.pps).c_str(),
      grouped(r.tx.packets).c_str(), grouped(r.tx.bytes).c_str());
}

void add_ledger(std::string& out, const RunResult& r) {
  for (const auto& [reason, count] : r.drops) {
    if (count > 0) {
      add(out, "  dropped  %15s  %s\n", grouped(count).c_str(), reason.c_str());
    }
  }
  const auto line = [&](const char* name, const Ledger& ledger) {
    add(out, "  ledger%s %s injected = %s delivered + %s dropped + %s in flight: %s\n", name,
        grouped(ledger.injected).c_str(), grouped(ledger.delivered).c_str(),
        grouped(ledger.dropped).c_str(), grouped(ledger.in_flight).c_str(),
        ledger.balanced() ? "balanced" : "NOT BALANCED");
  };
  line("   ", r.ledger);
  if (!r.ledger_rx.balanced()) {
    line(" rx", r.ledger_rx);
  }
  if (!r.ledger_tx.balanced()) {
    line(" tx", r.ledger_tx);
  }
}

void add_core(std::string& out, const CpuShare& core) {
  add(out, "\n  cpu%u busy %.1f %%   %28s\n", core.id, core.busy_percent, "ns per packet");
  for (const auto& line : core.by) {
    add(out, "    %-28s %6.1f %% %10.1f\n", line.label.c_str(), line.percent, line.ns_per_packet);
  }
  add(out, "    %-28s %6.1f %% %10.1f\n", "total", core.busy_percent, core.ns_per_packet);
}

// Many cores: one table for all, and how busy each was.
void add_cores(std::string& out, const std::vector<const CpuShare*>& busy) {
  CpuShare all = *busy.front();
  for (size_t i = 1; i < busy.size(); ++i) {
    all.busy_percent += busy[i]->busy_percent;
    all.ns_per_packet += busy[i]->ns_per_packet;
    for (size_t line = 0; line < all.by.size(); ++line) {
      all.by[line].percent += busy[i]->by[line].percent;
      all.by[line].ns_per_packet += busy[i]->by[line].ns_per_packet;
    }
  }
  add(out, "\n  %zu cores, together %31s %10s\n", busy.size(), "cores", "ns per packet");
  for (const auto& line : all.by) {
    add(out, "    %-28s %15.2f %10.1f\n", line.label.c_str(), line.percent / 100,
        line.ns_per_packet);
  }
  add(out, "    %-28s %15.2f %10.1f\n", "total", all.busy_percent / 100, all.ns_per_packet);
  for (size_t i = 0; i < busy.size(); ++i) {
    add(out, "%s cpu%-2u %5.1f %%", i % 6 == 0 ? "\n   " : " ", busy[i]->id, busy[i]->busy_percent);
  }
  out += "\n";
}

void add_cpu(std::string& out, const RunResult& r) {
  constexpr size_t kShownOneByOne = 4;
  std::vector<const CpuShare*> busy;
  for (const auto& core : r.cpu) {
    if (core.busy_percent > 0) {
      busy.push_back(&core);
    }
  }
  if (busy.size() > kShownOneByOne) {
    add_cores(out, busy);
    return;
  }
  for (const CpuShare* core : busy) {
    add_core(out, *core);
  }
}

void add_verdict(std::string& out, const RunResult& r) {
  for (const auto& finding : r.checks) {
    add(out, "  check    %s: %s times, first at %.3f us: ", finding.rule.c_str(),
        grouped(finding.count).c_str(), static_cast<double>(finding.first_ps) / 1e6);
    out += finding.message + "\n";
  }
  if (r.checked && r.checks.empty()) {
    out += "  checks   no finding\n";
  }
  for (const auto& outcome : r.expect) {
    out += std::string("  ") + (outcome.pass ? "ok      " : "FAILED  ") + " " + outcome.key +
           " = " + (outcome.got.is_null() ? "(not in the result)" : outcome.got.dump()) +
           ", expected " + outcome.want + "\n";
  }
}

}  // namespace

std::string to_table(const RunResult& r) {
  std::string out;
  add(out, "%s: %s, engine %s, seed %llu\n\n", r.scenario.c_str(), r.device.c_str(),
      r.engine.c_str(), static_cast<unsigned long long>(r.seed));
  add_traffic(out, r);
  add_ledger(out, r);
  if (r.latency.samples > 0) {
    add(out, "  latency  p50 %.2f us, p90 %.2f us, p99 %.2f us, p99.9 %.2f us, max %.2f us\n",
        r.latency.p50 / 1e3, r.latency.p90 / 1e3, r.latency.p99 / 1e3, r.latency.p999 / 1e3,
        r.latency.max / 1e3);
  }
  if (!r.bottleneck.resource.empty()) {
    add(out, "  bottleneck  %s, %.1f %% used", r.bottleneck.resource.c_str(),
        r.bottleneck.utilisation_percent);
    for (size_t i = 0; i < r.bottleneck.saturated.size(); ++i) {
      out += (i == 0 ? "; at their limit too: " : ", ") + r.bottleneck.saturated[i];
    }
    out += "\n";
  }
  add_cpu(out, r);
  out += "\n";
  add_verdict(out, r);
  add(out, "  digest   %s\n", r.digest.c_str());
  add(out, "  wall     %.3f s, %s packets/s, %s events, slowdown %.2f\n", r.wall.seconds,
      grouped(r.wall.packets_per_s).c_str(), grouped(r.sim.events).c_str(), r.wall.slowdown);
  return out;
}

}  // namespace doorbell::report
