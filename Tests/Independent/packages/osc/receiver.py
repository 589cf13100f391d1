"""Prints the places of a wand that the package python-osc receives."""
import json
import sys

from pythonosc.dispatcher import Dispatcher
from pythonosc.osc_server import BlockingOSCUDPServer


def show(_, *values):
    # OSC says to drop a message whose values are of other types than the method takes.
    if [type(value) for value in values] == [int, float, float, float]:
        print(json.dumps(dict(zip(["number", "x", "y", "z"], values))), flush=True)


dispatcher = Dispatcher()
dispatcher.map("/wand", show)
BlockingOSCUDPServer(("127.0.0.1", int(sys.argv[1])), dispatcher).serve_forever()
