#!/usr/bin/env python3
"""Replaces what is private in an Ethernet capture and fills in checksums that a NIC would have computed.

Usage: anonymise_capture.py RAW.pcap OUT.pcap

Input: what take_capture.sh recorded (tcpdump in a network namespace, full packets, nanosecond stamps).
MAC addresses become 02:00:5e:10:00:NN, IPv4 hosts 192.0.2.NN (RFC 5737), IPv6 hosts 2001:db8::NN
(RFC 3849) or fe80::NN, numbered in order of appearance. Multicast and broadcast stay, but for
solicited-node groups and the MAC addresses made from them, which follow the host they stand for.
Addresses inside ARP and neighbour discovery are replaced too. In HTTP headers, what names hosts,
programs or dates is overwritten in place. Times start at zero. IP, TCP, UDP and ICMP checksums are
computed anew (of UDP fragments: corrected for the new addresses). Frames with anything that this
script does not know are left out and counted.
"""
import ipaddress
import struct
import sys

macs, v4s, v6s = {}, {}, {}


def mac(old):
    if old[0] & 1:
        return old
    return macs.setdefault(old, bytes([2, 0, 0x5E, 0x10, 0, len(macs) + 1]))


def v4(old):
    if old[0] >= 224 or old in (b"\0" * 4, b"\xff" * 4):
        return old
    return v4s.setdefault(old, bytes([192, 0, 2, len(v4s) + 1]))


def v6(old):
    if old[:13] == bytes.fromhex("ff0200000000000000000001ff"):  # solicited node: low 24 bits of a host
        for host, new in v6s.items():
            if host[13:] == old[13:]:
                return old[:13] + new[13:]
        return old[:13] + bytes([0, 0, 0xEE])
    if old[0] == 0xFF or not any(old):
        return old
    if old not in v6s:
        prefix = "fe80::" if old[0] == 0xFE else "2001:db8::"
        v6s[old] = ipaddress.ip_address(prefix + format(len(v6s) + 1, "x")).packed
    return v6s[old]


def csum(data, start=0):
    data = bytes(data) + b"\0" * (len(data) % 2)
    total = start + sum(struct.unpack(">%dH" % (len(data) // 2), data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def hide_text(payload):
    """Host names and addresses in HTTP headers; lengths stay, so that TCP's numbers stay right."""
    head, gap, body = bytes(payload).partition(b"\r\n\r\n")
    if not (head.startswith(b"GET ") or head.startswith(b"HTTP/1.")):
        return payload
    lines = head.split(b"\r\n")
    for i, line in enumerate(lines):
        key, colon, value = line.partition(b": ")
        if key.lower() in (b"host", b"server", b"user-agent", b"date", b"last-modified"):
            lines[i] = key + colon + b"x" * len(value)
    return b"\r\n".join(lines) + gap + body


def fix_l4(protocol, pseudo, l4):
    at = {6: 16, 17: 6, 1: 2, 58: 2}.get(protocol)
    if at is None or len(l4) < at + 2:
        raise ValueError("protocol %d" % protocol)
    if protocol == 6:
        header = (l4[12] >> 4) * 4
        l4[header:] = hide_text(l4[header:])
    l4[at:at + 2] = b"\0\0"
    value = csum(l4, 0 if protocol == 1 else ~csum(pseudo) & 0xFFFF)
    if protocol == 17 and value == 0:
        value = 0xFFFF
    struct.pack_into(">H", l4, at, value)
    return l4


def fix_ipv4(p):
    header, length = (p[0] & 15) * 4, struct.unpack_from(">H", p, 2)[0]
    old = bytes(p[12:20])
    p[12:16], p[16:20] = v4(old[:4]), v4(old[4:])
    if header > 20:
        raise ValueError("IPv4 options")
    p[10:12] = b"\0\0"
    struct.pack_into(">H", p, 10, csum(p[:header]))
    fragment = struct.unpack_from(">H", p, 6)[0] & 0x3FFF
    l4 = p[header:length]
    if fragment:
        if p[9] not in (1, 17):
            raise ValueError("fragment of protocol %d" % p[9])
        if p[9] == 17 and fragment & 0x1FFF == 0:  # RFC 1624; ICMP does not cover the addresses
            was, = struct.unpack_from(">H", l4, 6)
            inverse = bytes(x ^ 0xFF for x in old)
            struct.pack_into(">H", l4, 6, csum(inverse + p[12:20], ~was & 0xFFFF) or 0xFFFF)
        return p[:header] + l4
    pseudo = bytes(p[12:20]) + struct.pack(">HH", p[9], len(l4))
    return p[:header] + fix_l4(p[9], pseudo, l4)


def fix_icmpv6(l4):
    """Neighbour discovery carries addresses."""
    if l4[0] in (135, 136):
        l4[8:24] = v6(bytes(l4[8:24]))
        at = 24
    elif l4[0] in (133, 134):
        at = 8 if l4[0] == 133 else 16
    elif l4[0] in (128, 129):
        return
    else:
        raise ValueError("ICMPv6 type %d" % l4[0])
    while at + 8 <= len(l4):
        if l4[at] in (1, 2):
            l4[at + 2:at + 8] = mac(bytes(l4[at + 2:at + 8]))
        else:
            raise ValueError("neighbour discovery option %d" % l4[at])
        at += 8 * l4[at + 1]


def fix_ipv6(p):
    length = struct.unpack_from(">H", p, 4)[0]
    p[8:24], p[24:40] = v6(bytes(p[8:24])), v6(bytes(p[24:40]))
    l4 = p[40:40 + length]
    if p[6] == 58:
        fix_icmpv6(l4)
    pseudo = bytes(p[8:40]) + struct.pack(">II", len(l4), p[6])
    return p[:40] + fix_l4(p[6], pseudo, l4)


def fix_arp(p):
    if len(p) < 28 or p[:6] != b"\0\1\x08\0\x06\x04":
        raise ValueError("ARP")
    p[8:14], p[14:18], p[24:28] = mac(bytes(p[8:14])), v4(bytes(p[14:18])), v4(bytes(p[24:28]))
    if any(p[18:24]):
        p[18:24] = mac(bytes(p[18:24]))
    return p[:28]


def fix_frame(f):
    destination, source = mac(bytes(f[:6])), mac(bytes(f[6:12]))
    at, kind = 14, struct.unpack_from(">H", f, 12)[0]
    tag = b""
    if kind == 0x8100:
        tag, kind, at = bytes(f[12:16]), struct.unpack_from(">H", f, 16)[0], 18
    fix = {0x0800: fix_ipv4, 0x86DD: fix_ipv6, 0x0806: fix_arp}.get(kind)
    if fix is None:
        raise ValueError("EtherType %04x" % kind)
    body = fix(bytearray(f[at:]))
    if destination[:3] == b"\x33\x33\xff":
        destination = b"\x33\x33" + bytes(body[36:40])
    return destination + source + tag + struct.pack(">H", kind) + bytes(body)


def read(path):
    data = open(path, "rb").read()
    magic, = struct.unpack_from("<I", data)
    assert magic == 0xA1B23C4D, "not a little-endian nanosecond pcap"
    at = 24
    while at + 16 <= len(data):
        sec, nsec, captured, length = struct.unpack_from("<IIII", data, at)
        assert captured == length, "take the capture with -s 0"
        yield sec * 10**9 + nsec, bytearray(data[at + 16:at + 16 + captured])
        at += 16 + captured


def main():
    for _ in range(2):  # the first round only learns all hosts, for the solicited-node groups
        kept, dropped = [], {}
        for time, frame in read(sys.argv[1]):
            try:
                kept.append((time, fix_frame(frame)))
            except ValueError as e:
                dropped[str(e)] = dropped.get(str(e), 0) + 1
    first = kept[0][0]
    with open(sys.argv[2], "wb") as out:
        out.write(struct.pack("<IHHIIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, 1))
        for time, frame in kept:
            sec, nsec = divmod(time - first, 10**9)
            out.write(struct.pack("<IIII", sec, nsec, len(frame), len(frame)) + frame)
    print("%d frames kept, %d left out: %s" % (len(kept), sum(dropped.values()), dropped))


main()
