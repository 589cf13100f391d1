#!/usr/bin/env python3
"""A player of AHAP patterns, written from haptics.md alone. It reads JSON Lines on its standard input, each with its time t,
and prints what it makes of them: patterns that it is given, and what is felt when it is asked. --fault NAME puts one fault in.
"""
import argparse
import json
import re
import sys

FAULTS = ["no-clamp", "steps", "absolute-times", "defaults-zero", "silent", "plays-malformed", "forgets", "crash"]
EVENT_TYPES = ["HapticTransient", "HapticContinuous", "AudioContinuous", "AudioCustom"]
RANGES = {"HapticIntensity": (0, 1), "HapticSharpness": (0, 1), "AudioVolume": (0, 1), "AttackTime": (0, 1),
          "DecayTime": (0, 1), "ReleaseTime": (0, 1), "Sustained": (0, 1), "AudioPitch": (-1, 1), "AudioPan": (-1, 1),
          "AudioBrightness": (0, 1), "HapticIntensityControl": (0, 1), "AudioVolumeControl": (0, 1)}
KNOWN = {
    "top": {"Version", "Pattern", "Metadata"},
    "item": {"Event", "Parameter", "ParameterCurve"},
    "Event": {"Time", "EventType", "EventDuration", "EventParameters", "EventWaveformPath", "EventWaveformLoopEnabled",
              "EventWaveformUseVolumeEnvelope"},
    "Parameter": {"Time", "ParameterID", "ParameterValue"},
    "ParameterCurve": {"Time", "ParameterID", "ParameterCurveControlPoints"},
    "setting": {"ParameterID", "ParameterValue"},
    "point": {"Time", "ParameterValue"},
}


class Malformed(Exception):
    def __init__(self, **place):
        super().__init__(str(place))
        self.place = place


def clamp(value, low, high):
    return min(max(value, low), high)


class Player:
    def __init__(self, fault):
        self.fault = fault
        self.events, self.curves = [], []

    def tell(self, t, event, **more):
        print(json.dumps({"t": t, "event": event, **more}))

    # Reading.

    def read(self, t, text):
        self.found = []
        try:
            pattern = self.parse(text)
        except Malformed as error:
            if self.fault == "crash":
                raise
            self.tell(t, "finding", severity="error", **error.place)
            if self.fault == "plays-malformed":
                return self.tell(t, "read")
            if self.fault == "forgets":
                self.events, self.curves = [], []
            return self.tell(t, "refused")
        if self.fault != "silent":
            for path in self.found:
                self.tell(t, "finding", severity="warning", path=path)
        self.events, self.curves = pattern
        self.tell(t, "read")

    def parse(self, text):
        # Files in the field carry trailing commas; outside of strings a comma before a bracket is one.
        clean = re.sub(r'("(?:[^"\\]|\\.)*")|,(\s*[}\]])', lambda m: m.group(1) or " " + m.group(2), text)
        try:
            top = json.loads(clean)
        except json.JSONDecodeError as error:
            raise Malformed(line=error.lineno, column=error.colno)
        self.unknown(top, "top", "$")
        events, curves = [], []
        for index, item in enumerate(top.get("Pattern", [])):
            path = f"$.Pattern[{index}]"
            self.unknown(item, "item", path)
            for kind in ("Event", "Parameter", "ParameterCurve"):
                if kind in item:
                    inner = f"{path}.{kind}"
                    self.unknown(item[kind], kind, inner)
                    self.time(item[kind], inner)
                    if kind == "Event":
                        events.append(self.event(item[kind], inner))
                    else:
                        curves.append(self.curve(item[kind], inner))
        return events, curves

    def unknown(self, what, kind, path):
        self.found += [f"{path}.{key}" for key in what if key not in KNOWN[kind]]

    def time(self, what, path):
        if what.get("Time", 0) < 0:
            raise Malformed(path=path + ".Time")

    def value(self, what, name, path):
        low, high = RANGES.get(name, (-1, 1))
        value = what["ParameterValue"]
        if low <= value <= high:
            return value
        self.found.append(path + ".ParameterValue")
        return value if self.fault == "no-clamp" else clamp(value, low, high)

    def event(self, event, path):
        if event.get("EventType") not in EVENT_TYPES:
            raise Malformed(path=path + ".EventType")
        standard = 0 if self.fault == "defaults-zero" else 1
        felt = {"HapticIntensity": standard, "HapticSharpness": standard / 2}
        for index, setting in enumerate(event.get("EventParameters", [])):
            inner = f"{path}.EventParameters[{index}]"
            self.unknown(setting, "setting", inner)
            name = setting["ParameterID"]
            felt[name] = self.value(setting, name, inner)
        # A key that is missing is a finding; that a parameter is not among those of a list is none that the page asks for.
        if "EventParameters" not in event:
            self.found.append(path)
        duration = 0 if event["EventType"] == "HapticTransient" else min(event.get("EventDuration", 0), 30)
        return event["EventType"], event.get("Time", 0), duration, felt["HapticIntensity"], felt["HapticSharpness"]

    def curve(self, curve, path):
        start, name = curve.get("Time", 0), curve["ParameterID"]
        if "ParameterCurveControlPoints" not in curve:
            return name, start, [(start, self.value(curve, name, path))]
        points = []
        for index, point in enumerate(curve["ParameterCurveControlPoints"]):
            inner = f"{path}.ParameterCurveControlPoints[{index}]"
            self.unknown(point, "point", inner)
            begin = 0 if self.fault == "absolute-times" else start
            points.append((begin + point.get("Time", 0), self.value(point, name, inner)))
        return name, start, sorted(points)

    # Playing.

    def control(self, name, standard, t):
        value = standard
        for own, start, points in self.curves:
            if own == name and t >= min(start, points[0][0]):
                value = self.along(points, t)
        return value

    def along(self, points, t):
        for (a, low), (b, high) in zip(points, points[1:]):
            if a <= t < b:
                return low if self.fault == "steps" else low + (high - low) * (t - a) / (b - a)
        return points[0][1] if t < points[0][0] else points[-1][1]

    def felt(self, t):
        """Intensity and sharpness."""
        felt = (0.0, 0.0)
        for kind, start, duration, intensity, sharpness in self.events:
            if kind != "HapticContinuous" or not start <= t < start + duration:
                continue
            intensity *= self.control("HapticIntensityControl", 1, t)
            sharpness += self.control("HapticSharpnessControl", 0, t)
            if self.fault != "no-clamp":
                intensity, sharpness = clamp(intensity, 0, 1), clamp(sharpness, 0, 1)
            felt = max(felt, (intensity, sharpness))
        return felt

    def sample(self, t):
        intensity, sharpness = self.felt(t)
        self.tell(t, "felt", intensity=round(intensity, 3), sharpness=round(sharpness, 3))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--fault", choices=FAULTS)
    parser.add_argument("file", nargs="?", help="what it is told, in place of its standard input")
    options = parser.parse_args()
    player = Player(options.fault)
    with open(options.file) if options.file else sys.stdin as lines:
        for line in map(json.loads, lines):
            if line["do"] == "read":
                player.read(line["t"], line["text"])
            elif line["do"] == "sample":
                player.sample(line["t"])
            elif line["do"] == "end":
                break
    print(json.dumps({"event": "done"}))


if __name__ == "__main__":
    main()
