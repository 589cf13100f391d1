#!/usr/bin/env python3
"""What traces touches, written from touch.md alone. It reads JSON Lines on its standard input, each with its time t: the views
on the screen, then samples of touches; it prints what is felt and what is handed on. --fault NAME puts one fault in.
"""
import argparse
import json
import math
import sys

FAULTS = ["threshold-inclusive", "unlatched", "light-taps", "medium-first", "edges-in-only", "ten-points", "second-finger",
          "traces-without-pressure", "no-began", "feels-glass"]
THRESHOLD, SCROLLS_FROM = 2.0, 1.0
TEXTURES = {"button": "low-edges", "scroll": "scrolly"}
GRAIN = {"light-grain": 10, "grainy": 5, "scrolly": 5}


class View:
    """A view, with its place on the screen."""

    def __init__(self, json, parent=None):
        x, y, self.w, self.h = json["frame"]
        self.x, self.y = (x + parent.x, y + parent.y) if parent else (x, y)
        self.name, self.kind, self.parent = json["name"], json.get("kind", "plain"), parent
        self.texture = json.get("texture") or TEXTURES.get(self.kind)
        self.threshold = json.get("threshold", parent.threshold if parent else THRESHOLD)
        self.children = [View(child, self) for child in json.get("children", [])]

    def at(self, x, y):
        if not (self.x <= x < self.x + self.w and self.y <= y < self.y + self.h):
            return None
        return next((hit for child in reversed(self.children) if (hit := child.at(x, y))), self)

    def move(self, dx, dy):
        for child in self.children:
            child.x, child.y = child.x + dx, child.y + dy
            child.move(dx, dy)


class Touch:
    def __init__(self, x, y):
        self.x = self.y = None
        self.impact_at = self.last = (x, y)
        self.control = self.over = None
        self.is_pressed, self.medium_next = False, False


class Tracer:
    def __init__(self, fault):
        self.fault, self.touches, self.first = fault, {}, None

    def tell(self, t, event, **more):
        print(json.dumps({"t": t, "event": event, **more}))

    def set_up(self, line):
        self.screen = View(line["views"])
        self.has_pressure = line["pressure"] or self.fault == "traces-without-pressure"

    def handler(self, view):
        """The first in the chain of responders that handles tracing."""
        while view and not view.texture:
            view = view.parent
        return view

    def sample(self, t, phase, x, y, force, finger):
        view, is_last = self.screen.at(x, y), phase in ("ended", "cancelled")
        if phase == "began":
            self.touches[finger] = touch = Touch(x, y)
            touch.over = self.handler(view)
            touch.medium_next = self.fault == "medium-first"
            touch.control = None if self.has_pressure else view
            touch.is_pressed = not self.has_pressure
            if self.first is None:
                self.first = finger
        touch = self.touches.get(finger)
        if touch is None:
            return
        if self.fault == "unlatched" and self.has_pressure and touch.is_pressed and not is_last and force <= 1:
            touch.is_pressed = False
        if touch.is_pressed:
            self.hand_on(t, phase, touch.control)
        elif not is_last and self.is_deep(force, view):
            touch.is_pressed, touch.control = True, view
            if self.fault != "no-began":
                self.hand_on(t, "began", view)
        elif not is_last and (finger == self.first or self.fault == "second-finger"):
            self.trace(t, touch, view, x, y, force, phase)
        elif is_last and self.fault == "light-taps":
            self.hand_on(t, "began", view)
            self.hand_on(t, "ended", view)
        touch.last = (x, y)
        if is_last:
            del self.touches[finger]
            if self.first == finger:
                self.first = None

    def is_deep(self, force, view):
        threshold = view.threshold if view else THRESHOLD
        return force >= threshold if self.fault == "threshold-inclusive" else force > threshold

    def hand_on(self, t, phase, view):
        self.tell(t, "handed-on", phase=phase, view=view.name if view else "")

    def trace(self, t, touch, view, x, y, force, phase):
        felt = self.handler(view)
        if phase == "began":
            return
        if felt is not touch.over:
            for left, way in ((touch.over, "out"), (felt, "in")):
                if left and (way == "in" or self.fault != "edges-in-only"):
                    style = {"low-edges": "light", "high-edges": "medium"}.get(left.texture)
                    if style:
                        self.tell(t, "impact", style=style)
            touch.over = felt
        distance = GRAIN.get(felt.texture if felt else None)
        if self.fault == "feels-glass" and felt and felt.texture == "smooth":
            distance = 5
        if self.fault == "ten-points" and distance:
            distance = 10
        if felt and felt.kind == "scroll" and force > SCROLLS_FROM:
            dx, dy = x - touch.last[0], y - touch.last[1]
            felt.move(dx, dy)
            self.tell(t, "scrolled", view=felt.name, x=dx, y=dy)
            # A coarser texture while it scrolls.
            distance = 10
        if distance and math.dist(touch.impact_at, (x, y)) > distance:
            style = "medium" if felt.texture == "scrolly" and touch.medium_next else "light"
            touch.medium_next = not touch.medium_next if felt.texture == "scrolly" else touch.medium_next
            touch.impact_at = (x, y)
            self.tell(t, "impact", style=style)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--fault", choices=FAULTS)
    parser.add_argument("file", nargs="?", help="what it is told, in place of its standard input")
    options = parser.parse_args()
    tracer = Tracer(options.fault)
    with open(options.file) if options.file else sys.stdin as lines:
        for line in map(json.loads, lines):
            if line["do"] == "set-up":
                tracer.set_up(line)
            elif line["do"] == "touch":
                tracer.sample(line["t"], line["phase"], line["x"], line["y"], line["force"], line["finger"])
    print(json.dumps({"event": "done"}))


if __name__ == "__main__":
    main()
