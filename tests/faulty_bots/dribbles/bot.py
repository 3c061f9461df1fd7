"""Sends every byte on its own, and is honest otherwise."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import os
import socket
import threading
import time

REFEREE = os.environ["THOUSAND_ADDRESS"].removeprefix("unix:")
OWN = f"/tmp/thousand-dribble-{os.getpid()}.sock"


def pass_on(source: socket.socket, target: socket.socket, at_once: int) -> None:
    """Pass on so many bytes at a time, and take a rest after each of them if it is one."""
    while data := source.recv(at_once):
        target.sendall(data)
        if at_once == 1:
            time.sleep(0.0002)
    target.shutdown(socket.SHUT_WR)


def serve(listener: socket.socket) -> None:
    """Stand between this process and the referee."""
    near, _ = listener.accept()
    os.unlink(OWN)
    far = socket.socket(socket.AF_UNIX)
    far.connect(REFEREE)
    threading.Thread(target=pass_on, args=(far, near, 1 << 16), daemon=True).start()
    pass_on(near, far, 1)


listener = socket.socket(socket.AF_UNIX)
listener.bind(OWN)
listener.listen()
threading.Thread(target=serve, args=(listener,), daemon=True).start()
os.environ["THOUSAND_ADDRESS"] = f"unix:{OWN}"

from faulty import HonestBot  # noqa: E402

from thousand import run  # noqa: E402

run(HonestBot)
