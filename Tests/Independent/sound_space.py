#!/usr/bin/env python3
"""Places sounds in space, written from haptics.md and semantics.md alone. It is told by JSON Lines on its standard input, each with
its time t, and prints how each source is heard. --fault NAME puts one fault in.
"""
import argparse
import json
import math
import sys

FAULTS = ["square", "linear-from-zero", "no-rolloff", "louder-than-full", "fades-forever", "metres", "left-is-right",
          "by-azimuth", "no-delay", "with-listener", "head-on-speakers", "places-stereo"]


def turned(quaternion, vector):
    """The vector turned by a unit quaternion [w, x, y, z]."""
    w, x, y, z = quaternion
    a, b, c = vector
    return [
        (1 - 2 * (y * y + z * z)) * a + 2 * (x * y - w * z) * b + 2 * (x * z + w * y) * c,
        2 * (x * y + w * z) * a + (1 - 2 * (x * x + z * z)) * b + 2 * (y * z - w * x) * c,
        2 * (x * z - w * y) * a + 2 * (y * z + w * x) * b + (1 - 2 * (x * x + y * y)) * c,
    ]


def back(quaternion):
    w, x, y, z = quaternion
    return [w, -x, -y, -z]


class Space:
    def __init__(self, space, fault):
        self.fault = fault
        self.scale = 1 if fault == "metres" else space["scale"]
        self.has_headset = space["output"] == "headset"
        self.law, self.rolloff = space["distance"], space["rolloff"]
        self.reference, self.maximum = space["reference"], space["maximum"]
        self.listener = {"position": [0, 0, 0], "camera": [1, 0, 0, 0], "head": [1, 0, 0, 0]}

    def gain(self, r):
        ref = self.reference
        if self.fault == "louder-than-full" and r < ref:
            return ref / max(r, 0.001)
        held = max(ref, r if self.fault == "fades-forever" else min(r, self.maximum))
        if self.law == "linear":
            start = 0 if self.fault == "linear-from-zero" else ref
            return max(0, 1 - self.rolloff * (held - start) / (self.maximum - start))
        if self.law == "exponential":
            return (held / ref) ** -(1 if self.fault == "no-rolloff" else self.rolloff)
        gain = ref / (ref + self.rolloff * (held - ref))
        return gain * gain if self.fault == "square" else gain

    def heard(self, position):
        """Left, right, and by how many s the left ear hears later."""
        there = [self.scale * (a - b) for a, b in zip(position, self.listener["position"])]
        turns = [self.listener["camera"]]
        if self.has_headset or self.fault == "head-on-speakers":
            turns.append(self.listener["head"])
        for turn in turns:
            there = turned(turn if self.fault == "with-listener" else back(turn), there)
        x, _, z = there
        r = math.hypot(*there)
        side = x / r if r else 0.0
        if self.fault == "by-azimuth":
            side = max(-1.0, min(1.0, math.atan2(x, -z) / (math.pi / 2)))
        if self.fault == "left-is-right":
            side = -side
        angle = math.pi / 4 * (1 + side)
        late = 0.0875 / 343 * (math.asin(max(-1, min(1, side))) + side) if self.has_headset else 0.0
        gain = self.gain(r)
        return gain * math.cos(angle), gain * math.sin(angle), 0.0 if self.fault == "no-delay" else late


def tell(t, event, **more):
    print(json.dumps({"t": round(t, 6), "event": event, **more}))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--fault", choices=FAULTS)
    options = parser.parse_args()
    space = None
    for line in map(json.loads, sys.stdin):
        if line["do"] == "set-up":
            space = Space(line["space"], options.fault)
        elif line["do"] == "listener":
            space.listener = line
        elif line["do"] == "source" and line["channels"] > 1 and options.fault != "places-stereo":
            tell(line["t"], "unplaced", left=1, right=1)
        elif line["do"] == "source":
            left, right, late = space.heard(line["position"])
            tell(line["t"], "placed", left=round(left, 4), right=round(right, 4), delay=round(late, 7))
    print(json.dumps({"event": "done"}))


if __name__ == "__main__":
    main()
