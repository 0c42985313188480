"""Checks Examples/Archive/opensearch without a server: the lines are valid bulk requests, and fit the mapping."""
import json
import pathlib
import subprocess
import tempfile

from archive import EXAMPLES, LONGHAND, SAMPLES, typed


def fits(value: object, field: dict) -> bool:
    """Whether a value can be in a field of the mapping. A list is many values."""
    if isinstance(value, list):
        return all(fits(item, field) for item in value)
    if field.get("type") == "nested":
        return isinstance(value, dict) and all(
            key in field["properties"] and fits(item, field["properties"][key]) for key, item in value.items())
    kinds = {"keyword": str, "text": str, "integer": int, "double": (int, float), "float": (int, float)}
    return value is None or isinstance(value, kinds[field["type"]])


jobs = [{"id": path.name, "path": str(path)} for path in sorted(SAMPLES.glob("*.wav"))[:2]] + [{"id": "x", "path": "x"}]
answers = subprocess.run(
    [LONGHAND, "worker"], input="".join(json.dumps(job) + "\n" for job in jobs), stdout=subprocess.PIPE, text=True,
    check=True).stdout
with tempfile.TemporaryDirectory() as folder:
    (pathlib.Path(folder) / "transcripts.jsonl").write_text(answers)
    lines = typed("opensearch", pathlib.Path(folder)).splitlines()
fields = json.loads((EXAMPLES / "opensearch/mapping.json").read_text())["mappings"]["properties"]
segments = sum(len(json.loads(answer).get("transcript", {"segments": []})["segments"]) for answer in answers.splitlines())
assert segments > 0 and len(lines) == 2 * segments, (segments, len(lines))
names = set()
for action, document in zip(map(json.loads, lines[::2]), map(json.loads, lines[1::2])):
    assert list(action) == ["index"] and list(action["index"]) == ["_id"], action
    names.add(action["index"]["_id"])
    assert set(document) == set(fields), document
    for name, value in document.items():
        assert fits(value, fields[name]), (name, value)
assert len(names) == segments
print(f"opensearch: {segments} documents fit the mapping")
