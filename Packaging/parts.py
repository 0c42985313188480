"""Prints a CycloneDX list of the parts of a version: what is in the packages, with versions and licences.

parts.py VERSION

The parts are the tables of Licenses/README.md. The list depends on them alone.
"""
import json
import pathlib
import re
import subprocess
import sys
import uuid

version = sys.argv[1]
root = pathlib.Path(__file__).resolve().parent.parent
row = re.compile(r"\| \[(?P<name>.+?)\]\((?P<url>\S+)\)(?P<rest>.*?) \| \[(?P<licence>.+?)\]\(\S+\)(?P<exception>.*?) \| (?P<by>.+?) \|")
parts = []
for line in (root / "Licenses/README.md").read_text().splitlines():
    if not (match := row.match(line)):
        continue
    # Swift's libraries are those of the compiler.
    compiler = subprocess.run(["swift", "--version"], capture_output=True, text=True, check=True).stdout
    number = re.search(r"\d+(\.\d+)+", compiler if match["name"] == "Swift" else match["rest"])
    part = {
        "type": "machine-learning-model" if match["name"] == "Whisper" else "data" if match["name"] == "SCOWL" else "library",
        "bom-ref": match["name"],
        "name": match["name"],
        "publisher": match["by"],
        "licenses": [{"license": {"name": match["licence"] + match["exception"]}}],
        "externalReferences": [{"type": "website", "url": match["url"]}],
    }
    if number:
        part["version"] = number[0]
    parts.append(part)
document = {
    "bomFormat": "CycloneDX",
    "specVersion": "1.6",
    "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, f'longhand/{version}')}",
    "version": 1,
    "metadata": {
        "component": {
            "type": "application",
            "bom-ref": "longhand",
            "name": "longhand",
            "version": version,
            "licenses": [{"license": {"id": "Apache-2.0"}}],
        }
    },
    "components": parts,
    "dependencies": [{"ref": "longhand", "dependsOn": [part["bom-ref"] for part in parts]}],
}
print(json.dumps(document, indent=1))
