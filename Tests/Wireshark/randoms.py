"""Random and damaged messages as a pcap file: datagrams of all protocols, and streams over TCP cut into pieces at random."""
import random
import struct
import zlib

PORTS = [50000, 50001, 8888, 26760]
PCAPNG_PACKET = 6


def payloads(path):
    """The UDP payloads of a pcapng file with Ethernet frames."""
    with open(path, "rb") as file:
        data = file.read()
    at = 0
    while at + 12 <= len(data):
        kind, length = struct.unpack_from("<II", data, at)
        if kind == PCAPNG_PACKET:
            count = struct.unpack_from("<I", data, at + 20)[0]
            frame = data[at + 28 : at + 28 + count]
            if len(frame) > 42 and frame[23] == 17:
                yield frame[42:]
        at += length


def dsu(rng):
    """A message of DSU with a right checksum, mostly."""
    kind = rng.choice([0x100000, 0x100001, 0x100002])
    sizes = {0x100000: [0, 2], 0x100001: [4, 5, 8, 12], 0x100002: [8, 80]}
    body = struct.pack("<I", kind) + rng.randbytes(rng.choice(sizes[kind]))
    magic = rng.choice([b"DSUS", b"DSUC"])
    head = magic + struct.pack("<HHII", 1001, len(body), 0, rng.getrandbits(32))
    return head[:8] + struct.pack("<I", zlib.crc32(head + body)) + head[12:] + body


NUMBERS = [struct.pack("<f", value) for value in (0, -0.0, 1, 1.0000001, -1e-7, float("nan"), float("inf"), -float("inf"))]
JSONS = [
    b"{}", b"[]", b'{"a":[1,2,{"b":null}]}', b'{"a":01}', b'{"a":"\\ud800"}', b'{"a":"\xff"}', b'{"a":1,}', b"{" * 70,
    b'{"a":"\xc0\x80"}', b'{"a":"\xed\xa0\x80"}', b'{"a":"\xf0\x90\x80\x80"}', b'{"a":"\xf4\x90\x80\x80"}', b' {"a":1e5,"b":-0.5E+3} ',
    b'{"a":-}', b'{"a":[,]}', b'{"a":' * 63 + b"1" + b"}" * 63, b'{"a":' * 64 + b"1" + b"}" * 64, b'{"\xe0\xa0\x80":true}',
]


def config(rng):
    text = rng.choice(JSONS)
    return b"TELE\x09\x01" + struct.pack("<H", len(text)) + text


def beacon(rng):
    name = bytes(rng.choice(b"abcXYZ019_- .") for _ in range(rng.randrange(24)))
    return b"TELE\x08\x01" + struct.pack("<HB", 50000, 1) + bytes([len(name)]) + name


def damaged(message, rng):
    """The message with something wrong with it, or none."""
    data = bytearray(message)
    for _ in range(rng.randrange(3)):
        act = rng.randrange(7)
        if act == 0 and data:
            data[rng.randrange(len(data))] = rng.randrange(256)
        elif act == 1 and data:
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        elif act == 2:
            del data[rng.randrange(len(data) + 1) :]
        elif act == 3:
            data += rng.randbytes(rng.randrange(1, 20))
        elif act == 4 and len(data) >= 4:
            at = rng.randrange(len(data) - 3)
            data[at : at + 4] = rng.choice(NUMBERS)
        elif act == 5 and len(data) > 5:
            data[4] = rng.randrange(16)
        elif act == 6 and len(data) > 6:
            at = rng.randrange(6, len(data))
            data[at] = rng.choice([0, 1, 2, 127, 128, 255])
    return bytes(data)


def ip(protocol, body, number):
    head = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(body), number & 0xFFFF, 0, 64, protocol, 0, b"\x7f\0\0\1", b"\x7f\0\0\1")
    return b"\0" * 12 + b"\x08\0" + head + body


def datagram(source, destination, payload, number):
    return ip(17, struct.pack(">HHHH", source, destination, 8 + len(payload), 0) + payload, number)


def segment(source, destination, sequence, flags, payload, number):
    return ip(6, struct.pack(">HHIIBBHHH", source, destination, sequence, 1, 0x50, flags, 65535, 0, 0) + payload, number)


def streams(samples, count, rng):
    """Segments of streams: framed messages of TELE, packets of the mouse with something between."""
    for place in range(count):
        client = 20000 + place
        is_mouse = place % 2 == 1
        port = 8889 if is_mouse else 50000
        bytes_, behind = bytearray(), []
        for _ in range(30):
            message = damaged(rng.choice(samples), rng)
            if is_mouse:
                bytes_ += rng.choice([b"\xaa", b"\xbb"]) + rng.randbytes(4)
                if rng.random() < 0.2:
                    bytes_ += bytes(rng.choice(b"\0\1\2\3") for _ in range(rng.randrange(4)))
            elif len(message) >= 6:
                bytes_ += struct.pack("<H", len(message)) + message
        if not is_mouse and place % 4 == 0:
            bytes_ += struct.pack("<H", rng.randrange(6)) + rng.randbytes(9)
            # Whole messages behind it, in segments of their own: nobody can know that they are messages.
            behind = [struct.pack("<H", 12) + b"TELE\x07\x01" + struct.pack("<fBB", 0.5, 0, 0)] * 3
        elif is_mouse:
            # Ends with a whole packet: what is passed over at a stream's end shows only then.
            bytes_ += b"\xaa\0\0\0\0"
        # From the host as well as to it: where the sender is the wrong one is found too.
        source, destination = (port, client) if place % 4 == 2 else (client, port)
        yield segment(source, destination, 999, 2, b"", 0)
        at = 0
        while at < len(bytes_):
            size = rng.choice([1, 2, 3, 7, 16, 40, 200])
            yield segment(source, destination, 1000 + at, 0x18, bytes(bytes_[at : at + size]), 0)
            at += len(bytes_[at : at + size])
        for message in behind:
            yield segment(source, destination, 1000 + at, 0x18, message, 0)
            at += len(message)


def write(path, captures, count, seed):
    """`count` datagrams made from those of the captures, and streams."""
    rng = random.Random(seed)
    samples = [payload for capture in captures for payload in payloads(capture)]
    frames = []
    for number in range(count):
        choice = rng.randrange(10)
        if choice < 5:
            message, port = rng.choice(samples), rng.choice([50000, 50000, 50000, 8888])
        elif choice < 7:
            message, port = dsu(rng), 26760
        elif choice == 7:
            message, port = config(rng), 50000
        elif choice == 8:
            message, port = beacon(rng), 50001
        else:
            message, port = rng.randbytes(rng.randrange(60)), rng.choice(PORTS)
        ends = (40000 + number % 7, port)
        frames.append(datagram(*rng.choice([ends, ends[::-1], (port, port)]), damaged(message, rng), number))
    frames += streams(samples, max(8, count // 500), rng)
    with open(path, "wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, 1))
        for number, frame in enumerate(frames):
            file.write(struct.pack("<IIII", 1700000000 + number // 100, number % 100 * 10000, len(frame), len(frame)) + frame)
