#!/usr/bin/env python3
"""Puts small single faults into the independent programs and asks telecap to find each.

    python3 Tests/Independent/faults.py TELECAP [--only GLOB] [--budget 60s] [--whole] [--check]

Exit status 1 when a fault survived. One is told where the system file may be wrong instead of the program: then telecap names the
rule, and what rests on it is inconclusive. With --whole every scenario runs, not only those that should catch it: a fault may
then be seen to break more than it should.
"""
import argparse
import concurrent.futures
import fnmatch
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
HOST, PHONE, MOUSE, MOUSE_SENDER = "tele_host.py", "tele_phone.py", "mouse_host.py", "mouse_sender.py"
SYSTEMS = {HOST: "tele-host.yaml", PHONE: "tele-phone.yaml", MOUSE: "mouse-host.yaml", MOUSE_SENDER: "mouse-sender.yaml"}
LATEST = "tele.pose.latest-value-wins"
NONFINITE = "tele.pose.non-finite"
FAULTS = []
# The verdicts of a scenario that a program fails; ERROR: the program ended in it.
BAD = ("FAIL", "ERROR")
# A fault that is found by a note about the system file, not by a scenario.
TOLD = "told"
# Faults that look like a wrong system file: a note is enough.
LIKE_A_WRONG_FILE = set()


def fault(name, program, old, new, *ids, system=None, told=False):
    """One fault: `old`, which stands once in `program`, becomes `new`; `ids` should catch it, or it is told."""
    if told:
        LIKE_A_WRONG_FILE.add(name)
    FAULTS.append((name, program, old, new, ids, system or SYSTEMS[program]))


# The host as a receiver: order.
ORDER = "if self.newest is not None and not 1 <= (seq - self.newest) % 65536 <= 32767:"
fault("host.order.none", HOST, ORDER, "if False:", LATEST, "tele.pose.duplicate")
fault("host.order.no-wrap", HOST, ORDER, "if self.newest is not None and seq <= self.newest:", LATEST)
for name, low, high in [("quarter", 1, 16383), ("half-short", 1, 32766), ("three-quarters", 1, 49151),
                        ("all", 1, 65535)]:
    fault("host.order." + name, HOST, ORDER, ORDER.replace("1 <=", f"{low} <=").replace("32767", str(high)), LATEST)
fault("host.order.half", HOST, "<= 32767:", "<= 32768:", "tele.pose.half-range")
fault("host.order.duplicate", HOST, "not 1 <=", "not 0 <=", "tele.pose.duplicate")
fault("host.order.neighbours-only", HOST, "<= 32767:", "<= 100:", LATEST)
fault("host.order.last-received", HOST, ORDER + "\n", ORDER + "\n            self.newest = seq\n", LATEST)
fault("host.order.lost-by-keepalive", HOST, "elif session == self.session:",
      "elif session == self.session:\n            self.newest = None", LATEST)
fault("host.order.kept-in-new-session", HOST, "self.client, self.session, self.newest = peer, session, None",
      "self.client, self.session = peer, session", LATEST, "tele.pose.*")

# The host as a receiver: numbers.
FINITE = "if not all(math.isfinite(n) for n in numbers):"
for index, field in enumerate(["x", "y", "z", "qx", "qy", "qz", "qw"]):
    for word, test in [("nan", "math.isnan(n)"), ("plus-inf", "n == math.inf"), ("minus-inf", "n == -math.inf")]:
        fault(f"host.finite.{field}.{word}", HOST, FINITE,
              f"if not all(math.isfinite(n) or i == {index} and {test} for i, n in enumerate(numbers)):", NONFINITE)
fault("host.finite.counts-as-newest", HOST, FINITE, FINITE + "\n            self.newest = seq", NONFINITE)
TURN = "turn=numbers[3:])"
for a, b in [(0, 1), (1, 2), (2, 3)]:
    order = [3, 4, 5, 6]
    order[a], order[b] = order[b], order[a]
    fault("host.turn.swapped-" + "xyzw"[a] + "xyzw"[b], HOST, TURN, f"turn=[numbers[i] for i in {order}])",
          "tele.pose.quaternion", LATEST)
fault("host.turn.half-applied", HOST, TURN,
      "turn=[n if abs(norm - 1) < 1e-3 else 0.0 for n in numbers[3:]])", "tele.pose.quaternion")
fault("host.turn.w-kept", HOST, TURN, "turn=numbers[3:6] + [1.0])", "tele.pose.quaternion", LATEST)
fault("host.place.swapped", HOST, "position=numbers[:3]", "position=numbers[:3][::-1]", LATEST)

# The host as a receiver: the code.
CODE = "if code != self.o.code.encode():"
for i in range(6):
    fault(f"host.code.place-{i}", HOST, CODE,
          f"if code[:{i}] + code[{i + 1}:] != (self.o.code[:{i}] + self.o.code[{i + 1}:]).encode():",
          "tele.hello.bad-code")
fault("host.code.case", HOST, CODE, "if code.upper() != self.o.code.encode():", "tele.hello.bad-code")
fault("host.code.prefix", HOST, CODE, "if code[:3] != self.o.code.encode()[:3]:", "tele.hello.bad-code")
fault("host.code.shorter", HOST, CODE, "if not self.o.code.encode().startswith(code.rstrip(b'\\0')):",
      "tele.hello.bad-code")
fault("host.code.disturbs", HOST, "self.ack(peer, BUSY if busy else BAD_CODE)",
      "self.ack(peer, BUSY if busy else BAD_CODE)\n            if self.client: self.close('bad code')",
      "tele.hello.bad-code")
fault("host.code.silent", HOST, "self.ack(peer, BUSY if busy else BAD_CODE)", "pass", "tele.hello.bad-code",
      "tele.hello.ack-every")
fault("host.code.says-ok", HOST, "self.ack(peer, BUSY if busy else BAD_CODE)", "self.ack(peer, OK)",
      "tele.hello.bad-code")

# The host as a sender: ACK.
fault("host.ack.long-udp", HOST, "        if peer.tcp:\n            message +=", "        if True:\n            message +=",
      "tele.hello.ack-form")
fault("host.ack.short-tcp", HOST, "        if peer.tcp:\n            message +=", "        if False:\n            message +=",
      "tele.hello.ack-form")
fault("host.ack.reserved", HOST, "bytes([ACK, 1, status, 0])", "bytes([ACK, 1, status, 1])", "tele.hello.ack-form")
fault("host.ack.reserved2-tcp", HOST, "bytes([1, 1, 0, 0])", "bytes([1, 1, 0, 1])", "tele.hello.ack-form")
fault("host.ack.status", HOST, "bytes([ACK, 1, status, 0])", "bytes([ACK, 1, status and status + 4, 0])",
      "tele.hello.ack-form")
fault("host.ack.to-pose", HOST, "        elif self.is_client(peer):\n            {POSE",
      "        elif self.is_client(peer):\n            if kind == POSE: self.ack(peer, OK)\n            {POSE",
      "tele.hello.ack-form")
fault("host.ack.to-command", HOST, "        elif self.is_client(peer):\n            {POSE",
      "        elif self.is_client(peer):\n            if kind == CMD: self.ack(peer, OK)\n            {POSE",
      "tele.hello.ack-form")
fault("host.ack.to-bye", HOST, "        elif self.is_client(peer):\n            {POSE",
      "        elif self.is_client(peer):\n            if kind == BYE: self.ack(peer, OK)\n            {POSE",
      "tele.hello.ack-form")
fault("host.ack.to-stranger", HOST, "            self.ack(peer, BUSY)\n        elif session == self.session:",
      "            self.ack(self.client, BUSY)\n        elif session == self.session:", "tele.hello.busy", "tele.hello.ack-form")
fault("host.ack.first-only", HOST, "self.heard = time.monotonic()\n            self.ack(peer, OK)\n        elif peer.tcp",
      "self.heard = time.monotonic()\n        elif peer.tcp", "tele.hello.ack-every")
fault("host.ack.every-second", HOST, "self.heard = time.monotonic()\n            self.ack(peer, OK)\n        elif peer.tcp",
      "self.heard = time.monotonic()\n            self.odd = not getattr(self, 'odd', False)\n"
      "            if self.odd: self.ack(peer, OK)\n        elif peer.tcp", "tele.hello.ack-every")

# The host as a sender: HAPTIC.
FORCE = "self.client.send(MAGIC + bytes([HAPTIC, 1])"
RELEASE = "client, self.client = self.client, None"
fault("host.haptic.after-session", HOST, "or self.client is None or now < self.next_haptic:\n            return",
      "or now < self.next_haptic:\n            return\n        self.last = self.client or getattr(self, 'last', None)\n"
      "        if self.last is None:\n            return\n        if self.client is None:\n"
      "            self.last.send(MAGIC + bytes([HAPTIC, 1]) + struct.pack('<fBB', 0.5, 0, 0))\n"
      "            self.next_haptic = now + 0.05\n            return", "tele.haptic.sender-session")
fault("host.haptic.to-refused", HOST, "            self.ack(peer, BUSY)\n        elif session == self.session:",
      "            self.ack(peer, BUSY)\n            if self.o.haptic:\n                peer.send(MAGIC + bytes([HAPTIC, 1]) + "
      "bytes(6))\n        elif session == self.session:", "tele.haptic.sender-session")
fault("host.haptic.to-wrong-code", HOST, "self.ack(peer, BUSY if busy else BAD_CODE)",
      "self.ack(peer, BUSY if busy else BAD_CODE)\n            if self.o.haptic:\n                "
      "peer.send(MAGIC + bytes([HAPTIC, 1]) + bytes(6))", "tele.haptic.sender-session")
fault("host.haptic.before-ack", HOST, "            self.open(peer, session)\n            peer.greeted = True",
      "            self.open(peer, session)\n            self.force()\n            peer.greeted = True",
      "tele.haptic.sender-session")
fault("host.haptic.rate", HOST, "max(self.next_haptic + 0.05, now + 0.04)", "max(self.next_haptic + 0.025, now + 0.02)",
      "tele.haptic.sender-rate")
fault("host.haptic.above", HOST, "strength = min(1.0, max(0.0, strength))", "strength = 1.2 * strength",
      "tele.haptic.sender-range")
fault("host.haptic.below", HOST, "strength = min(1.0, max(0.0, strength))", "strength = strength - 0.2",
      "tele.haptic.sender-range")
fault("host.haptic.nan", HOST, "strength = min(1.0, max(0.0, strength))",
      "strength = math.nan if strength > 0.99 else strength", "tele.haptic.sender-range")
fault("host.haptic.nan-later", HOST, "strength = min(1.0, max(0.0, strength))",
      "self.sent = getattr(self, 'sent', 0) + 1\n        strength = min(1.0, max(0.0, strength)) if self.sent < 150 else math.nan",
      "tele.haptic.sender-range")
fault("host.haptic.rate-later", HOST, "        self.next_haptic = max(self.next_haptic + 0.05, now + 0.04)",
      "        self.seen = getattr(self, 'seen', set()) | {self.session}\n"
      "        self.next_haptic = max(self.next_haptic + 0.05, now + 0.04) if len(self.seen) < 3 else now + 0.02",
      "tele.haptic.sender-rate")
fault("host.haptic.reserved", HOST, 'struct.pack("<fBB", strength, 0, 0)', 'struct.pack("<fBB", strength, 0, 1)',
      "tele.haptic.sender-range")

# Sessions.
for name, value in [("2s", "2.0"), ("6s", "6.0"), ("never", "1e9")]:
    fault("host.timeout." + name, HOST, "SILENCE = 3.0", "SILENCE = " + value, "tele.session.timeout")
fault("host.timeout.hello-only", HOST, "            return\n        self.heard = time.monotonic()\n        if self.newest",
      "            return\n        if self.newest", "tele.session.timeout", "tele.session.survives-loss")
fault("host.timeout.strangers-refresh", HOST, '        """One datagram, or the inside of one frame."""\n',
      "        self.heard = time.monotonic()\n", "tele.session.timeout")
fault("host.timeout.on-tcp", HOST, "if self.client and not self.client.tcp and now", "if self.client and now",
      "tele.tcp.*", LATEST)
fault("host.tcp.hello-never", HOST, "HELLO_WITHIN = 5.0", "HELLO_WITHIN = 1e9", "tele.tcp.hello-timeout")
fault("host.tcp.hello-2s", HOST, "HELLO_WITHIN = 5.0", "HELLO_WITHIN = 2.0", "tele.tcp.hello-timeout")
fault("host.bye.wrong-session", HOST, 'if struct.unpack_from("<I", data, 6)[0] == self.session:', "if True:",
      "tele.bye.wrong-session")
fault("host.bye.low-half", HOST, 'if struct.unpack_from("<I", data, 6)[0] == self.session:',
      'if struct.unpack_from("<H", data, 6)[0] == self.session & 65535:', "tele.bye.wrong-session")
fault("host.bye.ignored", HOST, 'if struct.unpack_from("<I", data, 6)[0] == self.session:', "if False:",
      "tele.bye.closes")
fault("host.keepalive.another-session", HOST, "elif session == self.session:", "elif True:",
      "tele.hello.keepalive-identity",
      system="tele-host-strict.yaml")
fault("host.keepalive.another-code", HOST, CODE, "if code != self.o.code.encode() and not self.is_client(peer):",
      "tele.hello.keepalive-identity",
      system="tele-host-strict.yaml")
fault("host.busy.silent", HOST, "            self.ack(peer, BUSY)\n        elif session == self.session:",
      "            pass\n        elif session == self.session:", "tele.hello.busy")
fault("host.busy.takes-over", HOST, "elif not self.is_client(peer):\n            self.ack(peer, BUSY)",
      "elif not self.is_client(peer):\n            self.close('replaced')\n            self.open(peer, session)\n"
      "            self.ack(peer, OK)", "tele.hello.busy")
fault("host.busy.by-host-only", HOST, "return self.sock if self.tcp else self.address",
      "return self.sock if self.tcp else self.address[0]", "tele.hello.busy", "tele.sender.inactive")
fault("host.header.magic", HOST, "if data[:4] != MAGIC:", "if data[:3] != MAGIC[:3]:", "tele.header.magic")
fault("host.header.magic-any", HOST, "if data[:4] != MAGIC:", "if False:", "tele.header.magic")
fault("host.header.version", HOST, "if version != 1:", "if version == 0:", "tele.header.version", "tele.hello.version")
fault("host.header.version-ok", HOST, 'if kind == HELLO and self.o.other_version == "answer":\n                self.ack(peer, '
      "VERSION_UNSUPPORTED)", "if kind == HELLO:\n                self.ack(peer, OK)", "tele.hello.version")
fault("host.header.type", HOST, "kind, version = data[4], data[5]", "kind, version = data[4] & 7, data[5]",
      "tele.header.type")
fault("host.header.unknown-type-closes", HOST, "        if kind not in SIZES or",
      "        peer.ended = kind not in SIZES\n        if kind not in SIZES or", "tele.header.type")
fault("host.header.truncated", HOST, "        if kind not in SIZES or len(data) < SIZES[kind]:\n            return\n",
      "        if kind not in SIZES:\n            return\n        data = data.ljust(SIZES[kind], b'\\0')\n",
      "tele.header.truncated")
fault("host.header.truncated-crash", HOST, "        if kind not in SIZES or len(data) < SIZES[kind]:\n",
      "        if kind not in SIZES:\n", "tele.header.truncated")
fault("host.header.trailing-numbers", HOST, 'struct.unpack_from("<7f", data, 18)',
      'struct.unpack_from("<7f", data, len(data) - 28)', "tele.header.trailing")
fault("host.header.trailing-read", HOST, "        if len(data) > SIZES[kind]:\n",
      "        if len(data) > SIZES[kind]:\n            data = data[:6] + data[6 - SIZES[kind]:]\n", "tele.header.trailing")
fault("host.reserved.hello", HOST, "        elif self.client is None:\n", "        elif data[16:18] != b'\\0\\0':\n"
      "            pass\n        elif self.client is None:\n", "tele.reserved.nonzero")
fault("host.reserved.flags", HOST, "start=bool(flags & 1)", "start=bool(flags)", "tele.reserved.nonzero")
fault("host.inactive.applied", HOST, "        elif self.is_client(peer):\n            {POSE",
      "        elif self.client is not None:\n            {POSE", "tele.sender.inactive")
fault("host.inactive.command", HOST, "        elif self.is_client(peer):\n            {POSE",
      "        elif self.is_client(peer) or kind == CMD:\n            {POSE", "tele.sender.inactive")
fault("host.inactive.bye", HOST, "        elif self.is_client(peer):\n            {POSE",
      "        elif self.is_client(peer) or kind == BYE and self.client:\n            {POSE", "tele.sender.inactive",
      "tele.bye.*")
fault("host.inactive.no-session", HOST, "        elif self.is_client(peer):\n            {POSE",
      "        elif self.is_client(peer) or self.client is None and kind == POSE:\n            {POSE", "tele.sender.inactive")
fault("host.tcp.refused-left-open", HOST, "        if peer.tcp and status != OK and not self.is_client(peer):\n            peer.ended = True\n",
      "", "tele.hello.busy", "tele.hello.bad-code")
fault("host.tcp.reset-unseen", HOST, "                except OSError:\n                    if sock in self.connections:\n"
      "                        self.connections[sock].ended = True",
      "                except OSError:\n                    wait.unregister(sock)", "tele.tcp.framing")
fault("host.tcp.not-finite", HOST, FINITE, "if not self.client.tcp and not all(math.isfinite(n) for n in numbers):",
      "tele.pose.non-finite")
fault("host.tcp.silence-ends", HOST, "if self.client and not self.client.tcp and now", "if self.client and now", LATEST)
fault("host.tcp.split", HOST, "            if len(peer.bytes) < 2 + length:\n                return",
      "            if len(peer.bytes) < 2 + length:\n                peer.bytes = b''\n                return",
      "tele.tcp.framing")
fault("host.tcp.joined", HOST, "peer.bytes[2 + length:]", "b''", "tele.tcp.framing")
fault("host.tcp.bad-length", HOST, "if length < 6 or length > LONGEST_FRAME:\n                peer.ended = True",
      "if length < 6 or length > LONGEST_FRAME:\n                peer.bytes = b''", "tele.tcp.bad-length")
fault("host.tcp.bad-magic", HOST, "if data[:4] != MAGIC:\n            peer.ended = True", "if data[:4] != MAGIC:",
      "tele.tcp.bad-length", "tele.header.magic")
fault("host.command.unknown", HOST, "COMMANDS = {1: ", 'COMMANDS = {0: "recording", 3: "keep", 9: "keep", 255: "keep", 1: ',
      "tele.cmd.unknown")
fault("host.command.toggles", HOST, "down=value == 1)", "down=not getattr(self, 'down', False))\n"
      "            self.down = not getattr(self, 'down', False)", "tele.cmd.duplicate", "tele.cmd.unknown")
fault("host.robust.crash", HOST, "if kind in COMMANDS and value in (0, 1):",
      "if kind not in COMMANDS:\n            raise SystemExit(1)\n        if value in (0, 1):", "tele.cmd.unknown", "tele.robust.mutations")

fault("host.command.once", HOST, "            self.tell(\"pressed\", button",
      "            self.ons = getattr(self, 'ons', 0) + value\n            if self.ons > 2:\n                return\n"
      "            self.tell(\"pressed\", button", "tele.cmd.duplicate", "tele.cmd.unknown")
fault("host.command.swapped", HOST, 'COMMANDS = {1: "recording", 2: "keep"}', 'COMMANDS = {1: "keep", 2: "recording"}',
      "tele.cmd.duplicate", told=True)
fault("host.tcp.other-version-left-open", HOST, "        if peer.tcp and status != OK and not self.is_client(peer):",
      "        if peer.tcp and status == VERSION_UNSUPPORTED:\n            peer.greeted = True\n"
      "        elif peer.tcp and status != OK and not self.is_client(peer):", "tele.hello.version",
      system="tele-host-closing.yaml")
fault("host.haptic.rate-in-second", HOST, "self.next_haptic = max(self.next_haptic + 0.05, now + 0.04)",
      "self.ids = getattr(self, 'ids', set()) | {self.session}\n"
      "        self.next_haptic = max(self.next_haptic + 0.05, now + 0.04) if len(self.ids) < 2 else now + 0.02",
      "tele.haptic.sender-rate")
fault("host.haptic.channel", HOST, 'struct.pack("<fBB", strength, 0, 0)', 'struct.pack("<fBB", strength, 1, 0)',
      "tele.haptic.sender-range")
fault("host.haptic.short", HOST, 'struct.pack("<fBB", strength, 0, 0)', 'struct.pack("<fB", strength, 0)',
      "tele.haptic.sender-range")
fault("host.place.no-negative-y", HOST, "position=numbers[:3]", "position=[numbers[0], abs(numbers[1]), numbers[2]]",
      "tele.pose.latest-value-wins.values")
fault("host.place.within-10m", HOST, "position=numbers[:3]", "position=[max(-10.0, min(10.0, n)) for n in numbers[:3]]",
      "tele.pose.latest-value-wins.values")
fault("host.stamp.32-bit", HOST, "at_ms=stamp / 1000", "at_ms=(stamp & 0xffffffff) / 1000", LATEST,
      told=True)
fault("host.start.always", HOST, "start=bool(flags & 1)", "start=True", LATEST)
fault("host.bye.greater-session", HOST, "if struct.unpack_from(\"<I\", data, 6)[0] == self.session:",
      "if struct.unpack_from(\"<I\", data, 6)[0] >= self.session:", "tele.bye.wrong-session")
fault("host.timeout.not-by-command", HOST, "in (0, 1):\n            self.heard = time.monotonic()", "in (0, 1):",
      "tele.session.timeout")
fault("host.session.16-bit", HOST, 'session, code = struct.unpack_from("<I6s", data, 6)',
      'session, code = struct.unpack_from("<I6s", data, 6)\n        session &= 0xffff', "tele.hello.keepalive-identity",
      "tele.bye.closes")

# The phone as a receiver.
fault("phone.refused.opens", PHONE, "if kind == ACK and data[6] == 0:", "if kind == ACK:", "tele.phone.refused")
for status, name in [(1, "bad-code"), (2, "busy"), (3, "version")]:
    fault("phone.refused." + name, PHONE, "if kind == ACK and data[6] == 0:", f"if kind == ACK and data[6] in (0, {status}):",
          "tele.phone.refused")
CLAMP = "value = 1.0 if value > 1 else value if value > 0 else 0.0"
fault("phone.clamp.high", PHONE, CLAMP, "value = value if value > 0 else 0.0", "tele.haptic.clamp-high")
fault("phone.clamp.low", PHONE, CLAMP, "value = 1.0 if value > 1 else value", "tele.haptic.clamp-low")
fault("phone.clamp.high-to-0", PHONE, CLAMP, "value = value if 0 < value <= 1 else 0.0", "tele.haptic.clamp-high")
fault("phone.clamp.absolute", PHONE, CLAMP, "value = min(1.0, abs(value))", "tele.haptic.clamp-low")
NAN = 'if self.o.nan == "drop":\n                return\n            value = 0.0'
INF = 'if math.isinf(value) and self.o.infinity == "drop":\n            return'
fault("phone.nan.one", PHONE, NAN, "value = 1.0", "tele.haptic.not-a-number")
fault("phone.infinity.minus-one", PHONE, INF, "if value == -math.inf:\n            value = 1.0", "tele.haptic.not-a-number",
      "tele.haptic.clamp-low")
fault("phone.infinity.plus-zero", PHONE, INF, "if value == math.inf:\n            value = 0.0", "tele.haptic.not-a-number")
fault("phone.infinity.doubles", PHONE, INF, "if math.isinf(value):\n            value = min(1.0, 2 * self.strength + 0.1)",
      "tele.haptic.not-a-number")
fault("phone.queue", PHONE, 'self.haptic(struct.unpack_from("<f", data, 6)[0])',
      "now = time.monotonic()\n            self.due = max(now, getattr(self, 'due', 0) + 0.05)\n            "
      "__import__('threading').Timer(self.due - now, self.haptic, [struct.unpack_from('<f', data, 6)[0]]).start()",
      "tele.haptic.no-queue")
fault("phone.two-late", PHONE, 'self.haptic(struct.unpack_from("<f", data, 6)[0])',
      "self.old = getattr(self, 'old', []) + [struct.unpack_from('<f', data, 6)[0]]\n            "
      "self.haptic(self.old[-3:][0])", "tele.haptic.latest-value-wins", "tele.haptic.no-queue")
fault("phone.first-wins", PHONE, "if strength != self.strength or always:",
      "if abs(strength - self.strength) > 0.05 or always:", "tele.haptic.latest-value-wins")
fault("phone.zero.ignored", PHONE, CLAMP, CLAMP + "\n        if value == 0:\n            return", "tele.haptic.zero-stops",
      "tele.haptic.clamp-low")
fault("phone.zero.fades", PHONE, CLAMP, CLAMP + "\n        if value == 0:\n            value = self.strength / 2",
      "tele.haptic.zero-stops")
for old, new in [("0.7", "0.8"), ("0.7", "0.6"), ("0.4", "0.5"), ("0.4", "0.3"), ("0.1", "0.2"), ("0.1", "0.05"),
                 ("0.1", "0.0")]:
    style = {"0.7": "heavy", "0.4": "medium", "0.1": "light"}[old]
    fault(f"phone.impact.{style}-at-{new}", PHONE, f'({old}, "{style}")', f'({new}, "{style}")',
          "tele.haptic.impact-mapping")
fault("phone.timeout.never", PHONE, "SILENCE = 3.0", "SILENCE = 1e9", "tele.session.phone-timeout",
      "tele.session.safe-on-loss")
fault("phone.timeout.6s", PHONE, "SILENCE = 3.0", "SILENCE = 6.0", "tele.session.phone-timeout")
fault("phone.timeout.1s", PHONE, "SILENCE = 3.0", "SILENCE = 1.0", "tele.session.phone-timeout")
fault("phone.timeout.haptic-refreshes", PHONE, "        elif kind == HAPTIC and self.active:\n",
      "        elif kind == HAPTIC and self.active:\n            self.acked = time.monotonic()\n", "tele.session.phone-timeout")
fault("phone.lost.motor-left-on", PHONE, "            self.active = False\n            self.play(0.0)\n",
      "            self.active = False\n", "tele.session.safe-on-loss")
fault("phone.reopens.old-value", PHONE, "            self.active = False\n            self.play(0.0)\n"
      '            self.tell(session="down", id=self.session, because=why)',
      "            self.active = False\n            old = self.strength\n            self.play(0.0)\n"
      '            self.tell(session="down", id=self.session, because=why)\n            opened = self.opened\n'
      "            self.opened = lambda: (opened(), self.play(old))", "tele.phone.reopens")
fault("phone.reopens.never", PHONE, "            if not self.active:\n                self.opened()",
      "            if not self.active and not getattr(self, 'once', False):\n                self.once = True\n"
      "                self.opened()", "tele.phone.reopens")
fault("phone.needs-session", PHONE, "elif kind == HAPTIC and self.active:", "elif kind == HAPTIC:",
      "tele.haptic.needs-session", "tele.phone.refused", "tele.phone.reopens")
fault("phone.channel", PHONE, "elif kind == HAPTIC and self.active:", "elif kind == HAPTIC and self.active and data[10] == 0:",
      "tele.haptic.channel-ignored")
fault("phone.header.magic", PHONE, "if len(data) < 6 or data[:4] != MAGIC:", "if len(data) < 6:", "tele.header.magic",
      "tele.robust.mutations")
fault("phone.header.version", PHONE, "if version != 1 or kind", "if kind", "tele.header.version", "tele.robust.mutations")
fault("phone.header.truncated", PHONE, "or len(data) < sizes[kind]:\n            return True\n",
      "or len(data) < 7:\n            return True\n        data = data.ljust(12, b'?')\n", "tele.header.truncated",
      "tele.robust.mutations")
fault("phone.reserved", PHONE, "elif kind == HAPTIC and self.active:", "elif kind == HAPTIC and self.active and data[11] == 0:",
      "tele.reserved.nonzero")

# The phone as a sender.
fault("phone.hello.rate", PHONE, "HELLO_EVERY = 0.5", "HELLO_EVERY = 2.0", "tele.session.rate")
fault("phone.hello.rate-1.3s", PHONE, "HELLO_EVERY = 0.5", "HELLO_EVERY = 1.3", "tele.session.rate")
fault("phone.hello.not-while-streaming", PHONE, "if now >= self.next_hello:", "if now >= self.next_hello and (not self.active "
      "or self.seq < 20):", "tele.session.rate")
HELLO = 'struct.pack("<I6sH", self.session, self.o.code.encode(), 0)'
fault("phone.hello.another-session", PHONE, HELLO, HELLO.replace("self.session", "random.randrange(1 << 32)"),
      "tele.phone.hello-form")
fault("phone.hello.reserved", PHONE, HELLO, HELLO.replace(", 0)", ", 1)"), "tele.phone.hello-form")
fault("phone.hello.code", PHONE, HELLO, HELLO.replace("code.encode()", "code.lower().encode()"), "tele.phone.hello-form")
fault("phone.hello.same-session-again", PHONE, "self.session = random.randrange(1 << 32)", "self.session = 7",
      "tele.phone.reopens")
NEXT = "self.seq = (self.seq + 1) % 65536"
fault("phone.seq.by-two", PHONE, NEXT, "self.seq = (self.seq + 2) % 65536", "tele.phone.pose-seq")
fault("phone.seq.constant", PHONE, NEXT, "pass", "tele.phone.pose-seq")
fault("phone.seq.wraps-short", PHONE, NEXT, "self.seq = (self.seq + 1) % 65535", "tele.phone.pose-seq",
      system="tele-phone-strict.yaml")
fault("phone.seq.wraps-to-1", PHONE, NEXT, "self.seq = (self.seq + 1) % 65536 or 1", "tele.phone.pose-seq",
      system="tele-phone-strict.yaml")
fault("phone.seq.restarts", PHONE, NEXT, "self.seq = (self.seq + 1) % 100", "tele.phone.pose-seq")
fault("phone.seq.restarts-with-hello", PHONE, "                    self.hello()\n",
      "                    self.hello()\n                    self.seq = 0\n", "tele.phone.pose-seq")
MICROS = "micros = int(t * 1e6)"
fault("phone.timestamp.constant", PHONE, MICROS, "micros = 1000", "tele.phone.pose-timestamp")
fault("phone.timestamp.ms", PHONE, MICROS, "micros = int(t * 1e3)", "tele.phone.pose-timestamp")
fault("phone.timestamp.ns", PHONE, MICROS, "micros = int(t * 1e9)", "tele.phone.pose-timestamp")
fault("phone.timestamp.back", PHONE, MICROS, "micros = int(1e9 - t * 1e6)", "tele.phone.pose-timestamp")
fault("phone.timestamp.steps-back", PHONE, MICROS, "micros = int(t * 1e6) + 1000 - 30000 * (self.seq % 10 == 9) + 30000",
      "tele.phone.pose-timestamp")
fault("phone.timestamp.tenth-fast", PHONE, MICROS, "micros = int(t * 1.1e6)", "tele.phone.pose-timestamp")
PLACE = "place = (0.2 * math.cos(t), 0.1 * math.sin(2 * t), -0.3)"
fault("phone.pose.nan", PHONE, PLACE, PLACE.replace("-0.3", "math.nan if self.seq == 30 else -0.3"), "tele.phone.pose-values")
fault("phone.pose.infinite", PHONE, PLACE, PLACE.replace("-0.3", "math.inf if self.seq == 30 else -0.3"),
      "tele.phone.pose-values")
fault("phone.pose.not-unit", PHONE, "math.cos(t / 4))", "math.cos(t / 4) + 0.01)", "tele.phone.pose-values")
fault("phone.pose.zero-turn", PHONE, "turn = (0.0, math.sin(t / 4), 0.0, math.cos(t / 4))", "turn = (0.0, 0.0, 0.0, 0.0)",
      "tele.phone.pose-values")
fault("phone.pose.flags", PHONE, "start = 1 if self.seq == self.o.first_seq else 0", "start = 2", "tele.phone.pose-values")
fault("phone.pose.reserved", PHONE, "micros, start, 0, *place", "micros, start, 1, *place", "tele.phone.pose-values")
fault("phone.pose.rate", PHONE, "POSE_EVERY = 1 / 60", "POSE_EVERY = 1 / 120", "tele.phone.pose-rate")
fault("phone.pose.rate-72", PHONE, "POSE_EVERY = 1 / 60", "POSE_EVERY = 1 / 72", "tele.phone.pose-rate")
BYES = 'self.send(MAGIC + bytes([BYE, 1]) + struct.pack("<I", self.session))'
fault("phone.bye.none", PHONE, BYES, "pass", "tele.phone.bye")
fault("phone.bye.wrong-session", PHONE, BYES, BYES.replace("self.session", "self.session ^ 1"), "tele.phone.bye")

# The mouse host.
fault("mouse.scroll.ignored", MOUSE, "self.scroll += scroll", "pass", "mouse.scroll.sum")
fault("mouse.scroll.moves", MOUSE, "self.y += dy", "self.y += dy - scroll", "mouse.scroll.sum", "mouse.pointer.sum")
fault("mouse.scroll.sign", MOUSE, "self.scroll += scroll", "self.scroll -= scroll", "mouse.scroll.sum")
fault("mouse.move.unsigned", MOUSE, 'struct.unpack_from("<3b", data, 2)', 'struct.unpack_from("<3B", data, 2)',
      "mouse.pointer.sum")
fault("mouse.move.large-lost", MOUSE, "self.x += dx", "self.x += dx if abs(dx) < 127 else 0", "mouse.pointer.sum",
      "mouse.pointer.screen")
fault("mouse.move.large-y-short", MOUSE, "self.y += dy", "self.y += max(-100, min(100, dy))", "mouse.pointer.sum",
      "mouse.pointer.screen")
fault("mouse.move.swapped", MOUSE, "dx, dy, scroll = struct", "dy, dx, scroll = struct", "mouse.pointer.sum")
fault("mouse.move.sign-y", MOUSE, "self.y += dy", "self.y -= dy", "mouse.pointer.sum")
fault("mouse.edge.left", MOUSE, "self.x = max(0, self.x)", "pass", "mouse.pointer.screen")
fault("mouse.edge.right", MOUSE, "self.x = min(self.width - 1, self.x)", "pass", "mouse.pointer.screen")
fault("mouse.edge.top", MOUSE, "self.y = max(0, self.y)", "pass", "mouse.pointer.screen")
fault("mouse.edge.bottom", MOUSE, "self.y = min(self.height - 1, self.y)", "pass", "mouse.pointer.screen")
fault("mouse.edge.one-off", MOUSE, "self.x = min(self.width - 1, self.x)", "self.x = min(self.width, self.x)",
      "mouse.pointer.screen", system="mouse-host-full.yaml")
fault("mouse.stream.no-resync", MOUSE, "                del stream[0]\n                continue",
      "                break", "mouse.control.resync")
fault("mouse.stream.skips-five", MOUSE, "                del stream[0]\n", "                del stream[:SIZE]\n",
      "mouse.control.resync")
fault("mouse.stream.skips-all", MOUSE, "                del stream[0]\n", "                stream.clear()\n",
      "mouse.control.resync")
fault("mouse.stream.split", MOUSE, "            if len(stream) < SIZE:\n", "            if len(stream) < SIZE:\n"
      "                stream.clear()\n", "mouse.control.stream")
fault("mouse.stream.joined", MOUSE, "            self.packet(packet)\n", "            self.packet(packet)\n"
      "            stream.clear()\n", "mouse.control.stream")
fault("mouse.stream.ignored", MOUSE, "            self.packet(packet)\n", "", "mouse.control.stream",
      "mouse.buttons.control-repairs")
fault("mouse.stream.buttons-ignored", MOUSE, "            self.packet(packet)\n",
      "            self.packet(packet[:1] + bytes([self.buttons]) + packet[2:])\n", "mouse.control.stream",
      "mouse.buttons.control-repairs")
fault("mouse.buttons.reserved-drop", MOUSE, "buttons = data[1] & 0x07", "buttons = data[1] & 0x07\n        if data[1] & 0xF8:\n"
      "            return", "mouse.buttons.reserved")
fault("mouse.buttons.reserved-kept", MOUSE, "buttons = data[1] & 0x07", "buttons = data[1] & 0x07 | data[1] >> 3 & 4",
      "mouse.buttons.reserved")
fault("mouse.buttons.or", MOUSE, "self.buttons = buttons", "self.buttons |= buttons", "mouse.buttons.latest-value-wins",
      "mouse.buttons.control-repairs")
fault("mouse.buttons.middle-lost", MOUSE, "buttons = data[1] & 0x07", "buttons = data[1] & 0x03",
      "mouse.buttons.latest-value-wins")
fault("mouse.buttons.left-right", MOUSE, '"left": bool(self.buttons & 1), "right": bool(self.buttons & 2)',
      '"left": bool(self.buttons & 2), "right": bool(self.buttons & 1)', "mouse.buttons.latest-value-wins", told=True)
fault("mouse.length.longer", MOUSE, "if len(data) != SIZE or", "if len(data) < SIZE or", "mouse.length.wrong")
fault("mouse.length.padded", MOUSE, "        if len(data) != SIZE or", "        data = data.ljust(SIZE, b'\\0')\n"
      "        if len(data) != SIZE or", "mouse.length.wrong")
fault("mouse.header.unknown", MOUSE, "!= SIZE or data[0] not in HEADERS:", "!= SIZE:", "mouse.header.unknown")
fault("mouse.header.low-bits", MOUSE, "!= SIZE or data[0] not in HEADERS:", "!= SIZE or data[0] & 0xEE != 0xAA:",
      "mouse.header.unknown")
fault("mouse.header.control-over-udp", MOUSE, "HEADERS = (0xAA, 0xBB)", "HEADERS = (0xAA,)", "mouse.control.stream",
      "mouse.buttons.control-repairs")
fault("mouse.stream.reset-crashes", MOUSE, "piece = b\"\"", "raise", "mouse.control.stream",
      "mouse.buttons.latest-value-wins")
fault("mouse.duplicates.ignored", MOUSE, "        before = (", "        if data == getattr(self, 'last', None):\n            return\n"
      "        self.last = data\n        before = (", "mouse.pointer.sum")

# The mouse.
fault("mouse.sender.wraps", MOUSE_SENDER, "return max(-most, min(most, value))", "return (value + 128) % 256 - 128",
      "mouse.clamp.int8", "mouse.split.sum")
fault("mouse.sender.minus-128", MOUSE_SENDER, "return max(-most, min(most, value))", "return max(-most - 1, min(most, value))",
      "mouse.clamp.never-minus-128")
fault("mouse.sender.rest-lost", MOUSE_SENDER, "if x == 0 and y == 0:", "if True:", "mouse.split.sum")
fault("mouse.sender.scroll-in-every", MOUSE_SENDER, "y - dy, 0", "y - dy, scroll", "mouse.split.buttons", "mouse.split.sum")
fault("mouse.sender.scroll-lost", MOUSE_SENDER, "dx, dy, scroll))", "dx, dy, 0))", "mouse.split.sum", "mouse.split.buttons")
fault("mouse.sender.unsaid", MOUSE_SENDER, "if cut_x or cut_y or cut_scroll:", "if cut_x or cut_y:", "mouse.split.sum")
fault("mouse.sender.header", MOUSE_SENDER, "MOVEMENT, CONTROL = 0xAA, 0xBB", "MOVEMENT, CONTROL = 0xBB, 0xBB", "mouse.sender.form")
fault("mouse.sender.reserved", MOUSE_SENDER, "self.buttons = int(buttons) & 7", "self.buttons = int(buttons) | 8",
      "mouse.sender.form")
fault("mouse.sender.buttons-lost", MOUSE_SENDER, "MOVEMENT, self.buttons, dx", "MOVEMENT, 0, dx", "mouse.sender.form",
      "mouse.split.buttons")
fault("mouse.sender.nan", MOUSE_SENDER, 'raise Refused("no-number")', "return 0, False", "mouse.sender.not-a-number")
fault("mouse.sender.silent", MOUSE_SENDER, "self.tell(refused=str(why))", "pass", "mouse.sender.not-connected",
      "mouse.sender.not-a-number")


def patched(entry):
    """The program's text with the fault in it."""
    name, program, old, new, _, _ = entry
    text = open(os.path.join(HERE, program)).read()
    if text.count(old) != 1:
        raise SystemExit(f"{name}: the old text stands {text.count(old)} times in {program}")
    text = text.replace(old, new)
    compile(text, name, "exec")
    return text


def known():
    """The ids of all scenarios: their places under Scenarios."""
    top = os.path.join(HERE, "../../Scenarios")
    return sorted(os.path.relpath(os.path.join(folder, file), top)[:-5].replace(os.sep, ".")
                  for part in ("tele", "mouse") for folder, _, files in os.walk(os.path.join(top, part)) for file in files)


def conform(text, program, system, ids, opts, quick=False):
    """Judges a program of this text: what became of each scenario, the first thing that was wrong, an error if any."""
    with tempfile.TemporaryDirectory(prefix="fault-") as folder:
        with open(os.path.join(folder, program), "w") as file:
            file.write(text)
        with open(os.path.join(HERE, system)) as right, open(os.path.join(folder, system), "w") as file:
            file.write(right.read())
        command = [opts.telecap, "conform", "--sut", os.path.join(folder, system), "--verbose", "--time-limit", opts.budget]
        scenarios = [each for each in known() if any(fnmatch.fnmatch(each, i) or each.startswith(i + ".") for i in ids)]
        if quick:
            scenarios = [each for each in scenarios if not each.endswith((".grid", ".capture"))] or scenarios
        if ids and not scenarios:
            return {}, {}, []
        command += [word for each in scenarios for word in ("--only", each)]
        run = subprocess.run(command, capture_output=True, text=True, cwd=os.path.join(HERE, "../.."),
                             env={**os.environ, "SWIFT_BACKTRACE": "enable=no"})
    verdicts, details = {}, {}
    scenario = None
    for line in run.stdout.splitlines():
        words = line.split()
        if line.startswith("note  the rule"):
            details.setdefault(TOLD, line)
        if len(words) < 2:
            scenario = None
        elif words[0] in ("PASS", "FAIL", "ERROR", "INCONCLUSIVE", "SKIP") and "." in words[1]:
            scenario = words[1]
            verdicts.setdefault(scenario, words[0])
        elif scenario and words[0] in ("expected", "observed", "at") and details.get(scenario, "").count(" ") < 20:
            details[scenario] = details.get(scenario, "") + " ".join(words) + "; "
    return verdicts, details, run.stderr.strip().splitlines()[-1:]


RIGHT = {}


def right(system, program, ids, opts):
    """The scenarios that fail the right program too: they catch nothing. Each is tried once and remembered."""
    key = (system, ids)
    if key not in RIGHT:
        with open(os.path.join(HERE, program)) as file:
            verdicts, _, _ = conform(file.read(), program, system, ids, opts)
        RIGHT[key] = {each for each, verdict in verdicts.items() if verdict in BAD}
    return RIGHT[key]


def judge(entry, opts):
    """How one fault fared: its verdict and what stands behind it."""
    _, program, _, _, ids, system = entry
    chosen = () if opts.whole else ids
    text = patched(entry)
    verdicts, details, error = {}, {}, []
    # A look without the grids finds most; who survives it is judged by those too.
    for quick in [False] if opts.whole else [True] if opts.quick else [True, False]:
        verdicts, details, error = conform(text, program, system, chosen, opts, quick)
        caught = [each for each, verdict in verdicts.items() if verdict in BAD]
        if caught:
            caught = [each for each in caught if each not in right(system, program, chosen, opts)]
        if caught:
            return "caught", ", ".join(caught) + " | " + details.get(caught[0], "")
        if not verdicts:
            return "NOT JUDGED", "no scenario of " + ", ".join(ids) + " " + " ".join(error)
    if TOLD in details and "INCONCLUSIVE" in verdicts.values():
        return "told", details[TOLD]
    rest = [f"{each} {verdict}" for each, verdict in verdicts.items() if verdict != "PASS"]
    return "SURVIVED", ", ".join(ids) + (" | " + ", ".join(rest) if rest else "")


def main():
    p = argparse.ArgumentParser()
    p.add_argument("telecap")
    p.add_argument("--only", action="append", help="only faults whose name matches; may be repeated")
    p.add_argument("--budget", default="60s")
    p.add_argument("--whole", action="store_true", help="every scenario runs")
    p.add_argument("--quick", action="store_true", help="no grids of networks, no captures")
    p.add_argument("--check", action="store_true", help="only see that each fault can be put in")
    p.add_argument("--jobs", type=int, default=1)
    opts = p.parse_args()
    chosen = [f for f in FAULTS if any(fnmatch.fnmatch(f[0], glob) for glob in opts.only or ["*"])]
    for entry in chosen:
        patched(entry)
    if opts.check:
        print(f"{len(chosen)} faults")
        return 0
    survived = 0
    with concurrent.futures.ThreadPoolExecutor(opts.jobs) as pool:
        for entry, (verdict, why) in zip(chosen, pool.map(lambda f: judge(f, opts), chosen)):
            survived += verdict != "caught" and not (verdict == "told" and entry[0] in LIKE_A_WRONG_FILE)
            print(f"{verdict:10} {entry[0]:34} {why}", flush=True)
    print(f"{len(chosen)} faults, {survived} survived or not judged")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
