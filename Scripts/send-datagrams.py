#!/usr/bin/env python3
"""Sends the datagrams of a text file (port, hexadecimal digits or -, remark) to loopback, 20 ms apart."""
import socket
import sys
import time

with open(sys.argv[1], encoding="utf-8") as lines, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
    sender.bind(("127.0.0.1", 0))
    for line in lines:
        if line.startswith("#") or not line.strip():
            continue
        port, digits = line.split()[:2]
        sender.sendto(b"" if digits == "-" else bytes.fromhex(digits), ("127.0.0.1", int(port)))
        time.sleep(0.02)
