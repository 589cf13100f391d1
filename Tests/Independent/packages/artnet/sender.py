"""Sends levels by the package stupidArtnet, 40 messages in some 2 s."""
import sys
import time

from stupidArtnet import StupidArtnet

sender = StupidArtnet("127.0.0.1", universe=1, packet_size=32, port=int(sys.argv[1]))
for number in range(40):
    sender.send([(number + 3 * place) % 256 for place in range(32)])
    time.sleep(0.05)
