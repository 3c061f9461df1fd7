"""A Docker engine of one's own, to be killed without disturbing anybody else's."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import docker

from arena_runs import processes_with, wait_until

START_SECONDS = 60.0


class PrivateEngine:
    """A dockerd with a socket and folders of its own; `address` is for DOCKER_HOST."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.address = f"unix://{folder}/docker.sock"
        self._daemon: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the daemon, and wait until it answers."""
        assert self._daemon is None
        self._forget_dead_helper()
        with (self._folder / "log").open("ab") as log:
            self._daemon = subprocess.Popen(
                [
                    *("dockerd", "--host", self.address, "--bridge=none", "--iptables=false"),
                    *("--data-root", str(self._folder / "data")),
                    *("--exec-root", str(self._folder / "exec")),
                    *("--pidfile", str(self._folder / "pid")),
                ],
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        if not wait_until(self.answers, START_SECONDS):
            raise RuntimeError((self._folder / "log").read_text()[-2000:])

    @property
    def _helper(self) -> Path:
        """The file with the process id of the daemon's containerd."""
        return self._folder / "exec" / "containerd" / "containerd.pid"

    def _forget_dead_helper(self) -> None:
        """Wait for containerd, which dies with its daemon, to be reaped, and forget it.

        A daemon that finds its number, though only a zombie has it, starts none.
        """
        if self._helper.exists():
            process = Path("/proc", self._helper.read_text().strip())
            wait_until(lambda: not process.exists(), 2)
            self._helper.unlink()

    def answers(self) -> bool:
        """Ask without docker-py, which leaves sockets open when that fails."""
        with socket.socket(socket.AF_UNIX) as caller:
            try:
                caller.connect(self.address.removeprefix("unix://"))
                caller.sendall(b"GET /_ping HTTP/1.0\r\n\r\n")
                return b" 200 " in caller.recv(100)
            except OSError:
                return False

    @contextmanager
    def client(self) -> Iterator[docker.APIClient]:
        api = docker.APIClient(self.address, version="auto", timeout=60)
        try:
            yield api
        finally:
            api.close()

    def end(self, number: int) -> None:
        """End the daemon by a signal; SIGKILL leaves its containers running for the while."""
        assert self._daemon is not None
        self._daemon.send_signal(number)
        self._daemon.wait()
        self._daemon = None

    def load(self, images: Iterable[str]) -> None:
        """Copy images, with their tags, from the machine's own engine."""
        with subprocess.Popen(["docker", "save", *images], stdout=subprocess.PIPE) as saving:
            subprocess.run(
                ["docker", "--host", self.address, "load", "--quiet"],
                stdin=saving.stdout,
                stdout=subprocess.DEVNULL,
                check=True,
            )
        assert saving.returncode == 0

    def tear_down(self) -> None:
        """Remove all that runs, and end the daemon and its helper."""
        if self._daemon is None:
            self.start()
        with self.client() as api:
            for container in api.containers(all=True):
                with suppress(docker.errors.APIError):
                    api.remove_container(container["Id"], force=True)
        self.end(signal.SIGTERM)

    def clear_away(self) -> None:
        """Remove what killed daemons lost sight of: helpers of dead containers, and mounts."""
        for process in processes_with(str(self._folder)):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        for line in Path("/proc/self/mounts").read_text().splitlines():
            if line.split()[1].startswith(f"{self._folder}/"):
                subprocess.run(["umount", "--lazy", line.split()[1]], check=False)
        for _ in range(20):
            shutil.rmtree(self._folder, ignore_errors=True)
            if not self._folder.exists():
                return
            time.sleep(0.1)


@contextmanager
def private_engine(images: Iterable[str]) -> Iterator[PrivateEngine]:
    """Give an engine that has these images; nothing is left of it afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="td-", dir="/var/tmp"))
    engine = PrivateEngine(folder)
    try:
        engine.start()
        engine.load(images)
        yield engine
    finally:
        with suppress(docker.errors.DockerException):
            engine.tear_down()
        engine.clear_away()
