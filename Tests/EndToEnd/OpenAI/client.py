"""Calls a server with OpenAI's own client, and prints the results as one JSON object.

client.py ADDRESS TOKEN RECORDING NO-SOUND
"""
import json
import sys

import openai

address, token, recording, no_sound = sys.argv[1:]
client = openai.OpenAI(base_url=address + "v1", api_key=token, max_retries=0, timeout=300)


def transcribe(name=recording, **options):
    with open(name, "rb") as file:
        return client.audio.transcriptions.create(file=file, **{"model": "whisper-1", **options})


def refusal(**options):
    """The error type of the client and the parameter that the server names."""
    try:
        transcribe(**options)
    except openai.APIStatusError as error:
        return [type(error).__name__, error.param]
    return None


def ignored(**options):
    """The fields that the server names as ignored."""
    with open(recording, "rb") as file:
        answer = client.audio.transcriptions.with_raw_response.create(file=file, model="gpt-4o-transcribe", **options)
    assert answer.parse().text
    return answer.headers["x-longhand-ignored"]


def translation():
    """The text in English; the error's code if the model does not translate."""
    try:
        with open(recording, "rb") as file:
            return client.audio.translations.create(file=file, model="whisper-1").text
    except openai.APIStatusError as error:
        return error.code


def verbose(granularities):
    answer = transcribe(response_format="verbose_json", timestamp_granularities=granularities)
    return {
        "text": answer.text,
        "duration": float(answer.duration),
        "language": answer.language,
        "segments": [[s.start, s.end, s.text, s.avg_logprob] for s in answer.segments or []],
        "words": [[w.start, w.end, w.word] for w in answer.words or []],
    }


def streamed():
    deltas, done = "", None
    for event in transcribe(stream=True):
        if event.type == "transcript.text.delta":
            deltas += event.delta
        elif event.type == "transcript.text.done":
            done = event.text
    return [deltas, done]


diarized = transcribe(response_format="diarized_json", chunking_strategy="auto")

print(json.dumps({
    "models": [model.id for model in client.models.list()],
    "model": client.models.retrieve("longhand").id,
    "json": transcribe().text,
    "text": transcribe(response_format="text"),
    "srt": transcribe(response_format="srt"),
    "unstreamed": transcribe(response_format="srt", extra_body={"stream": "true"}),
    "vtt": transcribe(response_format="vtt"),
    "diarized": diarized.text,
    "speakers": sorted({segment.speaker for segment in diarized.segments}),
    "verbose": verbose(["segment"]),
    "words": verbose(["word"]),
    "streamed": streamed(),
    "alternatives": transcribe(extra_body={"alternatives": 3}).model_extra["alternatives"],
    "model_name": transcribe(model="Systran/faster-whisper-small").model_extra["model"],
    "ignored": ignored(prompt="Kimura, zugzwang", temperature=0.7, chunking_strategy="auto", include=["logprobs"]),
    "translation": translation(),
    "refusals": [
        refusal(response_format="docx"),
        refusal(language="xx"),
        refusal(name=no_sound),
        refusal(name=no_sound, stream=True),
    ],
}))
