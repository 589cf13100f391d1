"""Prints the levels that the package sacn applies, of universes 0 to 9."""
import json
import sys

import sacn


def show(packet):
    cid = bytes(packet.cid)
    high, low = int.from_bytes(cid[:8], "big"), int.from_bytes(cid[8:], "big")
    event = {"sequence": packet.sequence, "universe": packet.universe, "cid_high": high, "cid_low": low}
    print(json.dumps(event | {"slots": packet.dmxData[:4]}), flush=True)


receiver = sacn.sACNreceiver("127.0.0.1", int(sys.argv[1]))
for universe in range(10):
    receiver.register_listener("universe", show, universe=universe)
receiver.start()
