"""What breaks the lessons of the fleet on purpose (`Benchmarks/Fleet/broken`) fits the sources as they are."""

import json
from pathlib import Path

from harness.fleet.checker import RULES

ROOT = Path(__file__).resolve().parents[3]


def test_each_change_has_its_one_place():
    for lesson in json.loads((ROOT / "Benchmarks/Fleet/lessons.json").read_text()):
        assert set(lesson) == {"lesson", "broken", "rules", "changes"} and lesson["changes"], lesson
        assert lesson["rules"] and set(lesson["rules"]) <= set(RULES), lesson
        for change in lesson["changes"]:
            assert set(change) == {"file", "from", "to"} and change["from"] != change["to"], change
            text = (ROOT / change["file"]).read_text()
            assert text.count(change["from"]) == 1, f"lesson {lesson['lesson']}: {change['file']}: {change['from']}"
