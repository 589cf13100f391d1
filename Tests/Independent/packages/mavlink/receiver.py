"""Prints the attitudes that the package pymavlink receives."""
import json
import os
import sys

os.environ["MAVLINK20"] = "1"
from pymavlink import mavutil

link = mavutil.mavlink_connection(f"udpin:127.0.0.1:{sys.argv[1]}")
while True:
    message = link.recv_match(type="ATTITUDE", blocking=True)
    print(json.dumps(message.to_dict()), flush=True)
