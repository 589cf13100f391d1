#!/usr/bin/env python3
"""A phone's haptic engine and its manager, written from haptics.md and semantics.md alone. It reads JSON Lines on its standard
input, each with its time t, and prints, in its own words, what it starts, plays and stops. --fault NAME puts one fault in.
"""
import argparse
import json
import math
import sys

FAULTS = ["normal-strong", "multi-border", "gradual-edges", "heavy-grows", "stays-down-on-failure", "stays-down-on-reset",
          "reads-again", "plays-unsupported", "starts-now", "plays-hot", "plays-in-low-power", "silent-play-hot"]


def pattern(name, ask, fault):
    """(offset s, duration s or None, intensity, sharpness) of each event."""
    if name == "normal":
        return [(0, None, 0.5 if fault == "normal-strong" else 0.4, 0.2)]
    if name == "multi":
        frequency, amplitude = ask["frequency"], ask["amplitude"]
        if frequency < 2 or frequency == 2 and fault != "multi-border":
            return [(0, 0.2, amplitude * 0.7, 0.3)]
        return [(0, None, amplitude * 0.6, 0.5)]
    if name == "gradual":
        top, middle = ask.get("intensity", 0.6), 0 if fault == "gradual-edges" else 0.5
        return [(i * 0.1, 0.1, top * (1 - (2 * (i + middle) / 20 - 1) ** 2), 0.4) for i in range(20)]
    order = range(1, 6) if fault == "heavy-grows" else range(5, 0, -1)
    return [(i * 0.2, 0.2, level / 5, 0.3) for i, level in enumerate(order)]


class Engine:
    def __init__(self, fault):
        self.fault = fault
        self.is_supported, self.is_made, self.is_running, self.has_session = True, False, False, False
        self.interruptions, self.patterns = set(), {}
        self.play_fails = self.start_fails = False
        self.wanted, self.output = 0.0, 0.0
        self.thermal, self.low_power = "nominal", False

    def tell(self, t, what, **more):
        print(json.dumps({"ms": round(t * 1000, 3), "what": what, **more}))

    def is_hot(self):
        return self.thermal in ("serious", "critical") and self.fault != "plays-hot"

    def start(self, t):
        if not self.is_supported or not self.is_made or self.is_running or self.interruptions:
            return
        if self.start_fails:
            self.start_fails = False
            return
        self.is_running = True
        self.tell(t, "engine up")
        self.settle(t)

    def halt(self, t):
        if self.is_running:
            self.is_running = False
            self.tell(t, "engine down")
        self.settle(t)

    def settle(self, t):
        """The motor runs at the latest value, where it may run at all."""
        may = self.is_running and self.has_session and not self.is_hot() and not self.low_power
        target = self.wanted if may else 0.0
        if target != self.output:
            self.output = target
            self.tell(t, "motor", level=round(target, 2))

    def do(self, line):
        t, do = line["t"], line["do"]
        if do == "set-up":
            self.is_supported = line["haptics"] or self.fault == "plays-unsupported"
        elif do == "prepare":
            self.is_made = self.is_supported
            self.start(t)
        elif do == "play":
            self.play(t, line)
        elif do == "session":
            self.has_session = line["is"] == "open"
            self.wanted = self.wanted if self.has_session else 0.0
            self.settle(t)
        elif do == "strength":
            value = float(line["intensity"])
            if self.has_session:
                self.wanted = 0.0 if math.isnan(value) else min(max(value, 0.0), 1.0)
                self.settle(t)
        elif do == "conditions":
            self.thermal, self.low_power = line["thermal"], line["low_power"]
            self.settle(t)
        elif do == "synchronise":
            self.synchronise(t, line)
        elif do in ("fault", "over"):
            self.suffer(t, do, line["fault"])

    def suffer(self, t, do, fault):
        if do == "over":
            self.interruptions.discard(fault)
        elif fault == "play-fails":
            self.play_fails = True
        elif fault == "start-fails":
            self.start_fails = True
        elif fault in ("reset", "system-error"):
            self.halt(t)
            if self.fault == "reads-again":
                self.patterns = {}
            if self.fault != "stays-down-on-reset":
                self.start(t)
        else:
            if fault in ("audio-session-interrupted", "application-suspended"):
                self.interruptions.add(fault)
            self.halt(t)

    def play(self, t, line):
        name = line["pattern"]
        if not self.is_supported or not self.is_made:
            return
        if name not in self.patterns:
            self.patterns[name] = True
            self.tell(t, "read", pattern=name)
        if self.is_hot():
            if self.fault == "silent-play-hot":
                self.events(t, pattern(name, line, self.fault))
            return
        if self.low_power:
            self.tell(t, "tap", strength="medium")
            if self.fault != "plays-in-low-power":
                return
        if not (self.fault == "stays-down-on-reset" or self.fault == "stays-down-on-failure" and not self.is_running):
            self.start(t)
        if not self.is_running:
            return
        if self.play_fails:
            self.play_fails = False
            self.halt(t)
            if self.fault != "stays-down-on-failure":
                self.start(t)
            return
        self.tell(t, "plays", pattern=name)
        self.events(t, pattern(name, line, self.fault))

    def events(self, t, events):
        """Each when it begins."""
        for offset, duration, intensity, sharpness in events:
            self.tell(t + offset, "buzz" if duration else "tick", **({"for_ms": 1000 * duration} if duration else {}),
                      amount=round(intensity, 3), edge=sharpness)

    def synchronise(self, t, line):
        target = 0.0 if self.fault == "starts-now" else line["delta"]
        late = {"audio": line["audio_latency"], "haptic": line["haptic_latency"]}
        begin = {name: max(0.0, target - late.get(name, 0.0)) for name in ("display", "audio", "haptic")}
        self.tell(t, "armed", at=begin)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--fault", choices=FAULTS)
    parser.add_argument("file", help="what it is told")
    options = parser.parse_args()
    engine = Engine(options.fault)
    with open(options.file) as lines:
        for line in map(json.loads, lines):
            engine.do(line)
    print("all done")


if __name__ == "__main__":
    main()
