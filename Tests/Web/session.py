"""Recordings for the tests of the pages, made byte by byte: a TELE session that loses its haptics, as a pcap file of raw IP."""
import math
import random
import struct

PHONE, HOST = ("192.0.2.2", 40001), ("192.0.2.1", 50000)
RAW_IP = 101


def header(kind):
    return b"TELE" + struct.pack("<BB", kind, 1)


def hello(session, code=b"ABC123"):
    return header(1) + struct.pack("<I6sH", session, code, 0)


def ack(status=0):
    return header(2) + struct.pack("<BB", status, 0)


def pose(seq, milliseconds, t):
    turn = t * 0.7
    return header(3) + struct.pack(
        "<HQBBfffffff", seq & 0xFFFF, int(milliseconds * 1000), 0, 0, 0.2 * math.sin(t), 0.1 * math.cos(1.7 * t),
        0.3 + 0.05 * math.sin(3 * t), 0, math.sin(turn / 2), 0, math.cos(turn / 2))


def haptic(intensity):
    return header(7) + struct.pack("<fBB", intensity, 0, 0)


def cmd(kind, value):
    return header(5) + struct.pack("<BB", kind, value)


def packet(payload, source, destination):
    udp = struct.pack("!HHHH", source[1], destination[1], 8 + len(payload), 0) + payload
    address = lambda end: bytes(int(part) for part in end[0].split("."))
    ip = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(udp), 0, 0, 64, 17, 0) + address(source) + address(destination)
    total = sum(struct.unpack("!10H", ip))
    total = (total & 0xFFFF) + (total >> 16)
    checksum = ~((total & 0xFFFF) + (total >> 16)) & 0xFFFF
    return ip[:10] + struct.pack("!H", checksum) + ip[12:] + udp


def write(path, packets):
    """Packets are (seconds, payload, source, destination)."""
    with open(path, "wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 262144, RAW_IP))
        for seconds, payload, source, destination in sorted(packets, key=lambda one: one[0]):
            frame = packet(payload, source, destination)
            nanoseconds = int(round((1_767_600_000 + seconds) * 1e9))
            file.write(struct.pack("<IIII", nanoseconds // 10**9, nanoseconds % 10**9, len(frame), len(frame)))
            file.write(frame)


def lost_haptics(seconds=60, seed=7):
    """The host's haptics stop at 22 s while its ACKs go on; at 41 s all of the host falls silent, and the phone gives up."""
    dice = random.Random(seed)
    packets = []
    up = lambda t, payload: packets.append((t + abs(dice.gauss(0.002, 0.002)), payload, PHONE, HOST))
    down = lambda t, payload: packets.append((t + abs(dice.gauss(0.002, 0.001)), payload, HOST, PHONE))
    for second in range(44):
        up(second, hello(1))
        if second < 41:
            packets.append((second + 0.004 + abs(dice.gauss(0.003, 0.003)), ack(), HOST, PHONE))
    up(1.5, cmd(1, 1))
    up(33.5, cmd(1, 0))
    for number in range(int(44 * 60)):
        t = number / 60
        draw = dice.random()
        if draw < 0.01:
            continue
        late = 0.05 if draw > 0.995 else 0
        up(t + 0.05 + late, pose(number, t * 1000, t))
        if 0.98 < draw < 0.985:
            up(t + 0.06, pose(number, t * 1000, t))
    for number in range(22 * 20):
        t = number / 20
        value = 0.5 + 0.45 * math.sin(t * 1.3)
        down(t + 0.1, haptic(1.05 if number == 210 else value))
    for second in range(48, seconds):
        up(second, hello(2))
        packets.append((second + 0.006, ack(2), HOST, PHONE))
    return packets


def many_sessions(count=60):
    """One host and so many phones one after the other, each for a while; the later the longer."""
    packets, start = [], 0
    for number in range(count):
        length, phone = 2 + number / 10, (f"192.0.2.{number + 10}", 40001)
        for tick in range(int(length * 20)):
            t = start + tick / 20
            if tick % 20 == 0:
                packets.append((t, hello(number + 1), phone, HOST))
                packets.append((t + 0.005, ack(), HOST, phone))
            packets.append((t + 0.01, pose(tick, tick * 50, t), phone, HOST))
            packets.append((t + 0.02, haptic(0.5 + 0.4 * math.sin(t)), HOST, phone))
        start += length + 4
    return packets
