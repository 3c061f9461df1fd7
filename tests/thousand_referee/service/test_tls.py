from __future__ import annotations

import os
import shutil
import ssl
import subprocess
import urllib.request
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena_server import arena_server
from thousand_referee.cli.main import thousand as commands
from thousand_referee.errors import ConfigError, Unreachable


def certificate(folder: Path) -> None:
    """Make a certificate for this machine, and its key."""
    if shutil.which("openssl") is None:
        assert not os.environ.get("THOUSAND_REQUIRE_ALL"), "openssl must be installed"
        pytest.skip("no openssl to make a certificate with")
    names = "subjectAltName=DNS:localhost,IP:127.0.0.1"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
         "-nodes", "-days", "2", "-subj", "/CN=arena", "-addext", names,
         "-keyout", "server.key", "-out", "server.pem"],
        cwd=folder, check=True, capture_output=True,
    )  # fmt: skip


def test_both_doors_speak_tls(tmp_path: Path) -> None:
    certificate(tmp_path)
    tls = '[tls]\ncertificate = "server.pem"\nkey = "server.key"'
    with arena_server(tmp_path, extra=tls) as server:
        server.add_user("anna")
        server.start()
        assert server.pages.startswith("https://")
        context = ssl.create_default_context(cafile=tmp_path / "server.pem")
        with urllib.request.urlopen(f"{server.pages}/healthz", context=context) as page:
            assert page.status == 200
        call = ["server", "bots", "--server", server.address, "--token", server.tokens["anna"]]
        trusting = CliRunner().invoke(commands, [*call, "--ca", str(tmp_path / "server.pem")])
        assert (trusting.exit_code, trusting.stdout) == (0, "")
        missing = CliRunner().invoke(commands, [*call, "--ca", str(tmp_path / "none")])
        assert isinstance(missing.exception, ConfigError)
        in_the_clear = CliRunner().invoke(commands, call)
        assert isinstance(in_the_clear.exception, Unreachable)
        assert "no arena answers there" in str(in_the_clear.exception)
