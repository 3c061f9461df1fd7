"""Generate the Python code of the protocol, or check that it is up to date.

The generator's version is pinned in `requirements.txt`, in an environment of its own:
code from an older generator runs with newer libraries, never the other way round.

    python proto/generate.py            write sdk/thousand/v1
    python proto/generate.py --check    exit with 1 if sdk/thousand/v1 differs
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
TARGET = HERE.parent / "sdk" / "thousand" / "v1"
INIT = '"""Generated from proto/thousand/v1 by proto/generate.py; do not edit."""\n'


def generate(folder: Path) -> dict[str, str]:
    """Run the generator in `folder`; give the text of each file of the package.

    SystemExit with what it says when it fails.
    """
    protos = sorted(str(path.relative_to(HERE)) for path in HERE.glob("thousand/v1/*.proto"))
    plugin = Path(sys.executable).parent / "protoc-gen-mypy"
    result = subprocess.run(
        [
            sys.executable,
            "-m",
            "grpc_tools.protoc",
            f"--proto_path={HERE}",
            f"--plugin=protoc-gen-mypy={plugin}",
            f"--python_out={folder}",
            f"--mypy_out={folder}",
            *protos,
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode:
        sys.exit(
            f"{result.stderr.strip()}\nthe generator failed; run this with a Python that has "
            "what is in proto/requirements.txt"
        )
    texts = {path.name: path.read_text() for path in (folder / "thousand" / "v1").iterdir()}
    return {"__init__.py": INIT, **texts}


def main() -> int:
    """Write the package, or compare it with what is checked in."""
    with tempfile.TemporaryDirectory() as folder:
        wanted = generate(Path(folder))
    if "--check" in sys.argv[1:]:
        present = {path.name: path.read_text() for path in TARGET.glob("*.py*")}
        stale = sorted(
            name for name in wanted.keys() | present.keys() if wanted.get(name) != present.get(name)
        )
        if stale:
            print(f"out of date: {', '.join(stale)}; run proto/generate.py", file=sys.stderr)
        return 1 if stale else 0
    TARGET.mkdir(parents=True, exist_ok=True)
    for name, text in wanted.items():
        (TARGET / name).write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
