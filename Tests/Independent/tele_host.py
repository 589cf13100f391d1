#!/usr/bin/env python3
"""A TELE host over UDP (udp-v1) and TCP (tcp-v1), written from tele.md and semantics.md alone.

Where the pages leave a choice there is an option for it; every value of every option is right.
"""
import argparse
import json
import math
import os
import selectors
import signal
import socket
import struct
import sys
import time

MAGIC = b"TELE"
HELLO, ACK, POSE, BYE, CMD, HAPTIC = 1, 2, 3, 4, 5, 7
SIZES = {HELLO: 18, POSE: 46, BYE: 10, CMD: 8}
OK, BAD_CODE, BUSY, VERSION_UNSUPPORTED = 0, 1, 2, 3
COMMANDS = {1: "recording", 2: "keep"}
SILENCE = 3.0
HELLO_WITHIN = 5.0
LONGEST_FRAME = 1024


def options():
    p = argparse.ArgumentParser()
    p.add_argument("--udp", type=int, default=int(os.environ.get("TELE_UDP", 0)))
    p.add_argument("--tcp", type=int, default=int(os.environ.get("TELE_TCP", 0)))
    p.add_argument("--code", default=os.environ.get("TELE_CODE", "ABC123"))
    p.add_argument("--haptic", action="store_true", help="sends forces, 20 a second")
    p.add_argument("--print", dest="form", choices=["json", "text"], default="json")
    p.add_argument("--decimals", type=int, help="numbers are rounded to so many decimals")
    p.add_argument("--slow-start", type=float, default=0, help="takes so many seconds before it listens")
    p.add_argument("--microseconds", action="store_true", help="times are whole microseconds")
    p.add_argument("--no-seq", action="store_true", help="a pose is printed without its seq")
    p.add_argument("--strict-length", action="store_true", help="datagrams with trailing bytes are dropped")
    p.add_argument("--tcp-trailing", choices=["read", "drop", "close"], default="read")
    p.add_argument("--same-address", choices=["open", "refuse"], default="open")
    p.add_argument("--odd-quaternion", choices=["apply", "drop"], default="apply")
    p.add_argument("--wrong-code-while-busy", choices=["bad-code", "busy"], default="bad-code")
    p.add_argument("--conflate", action="store_true", help="applies only the newest pose, 30 times a second")
    p.add_argument("--dual-stack", action="store_true", help="takes IPv4 and IPv6 on the same sockets")
    p.add_argument("--log-every", type=float, default=0, help="what it prints leaves it every so many seconds")
    p.add_argument("--other-version", choices=["drop", "answer"], default="drop")
    return p.parse_args()


class Peer:
    """Somebody who speaks to us: an address over UDP, a connection over TCP."""

    def __init__(self, sock, address, tcp):
        self.sock, self.address, self.tcp = sock, address, tcp
        self.since = time.monotonic()
        self.bytes = b""
        self.ended = False
        self.greeted = False

    def key(self):
        return self.sock if self.tcp else self.address

    def name(self):
        host, port = self.address[:2]
        return "[%s]:%d" % (host, port) if ":" in host else "%s:%d" % (host, port)

    def send(self, message):
        try:
            if self.tcp:
                self.sock.send(struct.pack("<H", len(message)) + message)
            else:
                self.sock.sendto(message, self.address)
        except OSError:
            pass


class Host:
    def __init__(self, opts):
        self.o = opts
        self.client = None
        self.session = 0
        self.newest = None
        self.heard = 0.0
        self.next_haptic = 0.0
        self.waiting = None
        self.next_apply = 0.0
        self.started = time.monotonic()
        self.connections = {}
        self.ends = False
        self.lines, self.next_log = [], 0.0

    # What it prints.

    def say(self, line):
        if self.o.log_every:
            self.lines.append(line)
        else:
            print(line, flush=True)

    def log(self, last=False):
        """Lets go of what waits, when it is time."""
        if self.lines and (last or time.monotonic() >= self.next_log):
            print("\n".join(self.lines), flush=True)
            self.lines, self.next_log = [], time.monotonic() + self.o.log_every

    def tell(self, what, **values):
        def short(v):
            if isinstance(v, list):
                return [short(x) for x in v]
            return round(v, self.o.decimals) if isinstance(v, float) and self.o.decimals is not None else v
        if self.o.form == "json":
            self.say(json.dumps({"did": what, **{k: short(v) for k, v in values.items()}}))
        else:
            self.say(" ".join([what, *(f"{k}={short(v)}" for k, v in values.items())]))

    # The session.

    def close(self, why):
        client, self.client, self.waiting = self.client, None, None
        self.tell("released", client=client.name(), session=self.session, why=why)
        if client.tcp:
            client.ended = True

    def open(self, peer, session):
        self.client, self.session, self.newest = peer, session, None
        self.next_haptic = time.monotonic()
        self.tell("accepted", client=peer.name(), session=session)

    def expire(self):
        now = time.monotonic()
        if self.client and not self.client.tcp and now - self.heard >= SILENCE:
            self.close("timeout")

    def is_client(self, peer):
        return self.client is not None and self.client.tcp == peer.tcp and self.client.key() == peer.key()

    def ack(self, peer, status):
        message = MAGIC + bytes([ACK, 1, status, 0])
        if peer.tcp:
            message += bytes([1, 1, 0, 0])
        peer.send(message)
        if peer.tcp and status != OK and not self.is_client(peer):
            peer.ended = True

    # Messages.

    def message(self, peer, data):
        """One datagram, or the inside of one frame."""
        self.expire()
        if len(data) < 6:
            peer.ended = True
            return
        if data[:4] != MAGIC:
            peer.ended = True
            return
        kind, version = data[4], data[5]
        if kind not in SIZES or len(data) < SIZES[kind]:
            return
        if version != 1:
            if kind == HELLO and self.o.other_version == "answer":
                self.ack(peer, VERSION_UNSUPPORTED)
            return
        if len(data) > SIZES[kind]:
            if peer.tcp and self.o.tcp_trailing != "read":
                peer.ended = peer.ended or self.o.tcp_trailing == "close"
                return
            if not peer.tcp and self.o.strict_length:
                return
        if kind == HELLO:
            self.hello(peer, data)
        elif self.is_client(peer):
            {POSE: self.pose, BYE: self.bye, CMD: self.command}[kind](data)

    def hello(self, peer, data):
        session, code = struct.unpack_from("<I6s", data, 6)
        if code != self.o.code.encode():
            another = self.client is not None and not self.is_client(peer)
            busy = another and self.o.wrong_code_while_busy == "busy"
            self.ack(peer, BUSY if busy else BAD_CODE)
        elif self.client is None:
            self.heard = time.monotonic()
            self.open(peer, session)
            peer.greeted = True
            self.ack(peer, OK)
        elif not self.is_client(peer):
            self.ack(peer, BUSY)
        elif session == self.session:
            self.heard = time.monotonic()
            self.ack(peer, OK)
        elif peer.tcp or self.o.same_address == "refuse":
            self.ack(peer, BUSY)
        else:
            self.heard = time.monotonic()
            self.close("replaced")
            self.open(peer, session)
            self.ack(peer, OK)

    def pose(self, data):
        seq, stamp, flags = struct.unpack_from("<HQB", data, 6)
        numbers = list(struct.unpack_from("<7f", data, 18))
        if not all(math.isfinite(n) for n in numbers):
            return
        self.heard = time.monotonic()
        if self.newest is not None and not 1 <= (seq - self.newest) % 65536 <= 32767:
            return
        norm = math.sqrt(sum(n * n for n in numbers[3:]))
        if abs(norm - 1) > 1e-3 and self.o.odd_quaternion == "drop":
            return
        self.newest = seq
        shown = {} if self.o.no_seq else {"seq": seq}
        at = {"at_us": stamp} if self.o.microseconds else {"at_ms": stamp / 1000}
        self.waiting = dict(**shown, **at, start=bool(flags & 1), position=numbers[:3], turn=numbers[3:])
        if not self.o.conflate:
            self.apply()

    def apply(self):
        """Goes by the newest pose."""
        if self.waiting:
            self.tell("moved", **self.waiting)
        self.waiting = None

    def bye(self, data):
        if struct.unpack_from("<I", data, 6)[0] == self.session:
            self.close("bye")

    def command(self, data):
        kind, value = data[6], data[7]
        if kind in COMMANDS and value in (0, 1):
            self.heard = time.monotonic()
            self.tell("pressed", button=COMMANDS[kind], down=value == 1)

    def force(self):
        """Sends HAPTIC when it is time."""
        now = time.monotonic()
        if not self.o.haptic or self.client is None or now < self.next_haptic:
            return
        strength = 0.5 + 0.5 * math.sin(2 * math.pi * (now - self.started))
        strength = min(1.0, max(0.0, strength))
        self.client.send(MAGIC + bytes([HAPTIC, 1]) + struct.pack("<fBB", strength, 0, 0))
        self.next_haptic = max(self.next_haptic + 0.05, now + 0.04)

    # Sockets.

    def take(self, peer, piece):
        """The next bytes of a connection."""
        peer.bytes += piece
        while not peer.ended and len(peer.bytes) >= 2:
            length = struct.unpack_from("<H", peer.bytes)[0]
            if length < 6 or length > LONGEST_FRAME:
                peer.ended = True
                return
            if len(peer.bytes) < 2 + length:
                return
            frame, peer.bytes = peer.bytes[2:2 + length], peer.bytes[2 + length:]
            self.message(peer, frame)

    def run(self):
        time.sleep(self.o.slow_start)
        wait = selectors.DefaultSelector()
        family, place = (socket.AF_INET6, "::") if self.o.dual_stack else (socket.AF_INET, "127.0.0.1")
        udp, tcp = socket.socket(family, socket.SOCK_DGRAM), socket.socket(family)
        if self.o.dual_stack:
            for sock in (udp, tcp):
                sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        udp.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        udp.bind((place, self.o.udp))
        tcp.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        tcp.bind((place, self.o.tcp))
        tcp.listen()
        for sock in (udp, tcp):
            sock.setblocking(False)
            wait.register(sock, selectors.EVENT_READ)
        print("host listens on UDP %d and TCP %d" % (udp.getsockname()[1], tcp.getsockname()[1]),
              file=sys.stderr, flush=True)
        while not self.ends:
            ready = [key.fileobj for key, _ in wait.select(0.01)]
            for sock in ready:
                try:
                    if sock is udp:
                        data, address = udp.recvfrom(65536)
                        self.message(Peer(udp, address, False), data)
                    elif sock is tcp:
                        connection, address = tcp.accept()
                        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                        self.connections[connection] = Peer(connection, address, True)
                        wait.register(connection, selectors.EVENT_READ)
                    else:
                        piece = sock.recv(65536)
                        self.take(self.connections[sock], piece)
                        if not piece:
                            self.connections[sock].ended = True
                except OSError:
                    if sock in self.connections:
                        self.connections[sock].ended = True
            self.expire()
            if time.monotonic() >= self.next_apply:
                self.apply()
                self.next_apply = time.monotonic() + 1 / 30
            self.force()
            self.log()
            for sock, peer in list(self.connections.items()):
                if not peer.greeted and time.monotonic() - peer.since > HELLO_WITHIN:
                    peer.ended = True
                if peer.ended:
                    if self.is_client(peer):
                        self.close("disconnected")
                    wait.unregister(sock)
                    sock.close()
                    del self.connections[sock]
        self.log(last=True)
        if self.client and self.client.tcp:
            self.client.send(MAGIC + bytes([BYE, 1]) + struct.pack("<I", self.session))


host = Host(options())
signal.signal(signal.SIGTERM, lambda *_: setattr(host, "ends", True))
host.run()
