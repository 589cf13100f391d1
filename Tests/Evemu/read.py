#!/usr/bin/env python3
"""Reads an evemu recording with libevemu itself, and prints the device's name and each event."""
import ctypes
import sys


class Event(ctypes.Structure):
    _fields_ = [
        ("seconds", ctypes.c_long), ("microseconds", ctypes.c_long), ("type", ctypes.c_uint16),
        ("code", ctypes.c_uint16), ("value", ctypes.c_int32),
    ]


evemu, libc = ctypes.CDLL("libevemu.so.3"), ctypes.CDLL(None)
libc.fopen.restype = ctypes.c_void_p
evemu.evemu_new.restype = ctypes.c_void_p
evemu.evemu_get_name.restype = ctypes.c_char_p
file = ctypes.c_void_p(libc.fopen(sys.argv[1].encode(), b"r"))
device = ctypes.c_void_p(evemu.evemu_new(None))
if evemu.evemu_read(device, file) <= 0:
    sys.exit("libevemu cannot read the description")
print(evemu.evemu_get_name(device).decode())
event = Event()
while evemu.evemu_read_event(file, ctypes.byref(event)) > 0:
    print(f"{event.seconds}.{event.microseconds:06d} {event.type} {event.code} {event.value}")
