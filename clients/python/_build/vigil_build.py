"""Builds the wheel and the source archive (PEP 517, PEP 660) using only the standard library."""

import base64
import hashlib
import os
import re
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "src"
# The time of every entry of a wheel: the earliest that a zip archive can store. It is fixed, so that equal sources give
# equal wheels.
EPOCH = (1980, 1, 1, 0, 0, 0)


def _project():
    """Returns the string values of [project]. Uses a pattern, because Python before 3.11 has no TOML parser."""
    section = (ROOT / "pyproject.toml").read_text("utf-8").split("[project]\n")[1].split("\n[")[0]
    return dict(re.findall(r'^([\w-]+) = "(.*)"$', section, re.MULTILINE))


def _stem():
    project = _project()
    return f"{project['name'].replace('-', '_')}-{project['version']}"


def _metadata():
    project = _project()
    head = [
        "Metadata-Version: 2.1",
        f"Name: {project['name']}",
        f"Version: {project['version']}",
        f"Summary: {project['description']}",
        "License: Apache-2.0",
        f"Requires-Python: {project['requires-python']}",
        "Provides-Extra: pandas",
        'Requires-Dist: pandas>=1.3; extra == "pandas"',
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(head) + "\n\n" + (ROOT / "README.md").read_text("utf-8")


def _files():
    found = [path for path in SOURCES.rglob("*") if path.is_file() and path.suffix in ("", ".py", ".typed")]
    return sorted(path for path in found if "__pycache__" not in path.parts)


def _write_wheel(folder, files):
    stem = _stem()
    name = f"{stem}-py3-none-any.whl"
    info = f"{stem}.dist-info"
    wheel = "Wheel-Version: 1.0\nGenerator: vigil_build\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files = {**files, f"{info}/METADATA": _metadata().encode(), f"{info}/WHEEL": wheel.encode()}
    record = []
    with zipfile.ZipFile(os.path.join(folder, name), "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{path},sha256={digest},{len(content)}\n")
            archive.writestr(_entry(path), content)
        record.append(f"{info}/RECORD,,\n")
        archive.writestr(_entry(f"{info}/RECORD"), "".join(record))
    return name


def _entry(path):
    entry = zipfile.ZipInfo(path, EPOCH)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    return entry


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    files = {path.relative_to(SOURCES).as_posix(): path.read_bytes() for path in _files()}
    return _write_wheel(wheel_directory, files)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return _write_wheel(wheel_directory, {"vigil_client.pth": f"{SOURCES}\n".encode()})


def build_sdist(sdist_directory, config_settings=None):
    stem = _stem()
    name = f"{stem}.tar.gz"
    others = [ROOT / "pyproject.toml", ROOT / "README.md", Path(__file__).resolve()]
    with tarfile.open(os.path.join(sdist_directory, name), "w:gz") as archive:
        for path in [*others, *_files()]:
            archive.add(path, f"{stem}/{path.relative_to(ROOT).as_posix()}")
    return name
