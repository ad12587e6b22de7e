"""The examples of the README, the guide and the documentation print what they say."""

from __future__ import annotations

import doctest
import importlib.util
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import gdvar
import pytest

README = Path(__file__).parents[1] / "README.md"
GUIDE = Path(__file__).parents[3] / "docs/guide/python.md"
EXAMPLES = [code for page in (README, GUIDE) for code in re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)]


@pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
def test_examples_of_the_pages(example: str, tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", example], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    said = re.findall(r"^ *print\(.*\)  # (.*)$", example, re.MULTILINE)
    printed = done.stdout.splitlines()
    assert said and printed[: len(said)] == said


def test_examples_of_the_documentation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for module in (gdvar, gdvar._files):
        done = doctest.testmod(module)
        assert done.attempted and not done.failed


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_the_examples_and_the_tests_have_types(checker: str, tmp_path: Path) -> None:
    """As users check their own code: mypy in its strict mode, and pyright."""
    if not importlib.util.find_spec(checker):
        pytest.skip(f"SKIPPED: {checker} is not installed")
    for test in Path(__file__).parent.glob("*.py"):
        (tmp_path / test.name).write_text(test.read_text())
    for number, example in enumerate(EXAMPLES):
        (tmp_path / f"example{number}.py").write_text(example)
    settings = tomllib.loads((README.parent / "pyproject.toml").read_text())["tool"]["pyright"]
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    if checker == "mypy":
        how = ["--config-file", str(README.parent / "pyproject.toml"), "--cache-dir", str(tmp_path / "cache"), "."]
    else:
        how = ["--pythonpath", sys.executable]
    done = subprocess.run([sys.executable, "-m", checker, *how], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_stubs_name_what_there_is() -> None:
    stubs = (Path(gdvar.__file__).parent / "_gdvar.pyi").read_text()
    named = set(re.findall(r"^(?:class|def) (\w+)", stubs, re.MULTILINE)) - {"_Reals", "_Ints", "_Bytes"}
    there = {name for name in vars(gdvar._gdvar) if not name.startswith("__")}
    assert named == there
    for name in re.findall(r"^class (\w+)", stubs, re.MULTILINE):
        body = stubs.split(f"class {name}", 1)[1].split("\nclass ")[0].split("\ndef ")[0]
        own = getattr(gdvar._gdvar, name, None)
        for member in re.findall(r"    def (\w+)", body):
            assert own is None or member in ("__hash__", "__array__") or hasattr(own, member) or member == "__iter__" or (
                member == "__buffer__" and sys.version_info < (3, 12)
            ), f"{name}.{member}"
    assert set(gdvar.__all__) <= set(vars(gdvar))
    assert (Path(gdvar.__file__).parent / "py.typed").exists()
