#!/usr/bin/env python3
"""Makes the scenarios of haptic engines, players of patterns and tracers of touches that are called `everywhere`: long runs with
all kinds of events in them, so that what is wrong on some occasions only is met. What they expect is what the independent
programs of this folder do, and not what telecap's models do. The same numbers come out each time.

    device_scenes.py FOLDER    writes them under FOLDER, which is that of the scenarios
"""
import json
import os
import random
import sys

from ahap_player import Player
from haptic_engine import Engine, pattern
from touch_tracer import Tracer

BY = "# Made by Tests/Independent/device_scenes.py, from what the independent program does.\n"


def time(seconds):
    """20ms, 1.5s."""
    ms = round(seconds * 1000)
    return f"{ms}ms" if ms % 100 else f"{ms // 100 / 10:g}s"


def number(value):
    return f"{value:.4f}".rstrip("0").rstrip(".") if abs(value) >= 0.00005 else "0"


def is_clear(value):
    """Whether its fourth digit is the same however it is rounded."""
    return abs(value * 10_000 % 1 - 0.5) > 0.01


def scenario(comment, requirement, role, head, steps, expect):
    lines = [f"# {comment}\n{BY}requirement: {requirement}\nrole: {role}\n{head}steps:\n"]
    lines += [f"  - {step}\n" for step in steps]
    lines.append("expect:\n")
    for key, entries in expect.items():
        lines.append(f"  {key}: []\n" if not entries else f"  {key}:\n")
        lines += [f"    - {json.dumps(entry)}\n" for entry in entries]
    return "".join(lines)


# Touches.


def view(name, frame, children=(), **more):
    return {"name": name, **more, "frame": frame, **({"children": list(children)} if children else {})}


def screen(*children):
    return view("screen", [0, 0, 400, 800], children)


class Tracing(Tracer):
    """The tracer, which keeps what it tells."""

    def __init__(self, views, has_pressure=True):
        super().__init__(None)
        self.told, self.steps = [], []
        self.set_up({"views": views, "pressure": has_pressure})

    def tell(self, t, event, **more):
        words = {
            "impact": lambda: f"{more['style']} impact",
            "handed-on": lambda: f"{more['phase']} to {more['view'] or 'nobody'}",
            "scrolled": lambda: f"{more['view']} scrolls by {number(more['x'])}, {number(more['y'])}",
        }[event]()
        self.told.append(f"{time(t)} {words}")

    def touch(self, t, phase, at, force, finger=0):
        self.steps.append(
            f"{{at: {time(t)}, touch: {{phase: {phase}, at: [{at[0]:g}, {at[1]:g}], force: {force:g}, finger: {finger}}}}}")
        self.sample(t, phase, *at, force, finger)


def touches(rng, tracing, count, place, move, force, second=None, still=None):
    """So many touches, the second of them a hard press. `place` is where one begins, `move` where it goes from a point, `force`
    how hard it presses at each; `still` the same where it does not move, `second` where another finger begins."""
    still = still or force
    t = 0.0
    for index in range(count):
        at, t = place(), t + 0.05
        finger = 0 if second else rng.randrange(3)
        if index == 1:
            tracing.touch(t, "began", at, 5, finger)
            tracing.touch(t + 0.01, "ended", at, 0, finger)
            t += 0.01
            continue
        tracing.touch(t, "began", at, force(at), finger)
        is_second = second is not None and rng.random() < 0.4
        if is_second:
            other, t = second(), t + 0.01
            tracing.touch(t, "began", other, force(other), 1)
        for _ in range(rng.randrange(4, 9)):
            t += 0.01
            if is_second and rng.random() < 0.4:
                other = move(other)
                tracing.touch(t, "moved", other, force(other), 1)
            elif rng.random() < 0.25:
                tracing.touch(t, "stationary", at, still(at), finger)
            else:
                at = move(at)
                tracing.touch(t, "moved", at, force(at), finger)
        if is_second:
            t += 0.01
            tracing.touch(t, rng.choice(["ended", "cancelled"]), other, 0, 1)
        t += 0.01
        tracing.touch(t, "cancelled" if index % 3 == 2 else "ended", at, 0, finger)


def traced(name, comment, views, tracing, is_supported=True):
    head = "" if is_supported else "supported: false\n"
    head += "views: |\n  " + json.dumps(views) + "\n"
    return name, scenario(comment, name.replace("/", "."), "touch", head, tracing.steps, {"tells": tracing.told})


def inside(rng, frame):
    x, y, w, h = frame
    return x + rng.randrange(w) + 0.5, y + rng.randrange(h) + 0.5


def edges():
    rng = random.Random(1)
    views = screen(view("card", [50.5, 300.5, 300.5, 300.5], [
        view("ok", [50.5, 50.5, 60.5, 30.5], kind="button"),
        view("heavy", [170.5, 40.5, 40.5, 70.5], kind="button", texture="high-edges"),
        view("label", [60.5, 160.5, 70.5, 20.5], texture="low-edges"),
        view("veil", [90.5, 40.5, 40.5, 80.5]),
        view("bare", [180.5, 200.5, 60.5, 60.5], kind="button", texture="none"),
    ]))
    frames = [[101, 351, 60.5, 30.5], [221, 341, 40.5, 70.5], [111, 461, 70.5, 20.5], [141, 341, 40.5, 80.5], [231, 501, 60.5, 60.5],
              [50.5, 300.5, 300.5, 300.5]]

    def place(_=None):
        """Near an edge, on one side of it or the other."""
        x, y, w, h = rng.choice(frames)
        along_x, along_y = rng.choice([x, x + w]) + rng.choice([-0.25, 0.25]), y + rng.randrange(int(h)) + 0.25
        if rng.random() < 0.5:
            along_x, along_y = x + rng.randrange(int(w)) + 0.25, rng.choice([y, y + h]) + rng.choice([-0.25, 0.25])
        return along_x, along_y

    def move(at):
        """Often just across an edge."""
        x, y = at
        for dx, dy in rng.sample([(1, 0), (-1, 0), (0, 1), (0, -1)], 4):
            here, there = tracing.screen.at(x, y), tracing.screen.at(x + dx, y + dy)
            if here is not there and rng.random() < 0.7 and is_plain(here, there):
                return x + dx, y + dy
        goal = place()
        while not is_plain(tracing.screen.at(x, y), tracing.screen.at(*goal)):
            goal = place()
        return goal

    def is_plain(here, there):
        """Of two edges that are crossed at once, nothing says which comes first."""
        return here is there or sum(view.texture in ("low-edges", "high-edges") for view in (here, there)) < 2

    tracing = Tracing(views)
    touches(rng, tracing, 30, place, move, lambda _: rng.choice([0, 0.5, 1, 1.5]))
    return traced(
        "touch/texture/edges", "Edges are felt whichever way they are crossed, at the point at which they are crossed.", views, tracing)


def grain():
    rng = random.Random(2)
    views = screen(
        view("sand", [0, 0, 400, 200], [view("label", [100, 50, 200, 100])], texture="grainy"),
        view("silk", [0, 200, 400, 200], texture="light-grain"),
        view("dune", [0, 400, 400, 200], texture="grainy"), view("glass", [0, 600, 400, 200], texture="smooth"))

    def move(at):
        (x, y), (dx, dy) = at, rng.choice(
            [(1, 0), (0, -2), (5, 0), (-5, 0), (0, 5.25), (0, -5.5), (5.25, 0), (0, 4.75), (3, 4), (-3, -4), (4, 3), (6, 0), (0, 6), (0, -6), (10, 0), (0, 10), (-6, 8), (8, -7),
             (11, 0), (-11, 0), (0, 11), (0, -11), (0, 40), (0, -40)])
        return (x + dx, y + dy) if 0 < x + dx < 400 and 0 < y + dy < 800 else at

    tracing = Tracing(views)
    touches(
        rng, tracing, 36, lambda: inside(rng, rng.choice([[50, 20, 300, 170], [50, 220, 300, 170], [50, 420, 300, 170]])), move,
        lambda _: rng.choice([0, 0.5, 1.5]))
    return traced(
        "touch/texture/grain", "Grain is felt by the way from the last impact, over views that the finger goes to and fro.", views, tracing)


def smooth():
    rng = random.Random(3)
    views = screen(
        view("glass", [0, 0, 400, 300], texture="smooth"), view("none", [0, 300, 400, 200], texture="none"),
        view("plain", [0, 500, 400, 300]))
    tracing = Tracing(views)
    touches(rng, tracing, 14, lambda: inside(rng, [0, 0, 400, 800]), lambda _: inside(rng, [0, 0, 400, 800]), lambda _: 0.5)
    return traced("touch/texture/none", "However the finger goes over views without a texture, nothing is felt.", views, tracing)


def scroll():
    rng = random.Random(4)
    views = screen(
        view("list", [0, 100, 200, 500], [view("label", [-2000, -2000, 4000, 4000])], kind="scroll"),
        view("panel", [200, 100, 200, 500], kind="scroll"), view("ground", [0, 600, 400, 200]))

    def move(at):
        """Within its view: whether light comes first again in the next one, nothing says."""
        (x, y), (dx, dy) = at, rng.choice(
            [(1, 0), (0, 5), (0, -5), (3, 4), (6, 0), (0, 6), (-6, 0), (0, -6), (8, 7), (0, -11), (-7, -2), (-5.5, 0), (0, 5.5),
             (0, -4.5)])
        is_inside = (0 < x + dx < 200) == (x < 200) and 0 < x + dx < 400 and 100 < y + dy < 600
        return (x + dx, y + dy) if is_inside else at

    tracing = Tracing(views)
    touches(
        rng, tracing, 40, lambda: inside(rng, rng.choice([[20, 120, 160, 450], [220, 120, 160, 450]])), move,
        lambda _: rng.choice([0.25, 0.5, 1.5, 1.5]), still=lambda _: 0.5)
    return traced(
        "touch/texture/scroll", "A scroll view is felt and scrolls both ways, whatever came before; each touch begins with light.", views,
        tracing)


PRESSED = {"ok": [100, 100, 200, 50], "heavy": [100, 200, 200, 50], "panel": [40, 300, 320, 300], "knob": [60, 350, 100, 50],
           "screen": [0, 650, 400, 150]}


def pressed_views():
    return screen(
        view("ok", PRESSED["ok"], kind="button"), view("heavy", PRESSED["heavy"], kind="button", threshold=3.75),
        view("panel", PRESSED["panel"], [view("knob", [20, 50, 100, 50], kind="button", threshold=2.5), view("label", [20, 150, 100, 50], threshold=1)],
             threshold=2.5))


def latched():
    rng = random.Random(5)
    views = pressed_views()
    tracing = Tracing(views)
    last = {}

    def place():
        name = rng.choice(["ok", "ok", "heavy", "knob", "panel", "screen"])
        frame = {"panel": [180, 500, 100, 50]}.get(name, PRESSED[name])
        last["frame"] = frame
        return inside(rng, frame)

    def move(_):
        """What is traced stays on its view: no edge is felt; what was handed on may go anywhere."""
        return inside(rng, [0, 0, 400, 800]) if any(touch.is_pressed for touch in tracing.touches.values()) else inside(rng, last["frame"])

    def force(_):
        return rng.choice([0, 0.5, 1, 1.99, 2, 2.01, 2.49, 2.5, 2.51, 3, 3.74, 3.75, 3.76, 4.5] if rng.random() < 0.6 else [0.25])

    touches(rng, tracing, 60, place, move, force)
    return traced(
        "touch/trace/latched", "Each touch is traced, or handed on from the press to its end, whatever the touches before it were.", views,
        tracing)


def fingers():
    rng = random.Random(6)
    views = pressed_views()
    tracing = Tracing(views)
    ground = [0, 650, 400, 150]

    def move(at):
        if at[1] > 650:
            return inside(rng, ground)
        return inside(rng, rng.choice([PRESSED["ok"], [0, 0, 400, 90], PRESSED["heavy"]]))

    touches(rng, tracing, 24, lambda: inside(rng, ground), move, lambda _: rng.choice([0, 0.1]),
            lambda: inside(rng, [0, 0, 400, 300]))
    return traced(
        "touch/trace/light", "A light touch hands nothing on, and of two fingers only the first is felt, time and again.", views, tracing)


def no_pressure():
    rng = random.Random(7)
    views = pressed_views()
    tracing = Tracing(views, has_pressure=False)
    frames = list(PRESSED.values())
    touches(rng, tracing, 24, lambda: inside(rng, rng.choice(frames)), lambda _: inside(rng, rng.choice(frames)),
            lambda _: rng.choice([0, 0.5, 2.5]), lambda: inside(rng, rng.choice(frames)))
    return traced(
        "touch/trace/no-pressure", "Without pressure each finger's samples go to the view where it came down.", views, tracing, False)


# Engines.


class Playing(Engine):
    """The engine, which keeps what it tells."""

    WORDS = {"engine up": "started", "motor": "output", "plays": "playing", "tap": "impact"}

    def __init__(self, is_supported=True, tells_events=False):
        super().__init__(None)
        self.told, self.steps, self.again, self.tells_events = [], [], [], tells_events
        self.is_supported = is_supported

    def tell(self, t, what, **more):
        if what == "armed":
            self.told.append(f"{time(t)} within 3 frames in 50 of 50 trials")
        if what in self.WORDS:
            value = {"level": lambda v: f" {number(v)}", "pattern": lambda v: f" {v}", "strength": lambda v: f" {v}"}
            self.told.append(f"{time(t)} {self.WORDS[what]}" + "".join(value[key](more[key]) for key in more))

    def events(self, t, events):
        for offset, duration, intensity, sharpness in events if self.tells_events else []:
            length = f" for {time(duration)}" if duration else ""
            edge = "*" if self.name == "gradual" else number(sharpness)
            self.told.append(
                f"{time(t)} {'continuous' if duration else 'transient'} at {time(offset)}{length} intensity {number(intensity)} sharpness {edge}")

    def ask(self, t, do, text, **more):
        self.steps.append(f"{{at: {time(t)}, ask: {{{text}}}}}")
        self.name = more.get("pattern")
        if self.name in self.patterns:
            self.again.append(f"{time(t)} (loaded")
        self.do({"t": t, "do": do, **more})

    def ask_play(self, t, name, **more):
        """The time until its end."""
        told = "".join(f", {key}: {value:g}" for key, value in more.items()) + (", events: true" if self.tells_events else "")
        self.ask(t, "play", f"play: {{pattern: {name}{told}}}", pattern=name, **{"frequency": 1, "amplitude": 1, **more})
        return max(at + (length or 0) for at, length, _, _ in pattern(name, {"frequency": 1, "amplitude": 1, **more}, None)) + 0.2

    def ask_conditions(self, t, thermal, low_power=False):
        self.ask(t, "conditions", f"conditions: {{thermal: {thermal}, low-power: {str(low_power).lower()}}}", thermal=thermal,
                 low_power=low_power)


def play_any(rng, engine, t, names):
    name = rng.choice(names)
    more = {}
    if name == "multi":
        more = {"frequency": rng.choice([0.5, 1, 1.9, 2, 2.1, 3, 20]), "amplitude": rng.choice([0, 0.1, 0.25, 0.5, 0.8, 1])}
    if name == "gradual" and rng.random() < 0.7:
        more = {"intensity": rng.choice([0, 0.2, 0.4, 0.8, 1])}
    return engine.ask_play(t, name, **more)


def disturb(rng, engine, t, kinds):
    """Something that makes no difference to how a pattern plays, or that the engine must come through."""
    kind = rng.choice(kinds)
    if kind == "reset":
        # What becomes of a force over a reset, nothing says.
        if not engine.wanted:
            engine.ask(t, "fault", "fault: reset", fault="reset")
    elif kind == "fails":
        engine.ask(t, "fault", "fault: play-fails", fault="play-fails")
    elif kind == "open":
        engine.ask(t, "session", "session: opens", **{"is": "open"})
    elif kind == "lose":
        engine.ask(t, "session", "session: lost", **{"is": "lost"})
    elif kind == "strength":
        value = rng.choice([0, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1, 1.5, -0.5])
        engine.ask(t, "strength", f"strength: {value:g}", intensity=value)
    elif kind == "idle":
        if not engine.has_session:
            engine.ask(t, "strength", "strength: 0.6", intensity=0.6)
    elif kind == "sync":
        synchronise(rng, engine, t)
    elif kind == "mild":
        engine.ask_conditions(t, rng.choice(["nominal", "fair"]))
    elif kind == "any":
        engine.ask_conditions(t, rng.choice(["nominal", "fair", "serious", "serious", "critical"]))
    elif kind == "saving":
        engine.ask_conditions(t, rng.choice(["nominal", "nominal", "fair", "fair", "serious", "critical"]), rng.random() < 0.7)


def synchronise(rng, engine, t):
    """Something is slow, or half as slow as it is planned ahead."""
    delta = rng.choice([50, 200, 400])
    fast, slow = rng.randrange(2, 6), rng.choice([delta - rng.randrange(1, 5), delta // 2])
    audio, haptic = rng.choice([(slow, fast), (fast, slow)])
    engine.ask(
        t, "synchronise", f"synchronise: {{delta: {delta}ms, trials: 50, audio: {audio}ms, audio-jitter: 1ms, haptic: {haptic}ms, "
        "haptic-jitter: 1ms}", delta=delta / 1000, audio_latency=audio / 1000, haptic_latency=haptic / 1000)


ALL = ["normal", "multi", "gradual", "heavy"]


def drive(engine, t):
    """A session with a force in it; the time of its end."""
    for do, text, more in (("session", "session: opens", {"is": "open"}), ("strength", "strength: 0.7", {"intensity": 0.7}),
                           ("session", "session: lost", {"is": "lost"})):
        t = round(t + 0.3, 3)
        engine.ask(t, do, text, **more)
    return t


def engines(seed, name, comment, count, kinds, names, *, is_supported=True, tells_events=False):
    rng = random.Random(seed)
    engine = Playing(is_supported, tells_events)
    t = play_any(rng, engine, 0, names)
    for kind in dict.fromkeys(kind for kind in kinds if kind != "strength"):
        t = round(t + 0.1, 3)
        disturb(rng, engine, t, [kind])
    engine.ask(round(t + 0.1, 3), "prepare", "prepare: true")
    t += 0.1
    if "strength" in kinds:
        t = drive(engine, drive(engine, t))
    for _ in range(count):
        t = round(t + 0.3, 3)
        if rng.random() < 0.45:
            t = round(t + play_any(rng, engine, t, names), 3)
        else:
            disturb(rng, engine, t, kinds)
    head = "" if is_supported else "supported: false\n"
    expect = {"tells": engine.told} | ({"never": engine.again} if name == "haptics/engine/restart" else {})
    return name, scenario(comment, name.replace("/", "."), "haptics", head, engine.steps, expect)


def interruptions():
    """When an engine starts again after an interruption is its own: what plays is looked at, and what does not."""
    rng = random.Random(20)
    engine = Playing(tells_events=True)
    reasons = ["audio-session-interrupted", "application-suspended"]
    engine.ask(0, "fault", f"fault: {reasons[0]}", fault=reasons[0])
    engine.ask(0.1, "over", f"over: {reasons[0]}", fault=reasons[0])
    engine.ask(0.2, "prepare", "prepare: true")
    t, never, starts = 1.0, [], []
    for name, more in (("gradual", {}), ("multi", {"frequency": 3}), ("normal", {})):
        t = round(t + engine.ask_play(t, name, **more), 3)
    for _ in range(340):
        t = round(t + 0.3, 3)
        is_free = not engine.interruptions
        reason = rng.choice(reasons if is_free else sorted(engine.interruptions) + reasons)
        kind = rng.choice(
            ["play", "play", "stop", "over", "reset", "fails", "fails", "open", "lose", "strength", "strength", "sync", "save"]
            if is_free else ["play", "over", "over", "over", "stop", "sync"])
        if kind in ("stop", "over") and (reason in engine.interruptions) == (kind == "over"):
            do = "fault" if kind == "stop" else "over"
            engine.ask(t, do, f"{do}: {reason}", fault=reason)
            if kind == "over" and engine.interruptions:
                never.append(f"{time(t)} started")
            kind, t, is_free = "play", round(t + 0.3, 3), not engine.interruptions
        if kind == "play" and (is_free or not engine.low_power):
            if not is_free or engine.is_hot():
                never.append(f"{time(t)} playing")
            if not is_free:
                never.append(f"{time(t)} started")
            t = round(t + play_any(rng, engine, t, ALL), 3)
        elif kind == "reset" and is_free and not engine.wanted:
            if engine.is_running:
                starts.append(f"{time(t)} started")
            disturb(rng, engine, t, ["reset"])
        elif kind == "fails" and engine.is_running and not (engine.low_power or engine.is_hot() or engine.wanted):
            disturb(rng, engine, t, ["fails"])
            t = round(t + 0.3, 3)
            starts.append(f"{time(t)} started")
            engine.ask_play(t, "normal")
            before = len(engine.told)
            t = drive(engine, t)
            starts += engine.told[before:]
        elif kind == "save" and is_free:
            engine.ask_conditions(t, rng.choice(["nominal", "fair", "nominal", "nominal", "critical"]), rng.random() < 0.25)
        elif kind == "sync" or kind in ("open", "lose", "strength") and engine.is_running:
            before = len(engine.told)
            disturb(rng, engine, t, [kind])
            starts += engine.told[before:] if not engine.low_power else []
    told = [line for line in engine.told if line.split()[1] not in ("started", "output") or line in starts]
    return "haptics/engine/restart.interruption", scenario(
        "An engine that was interrupted, by one thing or two, plays again when all are over, and not before.", "haptics.engine.restart",
        "haptics", "", engine.steps, {"includes": told, "never": never + engine.again})


def synchronised():
    """Only what begins at once is looked at."""
    rng = random.Random(21)
    engine, t = Playing(), 0.0
    engine.ask(t, "prepare", "prepare: true")
    for index in range(60):
        t = round(t + 0.5, 3)
        if index % 2:
            synchronise(rng, engine, t)
        else:
            disturb(rng, engine, t, ["reset", "fails", "open", "lose", "strength", "saving"])
    told = [line for line in engine.told if " within " in line]
    return "haptics/sync/future-scheduling", scenario(
        "Slow audio, or a slow engine, begins no later than the rest, each time; planned further ahead where it must be.",
        "haptics.sync.future-scheduling", "haptics", "", engine.steps, {"includes": told})


# Patterns.


class Reading(Player):
    """The player, which keeps what it tells."""

    def __init__(self):
        super().__init__(None)
        self.told, self.findings, self.steps = [], [], []

    def tell(self, t, event, **more):
        if event == "felt":
            felt = "*" if more["intensity"] == 0 else number(more["sharpness"])
            self.told.append(f"{time(t)} intensity {number(more['intensity'])} sharpness {felt}")
        elif event == "finding":
            word = "error" if more["severity"] == "error" else "finding"
            path = more.get("path", "$")
            line = more.get("line") or self.line(path)
            self.findings.append(f"{time(t)} {word} at {line}:{more.get('column', 1)} {path}")
        else:
            self.told.append(f"{time(t)} {event}")

    def line(self, path):
        """Each item has a line of its own, from the second on."""
        index = path.partition("Pattern[")[2].partition("]")[0]
        return int(index) + 2 if index else 1

    def ask_read(self, t, items, head='"Version": 1'):
        text = "{" + head + (", " if head else "") + '"Pattern": [\n' + ",\n".join(json.dumps(item) for item in items) + "\n]}"
        self.steps.append(f"{{at: {time(t)}, ask: {{read: {json.dumps(text)}}}}}")
        self.read(t, text)

    def ask_sample(self, t):
        intensity, sharpness = self.felt(t)
        if is_clear(intensity) and is_clear(sharpness):
            self.steps.append(f"{{at: {time(t)}, ask: {{sample: true}}}}")
            self.tell(t, "felt", intensity=intensity, sharpness=sharpness)


def setting(name, value, **more):
    return {"ParameterID": name, "ParameterValue": value, **more}


def event(start, length, *settings, **more):
    event = {"Time": start, "EventType": "HapticContinuous", "EventDuration": length, **more}
    return {"Event": {**event, **({"EventParameters": list(settings)} if settings else {})}}


def control(name, start, points, **more):
    if len(points) == 1:
        return {"Parameter": {"Time": start, **setting(name, points[0][1]), **more}}
    return {"ParameterCurve": {
        "ParameterID": name, "Time": start, "ParameterCurveControlPoints": [{"Time": t, "ParameterValue": v} for t, v in points], **more}}


def any_items(rng, begin, curve_start, parameters=True):
    """Events one after the other from `begin` on, which is when they are read, with controls over them."""
    items, t = [], begin
    is_long = rng.random() < 0.2
    for _ in range(18 if is_long else rng.randrange(2, 5)):
        length = rng.choice([0.2] if is_long else [0.4, 0.6, 1, 1.3])
        own = [setting("HapticIntensity", rng.choice([0.2, 0.4, 0.6, 0.8, 1])),
               setting("HapticSharpness", rng.choice([0.3, 0.4, 0.5, 0.6, 0.7]))]
        if rng.random() < 0.3:
            own.insert(rng.randrange(3), setting("AudioBrightness", 0.5))
        items.append(event(round(t, 3), length, *own))
        if rng.random() < 0.3:
            items.append(event(round(t, 3), length, setting("HapticIntensity", 1), setting("HapticSharpness", 1)))
            items[-1]["Event"]["EventType"] = "HapticTransient"
        if rng.random() < 0.3:
            sound = event(round(t, 3), length, setting("AudioVolume", 0.5))
            sound["Event"]["EventType"] = rng.choice(["AudioContinuous", "AudioCustom"])
            sound["Event"] |= {"EventWaveformPath": "a.wav"} if sound["Event"]["EventType"] == "AudioCustom" else {}
            items.append(sound)
        t += length + rng.choice([0, 0.2])
    for name, values in (("HapticIntensityControl", [0, 0.25, 0.5, 0.75, 1]), ("HapticSharpnessControl", [-0.2, -0.1, 0, 0.1, 0.2])):
        if rng.random() < 0.75:
            start = curve_start(begin, t)
            if parameters and rng.random() < 0.4:
                items.append(control(name, start, [(0, rng.choice(values))]))
            else:
                count = rng.choice([2, 3, 4, 18])
                times = [0.0]
                for _ in range(count - 1):
                    times.append(round(times[-1] + rng.choice([0.05, 0.1] if count == 18 else [0.2, 0.5, 0.9]), 3))
                items.append(control(name, start, [(at, rng.choice(values)) for at in times]))
    return items, t


def sampled(rng, reading, begin, end):
    """Samples between `begin` and `end`, none at the edge of anything."""
    t = begin + 0.033
    while t < end:
        # How long a transient is felt, nothing says.
        if all(kind != "HapticTransient" or not 0 <= t - start < 0.03 for kind, start, *_ in reading.events):
            reading.ask_sample(round(t, 3))
        t += rng.choice([0.13, 0.17, 0.29, 0.43])


def patterns(seed, name, comment, reads, curve_start):
    rng, reading, t = random.Random(seed), Reading(), 0.0
    for _ in range(reads):
        items, end = any_items(rng, t, curve_start(rng))
        reading.ask_read(t, items)
        sampled(rng, reading, t, end + 0.2)
        t = round(end + 0.4, 3)
    return name, scenario(comment, name.replace("/", "."), "ahap", "", reading.steps, {"tells": reading.told})


def parsed(seed, name, comment, reads, change):
    """Patterns with something in them that is a finding, or that cannot be played."""
    rng, reading, t = random.Random(seed), Reading(), 0.0
    for index in range(reads):
        length = rng.choice([0.6, 1, 1.4])
        items = [
            event(round(t + at * length, 3), length, setting("HapticIntensity", rng.choice([0.2, 0.4, 0.6, 0.8])),
                  setting("HapticSharpness", rng.choice([0.3, 0.5, 0.7])))
            for at in range(rng.randrange(1, 4))]
        # A file of the field: events need no order.
        rng.shuffle(items)
        head = change(rng, items, index, t)
        reading.ask_read(t, items, head)
        end = t + length * 3
        sampled(rng, reading, t, end)
        t = round(end + 0.1, 3)
    return name, scenario(
        comment, name.replace("/", "."), "ahap", "", reading.steps, {"finds": reading.findings, "tells": reading.told})


def settings(items):
    return [one for item in items if "Event" in item for one in item["Event"]["EventParameters"]]


def leave_out(rng, items, index, _):
    for item in items:
        if rng.random() < 0.6:
            own = item["Event"]["EventParameters"]
            item["Event"]["EventParameters"] = rng.choice([[], own[:1], own[1:]])
            if not item["Event"]["EventParameters"]:
                item["Event"].pop("EventParameters")
    return '"Version": 1' if index % 3 else ""


def too_much(rng, items, index, t):
    for one in settings(items):
        if rng.random() < 0.4:
            one["ParameterValue"] = rng.choice([1.01, 1.25, 2, 20, -0.01, -0.5, -2])
    if index % 2:
        items.append(control("HapticIntensityControl", t, [(0, rng.choice([1.01, 1.5, 3, 0.5])), (1, rng.choice([1.25, 0.5, -1]))]))
    if index % 3:
        points = [(0, rng.choice([1.5, -1.5, 0.9, -0.9, 0.6, -0.6])), (1, rng.choice([1.25, -1.25, 0.5]))]
        items.append(control("HapticSharpnessControl", t, points[:index % 3]))
    return '"Version": 1'


def add_keys(rng, items, index, t):
    if index % 2:
        items.append(control("HapticIntensityControl", t, [(0, 1), (0.5, 0.5)]))
    if index % 3:
        items.append(control("HapticSharpnessControl", t, [(0, 0.1)]))
    places = list(items)
    for item in items:
        places += item.values()
        places += [one for inner in item.values() for one in inner.get("EventParameters", []) + inner.get("ParameterCurveControlPoints", [])]
    for one in rng.sample(places, min(len(places), 4)):
        one[rng.choice(["Mood", "time", "Colour", "Unit", "X-Time"])] = rng.choice([3, "g", [1], {"a": 1}])
    return '"Version": 1' + (', "Colour": "red"' if index % 2 else "")


def break_some(rng, items, index, t):
    """Every second one cannot be played; what was read before it goes on, with all that can be a finding in it."""
    if index % 2 == 0:
        items[:] = [event(t, 30, setting("HapticIntensity", rng.choice([0.4, 0.8])), setting("HapticSharpness", 0.5))]
        if index % 8 == 2:
            items[0]["Event"].pop("EventParameters")
            items.append(control("HapticIntensityControl", round(t + 0.3, 3), [(0, 1), (4, 0.5)]))
            items.append(control("HapticSharpnessControl", round(t + 0.3, 3), [(0, 0.25)]))
        elif index % 8 == 4:
            add_keys(rng, items, index, t)
        elif index % 8 == 6:
            items[0]["Event"]["EventParameters"][0]["ParameterValue"] = 1.5
            items.append(control("HapticIntensityControl", round(t + 0.5, 3), [(0, 1), (2, 0.25), (9, 0.5)]))
        return '"Version": 1'
    kind = index // 2 % 6
    item = rng.choice(items)["Event"]
    if kind == 0:
        item["EventType"] = rng.choice(["HapticTap", "hapticcontinuous", "Continuous"])
    elif kind == 1:
        item["Time"] = rng.choice([-0.01, -0.5, -3])
    elif kind == 2:
        items.append(control("HapticIntensityControl", -0.5, [(0, 0.5), (1, 0.5)]))
    elif kind == 3:
        items.append(control("HapticIntensityControl", -0.01, [(0, 0.5)]))
    else:
        item["EventType"] = ["HAPTICCONTINUOUS", "HapticTransients"][kind - 4]
    return '"Version": 1'


def scenes():
    yield edges()
    yield grain()
    yield smooth()
    yield scroll()
    yield latched()
    yield fingers()
    yield no_pressure()
    mild = ["reset", "open", "lose", "lose", "strength", "mild", "mild", "sync"]
    for index, name in enumerate(ALL):
        yield engines(
            10 + index, f"haptics/pattern/{name}", f"However often {name} plays, and whatever came before, its events are the same.", 50, mild,
            [name], tells_events=True)
    everything = ["reset", "reset", "open", "open", "lose", "lose", "strength", "strength", "strength", "mild", "sync", "sync"]
    yield engines(
        14, "haptics/engine/restart", "After each reset the engine runs again, and nothing is read again.", 240, everything, ALL)
    yield engines(
        15, "haptics/engine/unsupported-device", "On a device without haptics nothing is started or played, whatever happens.", 90,
        [kind for kind in everything if kind != "sync"] + ["saving", "saving"], ALL, is_supported=False)
    yield engines(
        16, "haptics/thermal/serious", "Whenever the device is too hot nothing is played; whenever it is not, everything is.", 130,
        ["any", "any", "open", "strength", "strength", "reset", "lose", "sync"], ALL)
    yield engines(
        17, "haptics/thermal/low-power", "Whenever power is saved an impact stands for a pattern, but on a hot device.", 140,
        ["saving", "saving", "saving", "reset", "open", "lose", "idle", "sync"], ALL)
    yield interruptions()
    yield synchronised()
    yield patterns(
        30, "ahap/curve/interpolation", "Curves and values are felt over all that plays, in one pattern after the other.", 11,
        lambda rng: lambda begin, end: 0)
    yield patterns(
        31, "ahap/curve/relative-time", "Curves and values that begin late change nothing before, in one pattern after the other.", 11,
        lambda rng: lambda begin, end: round(begin + rng.choice([0.2, 0.5, 0.9]), 3))
    yield parsed(32, "ahap/parse/defaults", "Whatever is left out of an event takes its default; a key that is left out is a finding.", 12, leave_out)
    yield parsed(33, "ahap/parse/clamp", "Whatever is out of range is held to it, and is a finding.", 14, too_much)
    yield parsed(34, "ahap/parse/unknown-keys", "Keys that nobody defined change nothing, wherever they stand.", 12, add_keys)
    yield parsed(35, "ahap/parse/malformed", "What cannot be played is refused, and what was there before goes on.", 26, break_some)


def main():
    for name, text in scenes():
        path = os.path.join(sys.argv[1], name + ".everywhere.yaml")
        with open(path + ".new", "w") as file:
            file.write(text)
        os.replace(path + ".new", path)


if __name__ == "__main__":
    main()
