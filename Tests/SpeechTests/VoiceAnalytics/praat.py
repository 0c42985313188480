"""What Praat measures in recordings of 16 kHz mono 16-bit audio, as one JSON array on standard output.

usage: praat.py RECORDING...   (.wav with a RIFF header, anything else without one)

For each recording: "frequencies", the fundamental frequency in Hz of every 10 ms frame, 0 where it is not
voiced; "pulses", the glottal pulses in seconds; "jitter" (local) in per cent; "shimmer" (local, dB).
Frame i is centred on (i + 0.5) * 10 ms, as in Longhand's analyser.
"""

import json
import math
import sys
import wave

import numpy
import parselmouth
from parselmouth.praat import call

RATE = 16000
FRAME = 160
# Praat spreads its frames evenly around the middle of a sound, and wants three periods of 75 Hz, 40 ms, around
# each. A margin of 15 ms and a sample of silence gives it one frame for each of ours, around the same middle.
MARGIN = 241


def read(path):
    if path.endswith(".wav"):
        with wave.open(path) as file:
            assert (file.getframerate(), file.getnchannels(), file.getsampwidth()) == (RATE, 1, 2), path
            data = file.readframes(file.getnframes())
    else:
        with open(path, "rb") as file:
            data = file.read()
    return numpy.frombuffer(data[: len(data) // 2 * 2], "<i2") / 32768.0


def measure(path):
    samples = read(path)
    frames = math.ceil(len(samples) / FRAME)
    padded = numpy.zeros(frames * FRAME + 2 * MARGIN)
    padded[MARGIN : MARGIN + len(samples)] = samples - samples.mean()
    sound = parselmouth.Sound(padded, RATE)
    pitch = sound.to_pitch_ac(
        time_step=0.01, pitch_floor=75, max_number_of_candidates=15, very_accurate=False,
        silence_threshold=0.03, voicing_threshold=0.45, octave_cost=0.01, octave_jump_cost=0.35,
        voiced_unvoiced_cost=0.14, pitch_ceiling=600)
    assert pitch.get_number_of_frames() == frames, path
    assert abs(pitch.xs()[0] - MARGIN / RATE - 0.005) < 1e-9, path
    pulses = call([sound, pitch], "To PointProcess (cc)")
    count = call(pulses, "Get number of points")
    jitter = call(pulses, "Get jitter (local)", 0, 0, 0.0001, 0.02, 1.3)
    shimmer = call([sound, pulses], "Get shimmer (local_dB)", 0, 0, 0.0001, 0.02, 1.3, 1.6)
    return {
        "frequencies": pitch.selected_array["frequency"].tolist(),
        "pulses": [call(pulses, "Get time from index", i + 1) - MARGIN / RATE for i in range(count)],
        "jitter": 100 * jitter,
        "shimmer": shimmer,
    }


json.dump([measure(path) for path in sys.argv[1:]], sys.stdout, allow_nan=False)
