"""Sends attitudes by the package pymavlink, 40 messages in some 2 s."""
import os
import sys
import time

os.environ["MAVLINK20"] = "1"
from pymavlink import mavutil

link = mavutil.mavlink_connection(f"udpout:127.0.0.1:{sys.argv[1]}", source_system=1)
for number in range(40):
    link.mav.attitude_send(number * 50, number / 64, -number / 64, 1.5, 0.25, -0.25, 0.125)
    time.sleep(0.05)
