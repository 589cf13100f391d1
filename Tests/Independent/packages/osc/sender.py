"""Sends places of a wand by the package python-osc, 40 messages in some 2 s, each second one in a bundle."""
import sys
import time

from pythonosc.osc_bundle_builder import IMMEDIATELY, OscBundleBuilder
from pythonosc.osc_message_builder import OscMessageBuilder
from pythonosc.udp_client import UDPClient

client = UDPClient("127.0.0.1", int(sys.argv[1]))
for number in range(40):
    message = OscMessageBuilder("/wand")
    for value in [number, number / 64, 1.5, -number / 64]:
        message.add_arg(value)
    content = message.build()
    if number % 2:
        bundle = OscBundleBuilder(IMMEDIATELY)
        bundle.add_content(content)
        content = bundle.build()
    client.send(content)
    time.sleep(0.05)
