"""Transcribes a recording by the Wyoming protocol, with Home Assistant's own package, and prints the results as JSON.

wyoming_client.py ADDRESS RECORDING

RECORDING is a WAVE file with 16 bits.
"""
import asyncio
import json
import sys
import wave

from wyoming.asr import Transcribe, Transcript
from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.client import AsyncClient
from wyoming.error import Error
from wyoming.info import Describe, Info

address, recording = sys.argv[1:]


async def transcribe(client, language=None, width=2):
    with wave.open(recording) as sound:
        rate, channels = sound.getframerate(), sound.getnchannels()
        await client.write_event(Transcribe(language=language).event())
        await client.write_event(AudioStart(rate=rate, width=width, channels=channels).event())
        while audio := sound.readframes(1024):
            await client.write_event(AudioChunk(rate=rate, width=width, channels=channels, audio=audio).event())
        await client.write_event(AudioStop().event())
    while event := await client.read_event():
        if Transcript.is_type(event.type):
            return Transcript.from_event(event).text
        if Error.is_type(event.type):
            return {"error": Error.from_event(event).code}
    return None


async def main():
    async with AsyncClient.from_uri(address) as client:
        await client.write_event(Describe().event())
        info = Info.from_event(await client.read_event())
        program = info.asr[0]
        first = await transcribe(client, "en")
        second = await transcribe(client)
        refused = await transcribe(client, width=4)
    print(json.dumps({
        "model": program.models[0].name, "languages": program.models[0].languages, "installed": program.installed,
        "first": first, "second": second, "refused": refused,
    }))


asyncio.run(main())
