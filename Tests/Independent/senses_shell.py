#!/usr/bin/env python3
"""A core with its shell, written from haptics.md and semantics.md alone: events become a picture, a sound and a touch. It is told by
JSON Lines on its standard input and prints, in its own words, what each sense gets of what it drains. --fault NAME puts one fault in.
"""
import argparse
import json
import sys

sys.dont_write_bytecode = True  # nothing is left beside the tests
from sound_space import Space  # noqa: E402

FAULTS = ["far-as-near", "weak-as-strong", "dull-crack", "sharp-rumble", "twice", "latest-only", "backwards", "too-early",
          "feels-hot", "places-hot", "sounds-critical", "all-particles", "pattern-in-low-power", "never-mixes"]
PARTICLES = {"nominal": "all", "fair": "fewer", "serious": "fewer", "critical": "minimal"}


class Shell:
    def __init__(self, fault):
        self.fault = fault
        self.has_haptics, self.space = True, None
        self.thermal, self.low_power, self.category = "nominal", False, "playback"
        self.count, self.coming, self.happened, self.last = 0, [], [], []

    def tell(self, t, number, what, **more):
        print(json.dumps({"at": t, "event": number, "what": what, **more}))

    def do(self, line):
        do = line["do"]
        if do == "set-up":
            self.has_haptics, self.space = line["haptics"], Space(line["space"], None)
        elif do == "listener":
            self.space.listener = line
        elif do in ("explosion", "ring"):
            self.count += 1
            self.coming.append((self.count, line))
        elif do == "tick":
            self.tick()
        elif do == "drain":
            self.drain(line["t"])
        elif do == "conditions":
            self.thermal, self.low_power = line["thermal"], line["low_power"]
        elif do == "category":
            self.category = line["is"]

    def tick(self):
        self.happened, self.coming = self.happened + self.coming, []

    def drain(self, t):
        if self.fault == "too-early":
            self.tick()
        drained, self.happened = self.happened, []
        if self.fault == "twice" and not drained:
            drained = self.last
        self.last = drained
        if self.fault == "latest-only":
            drained = drained[-1:]
        if self.fault == "backwards":
            drained = drained[::-1]
        for number, event in drained:
            if event["do"] == "ring":
                self.tell(t, number, "ring seen", whole=event["integrity"])
            else:
                self.explode(t, number, event)

    def explode(self, t, number, event):
        particles = "all" if self.fault == "all-particles" else PARTICLES[self.thermal]
        self.tell(t, number, "burst seen", particles=particles)
        left, right, _ = self.space.heard(event["position"])
        energy, gain = event["energy"], (left * left + right * right) ** 0.5
        music = "silenced" if self.category == "playback" or self.fault == "never-mixes" else "mixed"
        is_hot = self.thermal in ("serious", "critical")
        if is_hot and self.fault != "places-hot":
            left = right = 0.7
        if self.thermal != "critical" or self.fault == "sounds-critical":
            how = "flat" if is_hot and self.fault != "places-hot" else "spatial"
            self.tell(t, number, "heard", how=how, ears=[round(energy * left, 3), round(energy * right, 3)], music=music)
        if not self.has_haptics or is_hot and self.fault != "feels-hot":
            return
        if self.low_power:
            self.tell(t, number, "tap felt", style="medium")
            if self.fault != "pattern-in-low-power":
                return
        dull, sharp = event["sharpness"]
        strength = (1 if self.fault == "weak-as-strong" else energy) * (1 if self.fault == "far-as-near" else gain)
        self.tell(t, number, "pattern felt", strength=round(min(1, strength), 3),
                  sharp=dull if self.fault == "dull-crack" else sharp, dull=sharp if self.fault == "sharp-rumble" else dull)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--fault", choices=FAULTS)
    shell = Shell(parser.parse_args().fault)
    for line in map(json.loads, sys.stdin):
        shell.do(line)
    print("that is all")


if __name__ == "__main__":
    main()
