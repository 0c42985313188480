"""Noises. Training hears TRAINING_NOISES; the others are for the evaluation."""

import numpy

RATE = 16000


def fast_length(count):
    """A length of at least count whose Fourier transform is fast."""
    return -(-count // 4096) * 4096


def shaped(rng, count, exponent):
    """Noise whose power falls with the frequency to the exponent: 0 white, 1 pink, 2 brown."""
    length = fast_length(count)
    spectrum = numpy.fft.rfft(rng.standard_normal(length))
    frequency = numpy.maximum(numpy.arange(len(spectrum)) * RATE / length, 20)
    return numpy.fft.irfft(spectrum * frequency ** (-exponent / 2), length)[:count]


def white(rng, count):
    return shaped(rng, count, 0)


def pink(rng, count):
    return shaped(rng, count, 1)


def brown(rng, count):
    return shaped(rng, count, 2)


def hum(rng, count):
    """Mains hum with harmonics."""
    base = rng.choice([50, 60, 100, 120]) * rng.uniform(0.99, 1.01)
    time = numpy.arange(count) / RATE
    tones = [numpy.sin(2 * numpy.pi * base * k * time + rng.uniform(0, 6)) * rng.uniform(0, 1) / k for k in range(1, 12)]
    return sum(tones) + 0.05 * rng.standard_normal(count)


def clicks(rng, count):
    """Short knocks, each with its own resonance."""
    result = 0.003 * rng.standard_normal(count)
    for _ in range(max(1, int(count / RATE * rng.uniform(0.5, 6)))):
        length = int(rng.uniform(0.005, 0.08) * RATE)
        time = numpy.arange(length) / RATE
        knock = numpy.exp(-time / rng.uniform(0.002, 0.02)) * numpy.sin(2 * numpy.pi * rng.uniform(150, 4000) * time)
        start = rng.integers(0, max(1, count - length))
        result[start : start + length] += (knock * rng.uniform(0.2, 1))[: count - start]
    return result


def tones(rng, count):
    """Beeps and glides."""
    result = 0.001 * rng.standard_normal(count)
    position = 0
    while position < count:
        length = min(count - position, int(rng.uniform(0.05, 1.5) * RATE))
        start, end = rng.uniform(150, 4000, 2) if rng.random() < 0.4 else [rng.uniform(150, 4000)] * 2
        phase = 2 * numpy.pi * numpy.cumsum(numpy.linspace(start, end, length)) / RATE
        result[position : position + length] += numpy.sin(phase)
        if rng.random() < 0.4:
            result[position : position + length] += numpy.sin(phase * rng.uniform(1.2, 2.2))
        position += length + int(rng.uniform(0, 0.8) * RATE)
    return result


def music(rng, count):
    """Notes with harmonics, which come and fade."""
    result = numpy.zeros(count)
    beat = rng.uniform(0.12, 0.5)
    for start in numpy.arange(0, count / RATE, beat):
        first = int(start * RATE)
        time = numpy.arange(min(int(3 * beat * RATE), count - first)) / RATE
        for _ in range(rng.integers(1, 4)):
            pitch = 110 * 2 ** (rng.integers(0, 36) / 12)
            fade = numpy.exp(-time / rng.uniform(0.1, 1)) * numpy.minimum(time / rng.uniform(0.003, 0.05), 1)
            for harmonic in range(1, 5):
                level = rng.uniform(0.2, 1) / harmonic**rng.uniform(0.7, 2)
                result[first : first + len(time)] += level * fade * numpy.sin(2 * numpy.pi * pitch * harmonic * time)
    return result


def wind(rng, count):
    """Brown noise that swells and falls."""
    time = numpy.arange(count) / RATE
    swell = 0.6 + 0.4 * numpy.sin(2 * numpy.pi * rng.uniform(0.2, 0.8) * time + rng.uniform(0, 6))
    return shaped(rng, count, 1.6) * swell


def rain(rng, count):
    """Very many weak drops."""
    drops = rng.standard_normal(count) * (rng.random(count) < 0.01)
    response = numpy.exp(-numpy.arange(200) / 25) * numpy.sin(numpy.arange(200) * rng.uniform(0.8, 2))
    return numpy.convolve(drops, response)[:count]


TRAINING_NOISES = [white, pink, brown, hum, clicks, tones, music]
HELD_OUT_NOISES = [wind, rain]


def loudness(samples):
    return float(numpy.sqrt(numpy.mean(samples**2)) + 1e-9)


def add(samples, noise, decibels):
    """Adds the noise so that the sound is that many decibels above it. The sound must not be silent."""
    # Pauses do not count, so that the ratio is that of the words.
    frames = samples[: len(samples) // 400 * 400].reshape(-1, 400)
    powers = numpy.sort((frames**2).mean(axis=1))
    speech = float(numpy.sqrt(powers[len(powers) // 2 :].mean()))
    return samples + noise / loudness(noise) * speech / 10 ** (decibels / 20)
