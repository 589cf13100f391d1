"""Sends levels by the package sacn, 40 messages in some 2 s."""
import sys
import time

import sacn
import sacn.sending.sender_socket_udp as transport

# The package has no option for the port that it sends to.
transport.DEFAULT_PORT = int(sys.argv[1])
sender = sacn.sACNsender(bind_address="127.0.0.1", bind_port=0, source_name="desk", fps=40, universeDiscovery=False)
sender.start()
sender.activate_output(1)
sender[1].destination = "127.0.0.1"
for number in range(40):
    sender[1].dmx_data = tuple((number + 3 * place) % 256 for place in range(512))
    time.sleep(0.05)
sender.stop()
