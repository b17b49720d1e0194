#!/usr/bin/env python3
"""Prints the complete licences of all crates in the program.

usage: licences.py [--features NAMES] [--filter-platform TARGET]

TARGET is the system of the program, by default this one.

What a crate brings along of C is in its folder, with its licence. The texts are those that lie in the folders of the
crates; a licence shared by several crates is printed once, below all their names.
"""

import json
import os
import re
import subprocess
import sys

BEGINS = re.compile(r"(licen[cs]e|copying|notice|copyright|unlicense)", re.IGNORECASE)
# Source files and images with such names, and tests of the crates, are not licences.
ENDS = re.compile(r"\.(rs|c|h|py|toml|html|svg|png|json|yml|yaml)$", re.IGNORECASE)
HEAD = """plybook is free software under the GNU General Public License, version 3 or later: see the file LICENSE.

The program contains the libraries below, each under its own licence, and the standard library of Rust, which is under
MIT or Apache-2.0. The licences of the server's web pages are at the end. SQLite (in libsqlite3-sys) is in the public
domain, and so are the names of openings (CC0). The pieces are by Colin M. L. Burnett, under the GPL.

The sources of plybook name the exact version of each library in Cargo.lock.
"""


def crates(arguments):
    """The packages in the program: its run-time dependencies."""
    command = ["cargo", "metadata", "--format-version", "1", "--locked", *arguments]
    if "--filter-platform" not in arguments:
        version = subprocess.run(["rustc", "-vV"], capture_output=True, text=True, check=True).stdout
        command += ["--filter-platform", re.search(r"^host: (.*)$", version, re.MULTILINE).group(1)]
    metadata = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    root = metadata["resolve"]["root"]
    found, following = {root}, [root]
    while following:
        for dependency in nodes[following.pop()]["deps"]:
            is_inside = any(kind["kind"] is None for kind in dependency["dep_kinds"])
            if is_inside and dependency["pkg"] not in found:
                found.add(dependency["pkg"])
                following.append(dependency["pkg"])
    # Packages without a source are members of the workspace.
    libraries = (packages[found_id] for found_id in found if packages[found_id]["source"])
    return sorted(libraries, key=lambda package: (package["name"], package["version"]))


def texts(folder):
    """The licences in a directory and its subdirectories."""
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in ("tests", "test", "doc", "docs", "benches"))
        for name in sorted(files):
            if BEGINS.match(name) and not ENDS.search(name):
                with open(os.path.join(place, name), encoding="utf-8", errors="replace") as file:
                    text = file.read().replace("\r\n", "\n").replace("\x0c", "").strip("\n")
                if text:
                    yield text


def main():
    by_text, without = {}, []
    packages = crates(sys.argv[1:])
    names = {}
    for package in packages:
        name = names[package["id"]] = f"{package['name']} {package['version']}"
        found = list(dict.fromkeys(texts(os.path.dirname(package["manifest_path"]))))
        if not found:
            without.append((name, package))
        for text in found:
            # Ignore differences in line breaks.
            by_text.setdefault(" ".join(text.split()), ([], text))[0].append(name)
    print(HEAD)
    for package in packages:
        print(f"  {names[package['id']]}: {package['license']}")
    for name, package in without:
        print(f"\n{name} comes without a licence text; its licence is {package['license']}.")
    for owners, text in by_text.values():
        print(f"\n{'-' * 78}\n{', '.join(owners)}\n{'-' * 78}\n\n{text}")
    with open("web/dist/LICENCES.txt", encoding="utf-8") as file:
        print(f"\n{'-' * 78}\nThe pages of the server\n{'-' * 78}\n\n{file.read()}", end="")


main()
