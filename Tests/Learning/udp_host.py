"""The host of json_host.py with another habit: what it does goes out over UDP, in millimetres, its y axis pointing the other way.

Usage: udp_host.py --port PORT --code CODE --events PORT
"""
import json
import socket

from json_host import Host, options


class Sending(Host):
    def __init__(self, chosen):
        super().__init__(chosen)
        self.events = ("127.0.0.1", chosen.events)

    def log(self, event):
        self.socket.sendto(json.dumps(event).encode(), self.events)

    def moved(self, seq, place, turn):
        x, y, z = (round(1000 * value, 2) for value in place)
        self.log(["arm", {"at": [x, -y, z], "quaternion": dict(zip("xyzw", turn))}])

    def pressed(self, button, down):
        self.log({"what": ("start" if down else "stop") + ["", "Recording", "Keeping"][button]})

    def opened(self):
        self.log({"what": "hello", "who": "%s:%d" % self.client})

    def closed(self, why):
        self.log({"what": why})


if __name__ == "__main__":
    parser = options()
    parser.add_argument("--events", type=int, required=True)
    Sending(parser.parse_args()).run()
