#!/usr/bin/env python3
"""A receiver of sACN (ANSI E1.31) that prints the levels that it applies, by one of the sequence rules that are in use.

It follows one source and one universe.
"""
import argparse
import json
import socket
import struct

DATA_SIZE = 638


def signed(number):
    """A number of eight bits with its sign."""
    return (number + 128) % 256 - 128


# Whether a receiver drops the number `new` after `last`, both 0 to 255.
DROPS = {
    # ANSI E1.31, 6.7.2, the difference in eight bits with a sign; OLA.
    "window": lambda new, last: -20 < signed(new - last) <= 0,
    # The same window without the wrap, so that a late 255 is applied after 0; ETC's sACN, the Python package sacn.
    "no-wrap": lambda new, last: -20 < new - last <= 0,
    # The order of arrival, numbers are only counted; E131 of ESPixelStick, and WLED as it is shipped.
    "arrival": lambda new, last: False,
    # A smaller number, except close to the wrap; WLED with "Skip out-of-sequence packets".
    "restarts": lambda new, last: new < last and new > 20 and last < 250,
}


def levels(data):
    """The number and the first four levels of a DATA packet with all 512 slots; None where it is no such packet."""
    if len(data) != DATA_SIZE or data[:16] != struct.pack(">HH12s", 16, 0, b"ASC-E1.17"):
        return None
    if struct.unpack_from(">HI", data, 16) != (0x7000 | DATA_SIZE - 16, 4):
        return None
    if struct.unpack_from(">HI", data, 38) != (0x7000 | DATA_SIZE - 38, 2) or data[125] != 0:
        return None
    return data[111], list(data[126:130])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rule", choices=DROPS, required=True)
    parser.add_argument("--udp", type=int, required=True)
    options = parser.parse_args()
    link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    link.bind(("127.0.0.1", options.udp))
    last = None
    while True:
        packet = levels(link.recv(2048))
        if packet is None:
            continue
        number, slots = packet
        if last is not None and DROPS[options.rule](number, last):
            continue
        last = number
        print(json.dumps({"event": "levels", "sequence": number, "slots": slots}), flush=True)


main()
