"""Speech from flite and espeak-ng, with the times of its words."""

import ctypes
import ctypes.util
import functools
import math
import re
import subprocess
import tempfile
import wave
from dataclasses import dataclass, field

import numpy

RATE = 16000


@dataclass
class Utterance:
    """A recording and its words: (word, start, end) in seconds."""

    samples: numpy.ndarray
    words: list = field(default_factory=list)


@dataclass(frozen=True)
class Voice:
    """A voice of a synthesizer. name: for espeak-ng an accent and a variant, such as "en-us+f2"."""

    synthesizer: str
    name: str


def resample(samples, numerator, denominator):
    """Changes the length by numerator / denominator, by cutting or padding the spectrum."""
    # Lengths with small prime factors, because others make the transform slow.
    unit = 16 * denominator
    padded = numpy.pad(samples, (0, -len(samples) % unit))
    spectrum = numpy.fft.rfft(padded)
    length = len(padded) * numerator // denominator
    resized = numpy.zeros(length // 2 + 1, dtype=complex)
    count = min(len(spectrum), len(resized))
    resized[:count] = spectrum[:count]
    result = numpy.fft.irfft(resized, length) * (numerator / denominator)
    return result[: len(samples) * numerator // denominator]


def speak(voice, text, speed=1.0, pitch=50):
    """Speaks the text. speed: 1 is the synthesizer's own. pitch: 0 to 100. Returns an utterance at RATE."""
    if voice.synthesizer == "flite":
        return speak_with_flite(voice.name, text, speed, pitch)
    return speak_with_espeak(voice.name, text, speed, pitch)


# flite


def run_flite(voice, text, speed, pitch, path):
    """Writes the speech to the path. Returns its phones and their ends."""
    # A voice's own pitch is better than one value for all, so pitch is a factor of about 0.8 to 1.2 here.
    mean = {"kal16": 105, "awb": 130, "rms": 100, "slt": 170}[voice] * (0.8 + 0.4 * pitch / 100)
    printed = subprocess.run(
        ["flite", "-voice", voice, "--setf", f"duration_stretch={1 / speed:.3f}", "--setf",
         f"int_f0_target_mean={mean:.0f}", "-psdur", "-o", path, "-t", text],
        check=True, capture_output=True, text=True).stdout
    return [(phone, float(end)) for phone, end in re.findall(r"(\S+?):([\d.]+)", printed)]


@functools.cache
def flite_phones(voice, word):
    """The phones of a word."""
    return [phone for phone, _ in run_flite(voice, word, 1, 50, "none") if phone != "pau"]


def speak_with_flite(voice, text, speed, pitch):
    with tempfile.NamedTemporaryFile(suffix=".wav") as file:
        phones = run_flite(voice, text, speed, pitch, file.name)
        with wave.open(file.name) as recording:
            rate = recording.getframerate()
            samples = numpy.frombuffer(recording.readframes(recording.getnframes()), dtype=numpy.int16) / 32768
    assert rate == RATE, "the voice is not at 16 kHz"
    starts = [0.0] + [end for _, end in phones[:-1]]
    sounding = [(phone, start, end) for (phone, end), start in zip(phones, starts) if phone != "pau"]
    words, index = [], 0
    for word in re.findall(r"[a-z']+", text.lower()):
        count = len(flite_phones(voice, word))
        part = sounding[index : index + count]
        if len(part) < count:
            return Utterance(samples)  # Spoken otherwise than alone; the caller drops it.
        words.append((word, part[0][1], part[-1][2]))
        index += count
    return Utterance(samples, words if index == len(sounding) else [])


# espeak-ng, through its C library, because only that gives the times of the phones


class Identifier(ctypes.Union):
    _fields_ = [("number", ctypes.c_int), ("name", ctypes.c_char_p), ("string", ctypes.c_char * 8)]


class Event(ctypes.Structure):
    _fields_ = [
        ("type", ctypes.c_int), ("unique_identifier", ctypes.c_uint), ("text_position", ctypes.c_int),
        ("length", ctypes.c_int), ("audio_position", ctypes.c_int), ("sample", ctypes.c_int),
        ("user_data", ctypes.c_void_p), ("id", Identifier)]


WORD_EVENT, PHONEME_EVENT = 1, 7
SYNCHRONOUS, PHONEME_EVENTS = 2, 1
RATE_PARAMETER, PITCH_PARAMETER = 1, 3
UTF8 = 1


class Espeak:
    """The library, which can be opened once in a process."""

    def __init__(self):
        self.library = ctypes.CDLL(ctypes.util.find_library("espeak-ng"))
        self.rate = self.library.espeak_Initialize(SYNCHRONOUS, 0, None, PHONEME_EVENTS)
        kind = ctypes.CFUNCTYPE(
            ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.POINTER(Event))
        self.callback = kind(self.receive)  # Kept here, because the library does not own it.
        self.library.espeak_SetSynthCallback(self.callback)

    def receive(self, samples, count, events):
        if samples and count:
            self.samples.append(numpy.ctypeslib.as_array(samples, (count,)).copy())
        index = 0
        while events[index].type != 0:
            event = events[index]
            if event.type == WORD_EVENT:
                self.events.append((event.audio_position / 1000, None))
            elif event.type == PHONEME_EVENT:
                self.events.append((event.audio_position / 1000, event.id.string.decode(errors="replace")))
            index += 1
        return 0

    def speak(self, voice, text, speed, pitch):
        self.samples, self.events = [], []
        assert self.library.espeak_SetVoiceByName(voice.encode()) == 0, f"espeak-ng has no voice {voice}"
        self.library.espeak_SetParameter(RATE_PARAMETER, round(165 * speed), 0)
        self.library.espeak_SetParameter(PITCH_PARAMETER, pitch, 0)
        data = text.encode() + b"\0"
        self.library.espeak_Synth(data, len(data), 0, 0, 0, UTF8, None, None)
        return numpy.concatenate(self.samples) / 32768, self.events


@functools.cache
def espeak():
    return Espeak()


def speak_with_espeak(voice, text, speed, pitch):
    samples, events = espeak().speak(voice, text, speed, pitch)
    spoken = re.findall(r"[a-z']+", text.lower())
    words, current = [], None
    for time, phone in events + [(len(samples) / espeak().rate, "")]:
        silent = phone is not None and phone.strip("_:;,|") == ""
        if current is not None and (phone is None or silent) and current[0] is not None:
            words.append((current[0], time))
            current = None
        if phone is None:
            current = [None]
        elif not silent and current is not None and current[0] is None:
            current[0] = time
    divisor = math.gcd(RATE, espeak().rate)
    matched = [(word, *times) for word, times in zip(spoken, words)] if len(spoken) == len(words) else []
    return Utterance(resample(samples, RATE // divisor, espeak().rate // divisor), matched)
