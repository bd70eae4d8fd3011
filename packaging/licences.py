#!/usr/bin/env python3
"""Writes the licences of everything that is part of the program.

    packaging/licences.py TARGET [--package NAME] > THIRD-PARTY-LICENCES.txt

The crates are those that cargo links for the target (`cargo tree`), with the C sources that
they bring, and the packages of the page. A licence that deny.toml does not allow is an error, and so
is a crate without one. Texts that several packages share are written once.
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
TEXT = re.compile(r"^(licen[cs]e|copying|notice|unlicense|copyright)", re.IGNORECASE)
# The packages of which the page is made; all others of web/ are tools.
PAGE = ["preact", "@preact/signals", "@preact/signals-core", "eventsource-parser"]
DEEPEST = 4


def cargo(*arguments: str) -> str:
    return subprocess.run(["cargo", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def linked(package: str, target: str) -> set[tuple[str, str]]:
    """Names and versions of the crates that are linked."""
    tree = cargo("tree", "--locked", "--package", package, "--target", target, "--edges", "normal,no-proc-macro",
                 "--prefix", "none", "--format", "{p}")
    return {(name, version.removeprefix("v")) for name, version, *_ in map(str.split, filter(None, tree.splitlines()))}


def allowed(expression: str, licences: set[str]) -> bool:
    """Whether an SPDX expression is satisfied by the allowed licences."""
    words = re.split(r"(\(|\)|\bAND\b|\bOR\b)", expression.replace("/", " OR "))
    known = {"AND": "and", "OR": "or", "(": "(", ")": ")"}
    python = " ".join(known.get(word, str(word in licences)) for word in map(str.strip, words) if word)
    return bool(eval(python, {"__builtins__": {}}))  # only True, False, and, or, brackets


def texts(directory: pathlib.Path) -> list[tuple[pathlib.Path, str]]:
    """The licence texts of a package, those of sources that it brings too."""
    found = [
        path for path in directory.rglob("*")
        if TEXT.match(path.name) and path.is_file() and len(path.relative_to(directory).parts) <= DEEPEST
        and path.suffix.lower() in ("", ".md", ".txt", ".mit", ".apache", ".apache-2.0", ".bsd", ".html")
    ]
    return [(path.relative_to(directory), path.read_text(errors="replace").strip()) for path in sorted(found)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target")
    parser.add_argument("--package", default="lambda6")
    options = parser.parse_args()
    licences = set(tomllib.loads((ROOT / "deny.toml").read_text())["licenses"]["allow"])
    packages = json.loads(cargo("metadata", "--locked", "--format-version", "1"))["packages"]
    wanted = linked(options.package, options.target)
    users = collections.defaultdict(list)  # of each text
    rows, problems = [], []
    for package in sorted(packages, key=lambda package: package["name"]):
        name, version, licence = package["name"], package["version"], package["license"]
        if (name, version) not in wanted or name.startswith("lambda6") or package["source"] is None:
            continue
        if not licence:
            problems.append(f"{name} {version} names no licence")
        elif not allowed(licence, licences):
            problems.append(f"{name} {version} has the licence {licence}, which deny.toml does not allow")
        rows.append(f"{name} {version}: {licence}")
        for path, text in texts(pathlib.Path(package["manifest_path"]).parent):
            users[text].append(f"{name} {version}, {path}")
    for name in PAGE:
        directory = ROOT / "web/node_modules" / name
        if not directory.is_dir():
            problems.append(f"{directory} is missing: make page-deps")
            continue
        about = json.loads((directory / "package.json").read_text())
        rows.append(f"{name} {about['version']} (the page): {about['license']}")
        for path, text in texts(directory):
            users[text].append(f"{name} {about['version']} (the page), {path}")
    if problems:
        sys.exit("\n".join(f"licences: {problem}" for problem in problems))
    print("lambda6 is made with the following packages. Their licences follow.\n")
    print("\n".join(rows))
    print("\nlibsqlite3-sys has the sources of SQLite, which are in the public domain.")
    for text, named in users.items():
        print("\n" + "=" * 100 + "\n" + "\n".join(named) + "\n\n" + text)


if __name__ == "__main__":
    main()
