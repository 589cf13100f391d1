#!/usr/bin/env python3
"""A TELE phone that only knows how to search, written from tele.md alone.

By beacon it finds a host of tcp-v1, by mDNS (RFC 6762, one question from a port of its own) one of udp-v1. It connects to what it
found, says HELLO, and prints a line of JSON for the place, for the ACK and for the first HAPTIC.
"""
import argparse
import json
import socket
import struct
import time

HELLO = b"TELE\x01\x01"
PTR, TXT, SRV, A = 12, 16, 33, 1
SERVICE = "_televoodoo._udp.local"


def tell(**what):
    print(json.dumps(what), flush=True)


def by_beacon(name, port, deadline):
    """The host's address and TCP port."""
    ear = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    ear.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    ear.bind(("", port))
    while True:
        ear.settimeout(max(0.001, deadline - time.monotonic()))
        data, (address, _) = ear.recvfrom(2048)
        if len(data) < 10 or data[:6] != b"TELE\x08\x01" or data[10 : 10 + data[8]].decode() != name:
            continue
        return address, struct.unpack_from("<H", data, 6)[0]


def question(name, kind):
    labels = b"".join(bytes([len(part)]) + part.encode() for part in name.split("."))
    return struct.pack(">6H", 0, 0, 1, 0, 0, 0) + labels + b"\0" + struct.pack(">2H", kind, 1)


def read_name(data, at):
    """A name of a DNS message, and where it ends (RFC 1035, 4.1.4)."""
    parts, end = [], None
    while data[at]:
        if data[at] >= 0xC0:
            end = end or at + 2
            at = struct.unpack_from(">H", data, at)[0] & 0x3FFF
            continue
        parts.append(data[at + 1 : at + 1 + data[at]].decode())
        at += 1 + data[at]
    return ".".join(parts), end or at + 1


def records(data):
    """The records of an answer: name, type, what they hold."""
    counts = struct.unpack_from(">6H", data)[2:]
    at = 12
    for _ in range(counts[0]):
        at = read_name(data, at)[1] + 4
    for _ in range(sum(counts[1:])):
        name, at = read_name(data, at)
        kind, _, _, size = struct.unpack_from(">2HIH", data, at)
        at += 10
        if kind == PTR:
            yield name, kind, read_name(data, at)[0]
        elif kind == SRV:
            yield name, kind, (struct.unpack_from(">3H", data, at)[2], read_name(data, at + 6)[0])
        elif kind == A:
            yield name, kind, socket.inet_ntoa(data[at : at + 4])
        elif kind == TXT:
            texts, place = [], at
            while place < at + size:
                texts.append(data[place + 1 : place + 1 + data[place]].decode())
                place += 1 + data[place]
            yield name, kind, sorted(texts)
        at += size


def by_mdns(name, own, deadline):
    """The host's address and UDP port."""
    asker = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    asker.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(own))
    asker.bind((own, 0))
    asker.settimeout(0.5)
    known, instance = {}, f"{name}.{SERVICE}"
    while time.monotonic() < deadline:
        port, host = known.get((instance, SRV), (None, None))
        if (host, A) in known:
            properties = known[(instance, TXT)]
            assert properties == sorted(["v=1", f"port={port}", f"name={name}"]), properties
            return known[(host, A)], port
        if known.get((SERVICE, PTR)) == instance:
            asked = [(instance, SRV), (instance, TXT)] + ([(host, A)] if host else [])
        else:
            asked = [(SERVICE, PTR)]
        for what in asked:
            asker.sendto(question(*what), ("224.0.0.251", 5353))
        try:
            while True:
                for found, kind, value in records(asker.recv(9000)):
                    known[(found, kind)] = value
        except socket.timeout:
            pass
    raise SystemExit(f"nobody called {name} answered: {known}")


def talk(place, code, tcp, deadline):
    """HELLO at 1 Hz, until an ACK and a HAPTIC have come."""
    sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM if tcp else socket.SOCK_DGRAM)
    sock.settimeout(5)
    sock.connect(place)
    hello = HELLO + struct.pack("<I", 0x01020304) + code.encode() + b"\0\0"
    sock.send(struct.pack("<H", len(hello)) + hello if tcp else hello)
    seen, waiting = set(), b""
    sock.settimeout(1)
    while seen != {"ack", "haptic"}:
        if time.monotonic() > deadline:
            raise SystemExit(f"the host said {seen} only")
        try:
            data = sock.recv(2048)
        except socket.timeout:
            if not tcp:
                sock.send(hello)
            continue
        if tcp:
            waiting += data
            size = struct.unpack_from("<H", waiting)[0] if len(waiting) > 1 else 1 << 16
            if len(waiting) < 2 + size:
                continue
            data, waiting = waiting[2 : 2 + size], waiting[2 + size :]
        if data[:6] == b"TELE\x02\x01" and "ack" not in seen:
            seen.add("ack")
            tell(ack=data[6], size=len(data))
        if data[:6] == b"TELE\x07\x01" and "haptic" not in seen:
            seen.add("haptic")
            tell(haptic=len(data))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--by", choices=["beacon", "mdns"], required=True)
    p.add_argument("--name", required=True)
    p.add_argument("--code", default="ABC123")
    p.add_argument("--own", default="0.0.0.0", help="this phone's address, from which it asks by mDNS")
    p.add_argument("--beacon-port", type=int, default=50001)
    p.add_argument("--within", type=float, default=30, help="seconds")
    o = p.parse_args()
    deadline = time.monotonic() + o.within
    if o.by == "beacon":
        place = by_beacon(o.name, o.beacon_port, deadline)
    else:
        place = by_mdns(o.name, o.own, deadline)
    tell(found=o.name, address=place[0], port=place[1])
    talk(place, o.code, o.by == "beacon", deadline)


main()
