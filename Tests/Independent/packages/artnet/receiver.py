"""Prints the levels that the package stupidArtnet applies, of universes 0 to 3."""
import json
import sys
import time

from stupidArtnet import StupidArtnetServer


def show(slots, universe):
    # The server has one listener for each universe, in this order.
    number = server.listeners[universe]["sequence"]
    print(json.dumps({"universe": universe, "sequence": number, "slots": slots[:4]}), flush=True)


server = StupidArtnetServer(port=int(sys.argv[1]))
for universe in range(4):
    server.register_listener(universe, callback_function=show)
while True:
    time.sleep(1)
