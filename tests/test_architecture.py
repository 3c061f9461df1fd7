"""Who may import whom.

Each `Rule` below says what some modules may not import. A test reads the imports of
every module from its source, so a forbidden one is found without being run.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from importlib.util import resolve_name
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
IMPORT_ROOTS = (ROOT / "sdk", ROOT / "referee")
ANYTHING = ("*",)
STANDARD_LIBRARY = tuple(
    pattern for name in sys.stdlib_module_names for pattern in (name, f"{name}.*")
)


@dataclass(frozen=True)
class Rule:
    """Modules that match `of` and not `but` import nothing that matches `never`.

    What matches `only` they may import all the same. Everything is a dotted name, and
    ``*`` in it stands for any part of one.
    """

    name: str
    of: tuple[str, ...]
    never: tuple[str, ...]
    but: tuple[str, ...] = ()
    only: tuple[str, ...] = ()

    def covers(self, module: str) -> bool:
        return matches(module, self.of) and not matches(module, self.but)

    def forbids(self, imported: str) -> bool:
        return matches(imported, self.never) and not matches(imported, self.only)


PURE_RULES = ("thousand.cards", "thousand.errors", "thousand.rules", "thousand.rules.*")
INPUT_AND_OUTPUT = (
    *("asyncio", "asyncio.*", "io", "multiprocessing", "multiprocessing.*", "os", "os.*"),
    *("pathlib", "shutil", "socket", "sqlalchemy", "sqlalchemy.*", "sqlite3", "subprocess"),
    *("tempfile", "threading", "urllib", "urllib.*"),
)
CLIENTS = ("thousand_referee.cli.submit", "thousand_referee.cli.server*")
GENERATED = ("thousand.v1", "thousand.v1.*")

RULES = (
    Rule(
        "the rules of the game need the standard library only",
        of=PURE_RULES,
        never=ANYTHING,
        only=STANDARD_LIBRARY + PURE_RULES,
    ),
    Rule(
        "the SDK does not know the referee",
        of=("thousand", "thousand.*"),
        never=("thousand_referee", "thousand_referee.*"),
    ),
    Rule(
        "only the codec touches protobuf messages, and the service those of its own",
        of=ANYTHING,
        but=("thousand.codec.*", "thousand_referee.service.*", *CLIENTS, *GENERATED),
        never=GENERATED,
    ),
    Rule(
        "only the two ends of the stream touch gRPC",
        of=ANYTHING,
        but=(
            "thousand.client",
            "thousand_referee.bench.bare",
            "thousand_referee.session",
            "thousand_referee.service.*",
            *GENERATED,
        ),
        never=("grpc", "grpc.*"),
    ),
    Rule(
        "the pages know neither commands nor the service",
        of=("thousand_referee.web", "thousand_referee.web.*"),
        never=(
            *("thousand_referee.cli", "thousand_referee.cli.*"),
            *("thousand_referee.service", "thousand_referee.service.*"),
        ),
    ),
    Rule(
        "rules, tables, schedule, ratings and clock are driven and do no I/O",
        of=(
            *PURE_RULES,
            "thousand_referee.table",
            "thousand_referee.schedule",
            "thousand_referee.balanced",
            "thousand_referee.open_schedule",
            "thousand_referee.triples",
            "thousand_referee.clock",
            "thousand_referee.ratings",
            "thousand_referee.ratings.*",
            "thousand_referee.compare",
            "thousand_referee.compare.*",
        ),
        never=INPUT_AND_OUTPUT,
    ),
)


def matches(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def modules_under(import_root: Path) -> dict[str, Path]:
    """Give the dotted name and the file of each module."""
    modules = {}
    for path in sorted(import_root.rglob("*.py")):
        parts = path.relative_to(import_root).with_suffix("").parts
        modules[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return modules


def imports_of(module: str, path: Path, known: Collection[str]) -> set[str]:
    """Give the dotted names a module imports, wherever in its source they stand.

    ``from a import b`` is `a.b` where that is one of the known modules, else `a`.
    """
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    imports = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imports |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            source = resolve_name("." * node.level + (node.module or ""), package)
            names = [f"{source}.{alias.name}" for alias in node.names]
            imports |= {name if name in known else source for name in names}
    return imports


def violations(rule: Rule, modules: dict[str, Path]) -> list[str]:
    return [
        f"{module} imports {imported}"
        for module, path in modules.items()
        if rule.covers(module)
        for imported in sorted(imports_of(module, path, modules))
        if rule.forbids(imported)
    ]


MODULES = {name: path for root in IMPORT_ROOTS for name, path in modules_under(root).items()}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_no_module_imports_what_it_must_not(rule: Rule) -> None:
    assert violations(rule, MODULES) == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_rule_covers_a_module(rule: Rule) -> None:
    assert any(rule.covers(module) for module in MODULES)


def test_both_packages_are_read() -> None:
    assert {"thousand", "thousand.cards", "thousand.rules.deal", "thousand_referee"} <= set(MODULES)


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("thousand/rules/deal.py", "import grpc"),
        ("thousand/rules/deal.py", "import thousand.view"),
        ("thousand/rules/deal.py", "from thousand import view"),
        ("thousand/rules/deal.py", "from thousand import Bot"),
        ("thousand/rules/deal.py", "from .. import view"),
        ("thousand/rules/__init__.py", "from ..view import View"),
        ("thousand/cards.py", "def late():\n    import numpy"),
        ("thousand/errors.py", "from google.protobuf import message"),
        ("thousand/bot.py", "from thousand_referee.match import play_match"),
        ("thousand/bot.py", "if TYPE_CHECKING:\n    import thousand_referee"),
        ("thousand/client.py", "from thousand.v1 import bot_pb2"),
        ("thousand/client.py", "import thousand.v1.bot_pb2 as messages"),
        ("thousand/view.py", "from .v1.bot_pb2 import Prompt"),
        ("thousand/view.py", "from . import v1"),
        ("thousand/codec/wire.py", "import grpc"),
        ("thousand/bot.py", "from grpc import aio"),
        ("thousand/rules/game.py", "from pathlib import Path"),
        ("thousand_referee/clock.py", "import asyncio.events"),
    ],
)
def test_each_way_of_breaking_a_rule_is_found(tmp_path: Path, module: str, source: str) -> None:
    for name in (module, "thousand/__init__.py", "thousand/view.py", "thousand/v1/__init__.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (tmp_path / module).write_text(source)
    found = {line for rule in RULES for line in violations(rule, modules_under(tmp_path))}
    assert len(found) == 1
    culprit = module.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    assert found.pop().startswith(f"{culprit} imports ")


def test_what_is_allowed_is_let_through(tmp_path: Path) -> None:
    sources = {
        "rules/deal.py": "import enum\nfrom collections.abc import Sequence\n"
        "from thousand.cards import Card\nfrom . import game\nfrom ..errors import IllegalAction",
        "rules/game.py": "from __future__ import annotations",
        "codec/prompts.py": "from thousand.v1 import bot_pb2\nfrom thousand import rules",
        "client.py": "import grpc.aio\nfrom thousand import codec",
        "v1/bot_pb2_grpc.py": "import grpc\nfrom thousand.v1 import bot_pb2",
    }
    for name, source in sources.items():
        path = tmp_path / "thousand" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source)
    for rule in RULES:
        assert violations(rule, modules_under(tmp_path)) == []
