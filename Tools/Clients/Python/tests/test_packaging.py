"""What an installation leaves where it was made from."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from harness import REPOSITORY


def test_wheel_holds_the_package_and_leaves_the_sources_as_they_were(tmp_path: Path) -> None:
    package = tmp_path / "package"
    generated = shutil.ignore_patterns("__pycache__", "*.egg-info", "build")
    shutil.copytree(REPOSITORY / "Tools/Clients/Python", package, ignore=generated)
    before = sorted(package.rglob("*"))
    subprocess.run(
        [
            *(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"),
            *("--no-build-isolation", "--wheel-dir", str(tmp_path / "wheels"), str(package)),
        ],
        check=True,
        capture_output=True,
    )
    assert sorted(package.rglob("*")) == before
    (wheel,) = (tmp_path / "wheels").iterdir()
    names = set(zipfile.ZipFile(wheel).namelist())
    source = package / "src"
    assert {str(path.relative_to(source)) for path in source.rglob("*.py")} <= names
    assert {"progressbus/py.typed", "progressbus/_generated/progressbus_pb2.pyi"} <= names
