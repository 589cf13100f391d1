#!/usr/bin/env python3
"""Where sounds are heard, by numpy: written from haptics.md ("Where the sound comes from") alone.

    sound_scenes.py FILE

Each line of FILE is a scene and what another program makes of it, numbers with spaces between (the names are in COLUMNS;
angles of the camera and the head are in degrees). Prints the largest difference of each result; the exit status is 1 when
one is above 1e-6.
"""
import sys

import numpy as np

COLUMNS = """model reference maximum rolloff scale headset x y z listener_x listener_y listener_z
    camera_yaw camera_pitch camera_roll head_yaw head_pitch head_roll channels
    distance gain azimuth elevation delay left right""".split()
INVERSE, LINEAR, EXPONENTIAL = 0, 1, 2
HEAD_RADIUS, SPEED_OF_SOUND = 0.0875, 343.0
LIMIT = 1e-6


def about(axis, angle):
    """The matrices that turn by these angles (radians, right-handed) about an axis: 0 is x, 1 is y, 2 is z."""
    c, s = np.cos(angle), np.sin(angle)
    first, second = (axis + 1) % 3, (axis + 2) % 3
    matrices = np.tile(np.eye(3), (len(angle), 1, 1))
    matrices[:, first, first], matrices[:, first, second] = c, -s
    matrices[:, second, first], matrices[:, second, second] = s, c
    return matrices


def attitude(yaw, pitch, roll):
    """Yaw clockwise from above, then pitch up, then roll to the right, in degrees."""
    yaw, pitch, roll = np.radians(yaw), np.radians(pitch), np.radians(roll)
    return about(1, -yaw) @ about(0, pitch) @ about(2, -roll)


def heard(s):
    """What the document says of each scene."""
    camera = attitude(s["camera_yaw"], s["camera_pitch"], s["camera_roll"])
    head = attitude(s["head_yaw"], s["head_pitch"], s["head_roll"])
    on_headset = s["headset"] > 0
    frame = np.where(on_headset[:, None, None], camera @ head, camera)
    source = np.stack([s["x"], s["y"], s["z"]], axis=1) * s["scale"][:, None]
    listener = np.stack([s["listener_x"], s["listener_y"], s["listener_z"]], axis=1) * s["scale"][:, None]
    # The columns of a frame are its axes: a product with each of them is the coordinate along it.
    x, y, z = np.einsum("nij,ni->nj", frame, source - listener).T
    r = np.sqrt(x**2 + y**2 + z**2)
    held = np.clip(r, s["reference"], s["maximum"])
    gain = np.select(
        [s["model"] == INVERSE, s["model"] == LINEAR, s["model"] == EXPONENTIAL],
        [
            s["reference"] / (s["reference"] + s["rolloff"] * (held - s["reference"])),
            np.maximum(0, 1 - s["rolloff"] * (held - s["reference"]) / (s["maximum"] - s["reference"])),
            (held / s["reference"]) ** -s["rolloff"],
        ],
    )
    side = np.arcsin(np.clip(x / r, -1, 1))
    quarter = np.pi / 4 * (1 + np.sin(side))
    delay = np.where(on_headset, HEAD_RADIUS / SPEED_OF_SOUND * (side + np.sin(side)), 0)
    placed = {
        "distance": r, "gain": gain, "azimuth": np.arctan2(x, -z), "elevation": np.arcsin(np.clip(y / r, -1, 1)),
        "delay": delay, "left": gain * np.cos(quarter), "right": gain * np.sin(quarter),
    }
    bed = {"distance": 0, "gain": 1, "azimuth": 0, "elevation": 0, "delay": 0, "left": 1, "right": 1}
    return {name: np.where(s["channels"] == 1, placed[name], bed[name]) for name in placed}


def main():
    table = np.loadtxt(sys.argv[1], ndmin=2)
    scenes = dict(zip(COLUMNS, table.T, strict=True))
    worst = {}
    for name, expected in heard(scenes).items():
        difference = np.abs(scenes[name] - expected)
        if name == "azimuth":
            difference = np.minimum(difference, 2 * np.pi - difference)
        worst[name] = float(np.max(np.nan_to_num(difference, nan=np.inf)))
    print(f"{len(table)} scenes;", ", ".join(f"{name} {value:.1e}" for name, value in worst.items()))
    sys.exit(0 if max(worst.values()) <= LIMIT else 1)


if __name__ == "__main__":
    main()
