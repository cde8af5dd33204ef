#!/bin/bash
# Takes the raw capture that sim/scenarios/captures/mixed.pcap was made from: two network namespaces
# joined by a veth pair, real programs talking across it. Needs root, iproute2, tcpdump, iputils-ping,
# curl, python3. Usage: take_capture.sh RAW.pcap; then anonymise_capture.py RAW.pcap OUT.pcap.
#
# Segmentation offload is held off by gso_max_segs 1, so that no frame is longer than a wire allows.
# Checksums that the kernel leaves to a NIC are filled in by the anonymiser. The tagged traffic (VLAN 20,
# priority 5) goes through a small user-space tagger between a TAP device and the veth, because
# not every kernel has the vlan device.
set -euo pipefail
raw=$1
work=$(mktemp -d)
a=doorbell_a_$$ b=doorbell_b_$$
cleanup() {
  for pid in $(jobs -p); do kill "$pid" 2>/dev/null || true; done
  ip netns del $a 2>/dev/null || true
  ip netns del $b 2>/dev/null || true
  rm -rf "$work"
}
trap cleanup EXIT

cat >"$work/tagger.py" <<'PY'
import fcntl, os, select, socket, struct
TAG = struct.pack(">HH", 0x8100, 5 << 13 | 20)
tap = os.open("/dev/net/tun", os.O_RDWR)
fcntl.ioctl(tap, 0x400454CA, struct.pack("16sH22x", b"tag20", 0x1002))  # TUNSETIFF: TAP, no header
wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
wire.bind(("eth0", 3))
wire.setsockopt(263, 8, 1)  # SOL_PACKET, PACKET_AUXDATA: tells the tag that the kernel took off
while True:
    for ready in select.select([tap, wire], [], [])[0]:
        if ready is tap:
            frame = os.read(tap, 2048)
            wire.send(frame[:12] + TAG + frame[12:])
            continue
        frame, aux, _, where = wire.recvmsg(2048, 256)
        if where[2] == 4:  # outgoing
            continue
        status, tci = 0, 0
        for _, _, data in aux:
            status, _, _, _, _, tci, _ = struct.unpack("IIIHHHH", data[:20])
        if status & 0x10 and tci & 0xFFF == 20:
            os.write(tap, frame)
PY
ip netns add $a
ip netns add $b
ip link add eth0 netns $a type veth peer name eth0 netns $b
for side in "$a 1" "$b 2"; do
  ns=${side% *} host=${side#* }
  ip -n "$ns" link set lo up
  ip -n "$ns" link set eth0 gso_max_segs 1
  ip -n "$ns" link set eth0 up
  ip -n "$ns" addr add "10.77.0.$host/24" dev eth0
  ip -n "$ns" addr add "fd77::$host/64" dev eth0 nodad
  ip netns exec "$ns" python3 "$work/tagger.py" &
  for _ in 1 2 3 4 5 6 7 8 9 10; do ip -n "$ns" link show tag20 >/dev/null 2>&1 && break; sleep 0.2; done
  ip -n "$ns" link set tag20 up
  ip -n "$ns" addr add "10.77.20.$host/24" dev tag20
done
sleep 2

ip netns exec $a tcpdump -i eth0 -s 0 --time-stamp-precision=nano -w "$raw" -U 2>/dev/null &
capture=$!
sleep 1
head -c 40000 /dev/urandom >"$work/page.bin"
(cd "$work" && exec ip netns exec $b python3 -m http.server 8000 --bind 10.77.0.2 >/dev/null 2>&1) &
(cd "$work" && exec ip netns exec $b python3 -m http.server 8001 --bind fd77::2 >/dev/null 2>&1) &
ip netns exec $b python3 - <<'PY' &
import select, socket, struct
s, voice, sink = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(3))
for sock, port in ((s, 5353), (voice, 5004), (sink, 5001)):
    sock.bind(("0.0.0.0", port))
while True:
    ready = select.select([s, voice, sink], [], [])[0]
    if voice in ready:  # the other half of the call
        voice.sendto(*voice.recvfrom(2048))
    if sink in ready:
        sink.recv(4096)
    if s not in ready:
        continue
    query, peer = s.recvfrom(2048)  # answers each query with one A record
    answer = b"\xc0\x0c\x00\x01\x00\x01\x00\x00\x00\x3c\x00\x04\xc0\x00\x02\x63"
    s.sendto(query[:2] + b"\x81\x80" + query[4:6] + b"\x00\x01" + query[8:] + answer, peer)
PY
sleep 1.5
on_a() { ip netns exec $a "$@"; }
on_a ping -q -c 5 -i 0.2 10.77.0.2 >/dev/null
on_a ping -q -c 5 -i 0.2 -s 1400 10.77.0.2 >/dev/null
on_a ping -q -c 2 -i 0.2 -s 4000 10.77.0.2 >/dev/null
on_a ping -6 -q -c 5 -i 0.2 fd77::2 >/dev/null
on_a curl -s -o /dev/null http://10.77.0.2:8000/page.bin
on_a curl -s -o /dev/null "http://[fd77::2]:8001/page.bin"
on_a curl -s -o /dev/null http://10.77.0.2:8000/missing
on_a ping -q -c 8 -i 0.1 10.77.20.2 >/dev/null
on_a python3 - <<'PY'
import random, socket, struct, time
random.seed(1)
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.settimeout(1)
for i in range(20):  # name look-ups, plain and over the VLAN
    name = b"".join(bytes([len(p)]) + p for p in (b"host%d" % i, b"example", b"com")) + b"\0"
    query = struct.pack(">HHHHHH", 0x4000 + i, 0x0100, 1, 0, 0, 0) + name + struct.pack(">HH", 1, 1)
    s.sendto(query, ("10.77.20.2" if i % 2 else "10.77.0.2", 5353))
    s.recv(2048)
u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for i in range(60):  # a call, 172 octets every 2 ms each way, and a bulk stream of full frames beside it
    u.sendto(struct.pack(">BBHII", 0x80, 8, i, i * 160, 0x1234) + bytes(160), ("10.77.0.2", 5004))
    if i % 3 == 0:
        u.sendto(random.randbytes(1472), ("10.77.20.2" if i % 2 else "10.77.0.2", 5001))
    if i % 20 == 10:
        u.sendto(random.randbytes(3000), ("10.77.0.2", 5001))  # in fragments
    time.sleep(0.002)
PY
sleep 1
kill -INT $capture
wait $capture || true
