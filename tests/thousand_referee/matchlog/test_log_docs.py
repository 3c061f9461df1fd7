"""What `docs/LOG.md` says is so."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

from log_forger import read_values
from log_maker import GOLDEN
from thousand_referee.matchlog.records import Line

TEXT = (Path(__file__).parents[3] / "docs" / "LOG.md").read_text(encoding="utf-8")


def test_the_code_for_dealing_from_a_seed_deals_the_logged_cards() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)
    (path,) = GOLDEN.glob("*.jsonl.gz")
    header, *values = read_values(path)
    deals = [value for value in values if value["type"] == "deal"]
    assert len(deals) == 19
    for deal in deals:
        dealt = names["deal_cards"](header["seeds"][deal["game"]], deal["deal"])
        assert dealt == (deal["hands"], deal["talon"])


def test_every_key_is_shown_in_order() -> None:
    examples = re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)
    assert len(examples) == len(get_args(Line))
    for line, example in zip(get_args(Line), sorted_like_records(examples), strict=True):
        places = [example.index(f'"{name}":') for name in line.__struct_fields__]
        if line.__struct_config__.tag != "fault":  # its prompt has keys of the same names
            assert places == sorted(places)


def sorted_like_records(examples: list[str]) -> list[str]:
    by_type = {example[: example.index(",")]: example for example in examples}
    return [by_type[f'{{"type":"{line.__struct_config__.tag}"'] for line in get_args(Line)]
