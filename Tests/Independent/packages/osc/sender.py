"""Sends places of a wand by the package python-osc, 40 messages in some 2 s."""
import sys
import time

from pythonosc.udp_client import SimpleUDPClient

client = SimpleUDPClient("127.0.0.1", int(sys.argv[1]))
for number in range(40):
    client.send_message("/wand", [number, number / 64, 1.5, -number / 64])
    time.sleep(0.05)
