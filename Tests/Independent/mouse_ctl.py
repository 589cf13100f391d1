#!/usr/bin/env python3
"""Makes a mouse that takes requests act: mouse_ctl.py PORT connect | move X Y SCROLL | press BUTTONS. Ends with 1 when that
was refused."""
import http.client
import json
import sys

port, name, *words = sys.argv[1:]
body = json.dumps(dict(zip(("x", "y", "scroll"), words))) if name == "move" else ""
target = "/press?buttons=" + words[0] if name == "press" else "/" + name
connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=5)
connection.request("POST", target, body)
status = connection.getresponse().status
print("mouse_ctl: %s: %d" % (name, status), file=sys.stderr)
sys.exit(0 if status == 204 else 1)
