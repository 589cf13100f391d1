#!/usr/bin/env python3
"""Holds the Wireshark plugin to telecap's own dissection: every message of every capture given, each of its fields, each of
its findings and the bytes that they are about.

    compare.py TELECAP FOLDER [--protocol NAME]... [--random N] [--spoil OLD=NEW] CAPTURE...

FOLDER takes the plugin and the captures of random messages. What several messages show together is telecap's alone, and left
out (TOGETHER): every other rule is compared, whatever the plugin knows. --spoil changes a text of the plugin, to see that it is noticed. Ends with 1 and the first differences where there are some."""
import argparse
import json
import math
import os
import struct
import subprocess
import sys
import xml.etree.ElementTree as xml

import randoms

PROTOCOLS = {"tele", "mouse"}
# What is found in several messages, at a stream's end, or in packets that carry none.
TOGETHER = {
    "seq.gap", "seq.duplicate", "seq.reordered", "seq.shared", "seq.not-followed", "session.silence", "session.not-followed", "hello.no-ack",
    "haptic.outside-session", "stream.gap", "stream.end", "packet.fragment", "packet.damaged",
    "clock.step",
}


def run(*command):
    done = subprocess.run(command, capture_output=True)
    if done.returncode not in (0, 65):
        sys.exit(f"{' '.join(command)}: {done.returncode}\n{done.stderr.decode(errors='replace')}")
    return done.stdout


def ours(telecap, options, capture):
    """What telecap says: (protocol, dialect, type, fields, findings) of each message, and (rule, packet) of each about streams."""
    messages, streams = [], []
    for line in run(telecap, "dissect", *options, "--format", "json", capture).splitlines():
        row = json.loads(line)
        found = [(f["rule"], *f["bytes"]) for f in row["findings"] if f["rule"] not in TOGETHER]
        if row.get("length") == 0:
            # Wireshark asks no dissector about an empty datagram.
            continue
        if "type" in row:
            messages.append((row["protocol"], row["dialect"], row["type"], row["fields"], found))
        else:
            streams += [(rule, row["packet"]) for rule, _, _ in found]
    return messages, streams


def theirs(plugin, capture):
    """What Wireshark shows by the plugin, in the same form; fields are (shown, bytes)."""
    output = run(
        "tshark", "-X", f"lua_script:{plugin}", "-o", "tcp.desegment_tcp_streams:TRUE", "-r", capture, "-T", "pdml")
    messages, streams = [], []
    for packet in xml.fromstring(output).iter("packet"):
        number = next(int(field.get("show")) for field in packet.iter("field") if field.get("name") == "num")
        for proto in packet.iter("proto"):
            name = proto.get("name")
            if name == "fake-field-wrapper":
                notes = [f.get("show") for f in proto.iter("field") if f.get("name", "").endswith(".finding")]
                streams += [(rule, number) for rule in notes]
            if name not in PROTOCOLS:
                continue
            start, fields, found, kind, dialect = int(proto.get("pos")), {}, [], None, None
            for field in proto.findall("field"):
                key, at = field.get("name"), int(field.get("pos")) - start
                if key == f"{name}.message":
                    kind = field.get("show")
                elif key == f"{name}.dialect":
                    dialect = field.get("show")
                elif key == f"{name}.finding":
                    found.append((field.get("show"), at, at + int(field.get("size"))))
                else:
                    fields[key.rsplit(".", 1)[1]] = (field.get("show"), bytes.fromhex(field.get("value") or ""))
            messages.append((name, dialect, kind, fields, found))
    return messages, streams


def is_same(value, shown, raw):
    """Whether a field of telecap equals one of Wireshark, by its text and its bytes."""
    if isinstance(value, bool):
        return False
    if isinstance(value, int):
        return int(shown, 0) == value
    if isinstance(value, float) or value in ("NaN", "Infinity", "-Infinity", None) and len(raw) in (4, 8):
        form = "f" if len(raw) == 4 else "d"
        numbers = [struct.unpack(order + form, raw)[0] for order in "<>"]
        if value is None or value == "NaN" or isinstance(value, float) and math.isnan(value):
            return any(math.isnan(number) for number in numbers)
        wanted = struct.unpack("f", struct.pack("f", float(value)))[0] if form == "f" else float(value)
        right = [number for number in numbers if number == wanted]
        return bool(right) and (math.isinf(wanted) or math.isclose(float(shown), wanted, rel_tol=1e-4, abs_tol=1e-37))
    text = str(value)
    return text == raw.hex() or text == raw.decode("utf-8", "replace").rstrip("\0") or text == raw.decode("utf-8", "replace")


def differences(left, right):
    """The differences between a message of telecap and one of Wireshark."""
    for name, ours_, theirs_ in zip(("protocol", "dialect", "type"), left, right):
        if ours_ != theirs_:
            yield f"{name} {ours_} and {theirs_}"
    if set(left[3]) != set(right[3]):
        yield f"fields {sorted(left[3])} and {sorted(right[3])}"
    for key, value in left[3].items():
        if key in right[3] and not is_same(value, *right[3][key]):
            yield f"{key} {value!r} and {right[3][key]}"
    if left[4] != right[4]:
        yield f"findings {left[4]} and {right[4]}"


def compare(telecap, plugin, options, capture):
    left, left_streams = ours(telecap, options, capture)
    right, right_streams = theirs(plugin, capture)
    wrong = []
    if len(left) != len(right):
        wrong.append(f"{capture}: {len(left)} messages, Wireshark {len(right)}")
    for place, (one, other) in enumerate(zip(left, right)):
        wrong += [f"{capture}: message {place + 1} {one[2]}: {text}" for text in differences(one, other)]
    # Bytes passed over are counted for each segment there, and for each run here.
    lengths = [[one for one in streams if one[0] != "stream.skipped"] for streams in (left_streams, right_streams)]
    if lengths[0] != lengths[1]:
        wrong.append(f"{capture}: streams {lengths[0]} and {lengths[1]}")
    skipped = [any(rule == "stream.skipped" for rule, _ in streams) for streams in (left_streams, right_streams)]
    if skipped[0] != skipped[1]:
        wrong.append(f"{capture}: skipped {left_streams} and {right_streams}")
    return len(left), sum(len(message[4]) for message in left), wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("telecap")
    parser.add_argument("folder")
    parser.add_argument("--protocol", action="append", default=[])
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--spoil", metavar="OLD=NEW")
    parser.add_argument("captures", nargs="*")
    given = parser.parse_intermixed_args()
    PROTOCOLS.update(given.protocol)
    options = [word for name in given.protocol for word in ("--protocol", name)]
    plugin = os.path.join(given.folder, "telecap.lua")
    run(given.telecap, "wireshark", "-o", plugin, "--force", *options)
    if given.spoil:
        with open(plugin, encoding="utf-8") as file:
            text = file.read()
        old, new = given.spoil.split("=", 1)
        if old not in text:
            sys.exit(f"the plugin holds no {old}")
        with open(plugin, "w", encoding="utf-8") as file:
            file.write(text.replace(old, new))
    captures = [(capture, []) for capture in given.captures]
    if given.random:
        path = os.path.join(given.folder, "random.pcap")
        randoms.write(path, given.captures, given.random, seed=1)
        captures.append((path, options))
    messages, found, wrong = 0, 0, []
    for capture, extra in captures:
        counts = compare(given.telecap, plugin, extra, capture)
        messages, found, wrong = messages + counts[0], found + counts[1], wrong + counts[2]
    print(f"{messages} messages and {found} findings compared, {len(wrong)} differences")
    for line in wrong[:20]:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
