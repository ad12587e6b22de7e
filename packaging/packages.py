#!/usr/bin/env python3
"""Says which packages are linked into the command for one target.

packages.py notices TARGET   their licences, as text
packages.py sbom TARGET      a bill of materials: CycloneDX 1.5, JSON

Run it in the folder of the workspace. It reads what cargo has on disk and asks nobody.
"""

import json
import pathlib
import re
import subprocess
import sys
import tomllib

FEATURES = ["--locked", "--features", "gdvar-cli/tables"]


def cargo(*arguments: str) -> str:
    return subprocess.run(["cargo", *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout


def linked(target: str) -> list[dict]:
    """What cargo knows of each linked package, those of the workspace included, by name."""
    metadata = json.loads(cargo("metadata", "--format-version", "1", "--filter-platform", target, *FEATURES))
    tree = cargo("tree", "-p", "gdvar-cli", "--target", target, "--edges", "normal,no-proc-macro",
                 "--prefix", "none", "--format", "{p}", *FEATURES)
    names = {tuple(line.split()[:2]) for line in tree.splitlines() if line}
    packages = [package for package in metadata["packages"] if (package["name"], "v" + package["version"]) in names]
    assert len(packages) == len(names), "cargo tree and cargo metadata differ"
    return sorted(packages, key=lambda package: (package["name"], package["version"]))


def texts(package: dict) -> list[str]:
    """The texts of the licence files of a package."""
    folder = pathlib.Path(package["manifest_path"]).parent
    names = ("license", "licence", "copying", "copyright", "notice", "unlicense")
    files = [file for file in sorted(folder.iterdir()) if file.is_file() and file.name.lower().startswith(names)]
    return [file.read_text(encoding="utf-8", errors="replace").strip() for file in files]


def notices(packages: list[dict]) -> None:
    # Most texts are the same but for their package.
    users: dict[str, list[str]] = {}
    print("gdvar contains these packages. Their licences follow.\n")
    for package in packages:
        if package["source"] is None:
            continue
        name = f"{package['name']} {package['version']}"
        print(f"{name}: {package['license']}")
        for text in texts(package):
            users.setdefault(text, []).append(name)
    for text, names in users.items():
        print(f"\n{'=' * 80}\n{', '.join(names)}\n{'-' * 80}\n{text}")


def component(package: dict, checksums: dict) -> dict:
    name, version = package["name"], package["version"]
    part = {
        "type": "application" if name == "gdvar-cli" else "library",
        "bom-ref": f"pkg:cargo/{name}@{version}",
        "name": name,
        "version": version,
        "purl": f"pkg:cargo/{name}@{version}",
        # Old manifests have `MIT/Apache-2.0` for what is now written with OR.
        "licenses": [{"expression": re.sub(" */ *", " OR ", package["license"])}],
    }
    if (name, version) in checksums:
        part["hashes"] = [{"alg": "SHA-256", "content": checksums[name, version]}]
    return part


def sbom(packages: list[dict]) -> None:
    lock = tomllib.loads(pathlib.Path("Cargo.lock").read_text(encoding="utf-8"))
    checksums = {(one["name"], one["version"]): one["checksum"] for one in lock["package"] if "checksum" in one}
    parts = [component(package, checksums) for package in packages]
    command = next(part for part in parts if part["name"] == "gdvar-cli")
    parts.remove(command)
    bill = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "metadata": {"component": command}, "components": parts}
    json.dump(bill, sys.stdout, indent="\t")
    print()


if __name__ == "__main__":
    {"notices": notices, "sbom": sbom}[sys.argv[1]](linked(sys.argv[2]))
