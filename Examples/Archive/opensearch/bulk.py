"""Turns lines of `longhand worker` into OpenSearch's bulk format: a document for each segment, with its times.

    curl -X PUT "$URL/transcripts" -H 'Content-Type: application/json' -d @mapping.json
    python3 bulk.py <transcripts.jsonl | split -l 2000 --filter \\
      'curl -sf -X POST "$URL/transcripts/_bulk" -H "Content-Type: application/x-ndjson" --data-binary @-'

A document's ID is made of the audio's digest and the segment, so that lines that are sent again replace themselves. Failed
jobs without a transcript have no document.
"""
import json
import sys

for line in sys.stdin:
    answer = json.loads(line)
    transcript = answer.get("transcript")
    if transcript is None:
        continue
    for segment in transcript["segments"]:
        print(json.dumps({"index": {"_id": f"{answer['sha256']}-{segment['id']}"}}))
        print(json.dumps({
            "path": answer["path"], "sha256": answer["sha256"], "locale": transcript["locale"],
            "model": transcript.get("model", {}).get("name"), "segment": segment["id"],
            "start": segment["start"], "end": segment["end"], "confidence": segment["confidence"],
            "text": segment["formatted"],
            "alternatives": [other["text"] for other in segment["alternatives"]],
            "words": [{key: word[key] for key in ("text", "start", "end")} for word in segment["words"]],
        }, ensure_ascii=False))
