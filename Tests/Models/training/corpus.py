"""The recordings: what is said, by which voices, and in which noise."""

import numpy

import noise
from speech import RATE, Utterance, Voice, resample, speak
from vocabulary import COMMANDS, DIGITS, HOTWORD

FLITE = ["kal16", "slt", "awb"]
ACCENTS = ["en-us", "en", "en-gb-scotland", "en-029", "en-us-nyc", "en-gb-x-rp", "en-gb-x-gbclan"]
VARIANTS = [
    "", "+m1", "+m2", "+m3", "+m4", "+m5", "+m6", "+m8", "+f1", "+f2", "+f3", "+f5", "+klatt", "+klatt2", "+klatt3",
    "+Alex", "+Alicia", "+Andrea", "+Andy", "+belinda", "+Gene", "+Jacky", "+Lee", "+linda", "+Marco", "+michel",
    "+rob", "+steph", "+victor", "+zac"]
TRAINING_VOICES = [Voice("flite", name) for name in FLITE] + [
    Voice("espeak-ng", accent + variant) for accent in ACCENTS for variant in VARIANTS]
HELD_OUT_VOICES = [Voice("flite", "rms")] + [
    Voice("espeak-ng", name) for name in [
        "en-us+f4", "en+m7", "en-gb-x-gbcwmd+m7", "en-us+Annie", "en-gb-x-gbcwmd+f4", "en-us+edward",
        "en+Annie", "en-us+Mike"]]

# Ordinary sentences without the words of the models. They are labelled with nothing.
SENTENCES = [
    "the weather will be fair all week", "please bring a cup of tea", "our train leaves from platform b",
    "she reads a book in the garden", "many people visit the museum", "the river runs through the valley",
    "it rained during the whole afternoon", "he repairs old clocks and watches", "this letter came by mail",
    "we had a long talk about music", "the children play in the park", "a small dog barked at the mailman",
    "my sister works at a hospital", "the meeting took place in a large hall", "do you like the taste of ginger",
    "they moved to a house near the lake", "the teacher explained a difficult question",
    "fresh bread smells wonderful", "he forgot the key at home", "the moon was bright above the hills",
    "birds sing early in the morning", "the engine made a strange sound", "her coat is made of wool",
    "the market sells apples and pears", "all of us laughed at his joke", "the road turns left at the bridge",
    "I would rather walk than drive", "a painter mixed blue and yellow", "winter came early that year",
    "the judge asked him to speak louder", "their garden is full of roses", "the doctor gave her some advice"]
HELD_OUT_SENTENCES = [
    "the ship sailed along the coast", "a farmer grows wheat and barley", "he writes poems about the sea",
    "the lamp hung from a wooden beam", "we drank coffee under the trees", "her brother plays the violin",
    "that bicycle belongs to a friend", "a thick fog covered the village"]


def random_words(rng, count, hotword=0.06):
    """Words to say: mostly digits, some commands, and the hotword with the given probability."""
    words = []
    for _ in range(count):
        if rng.random() < hotword:
            words.append(HOTWORD)
        else:
            words.append(str(rng.choice(list(DIGITS if rng.random() < 0.6 else COMMANDS))))
    return words


def say(rng, voice, words):
    """Speaks the words with a random speed and pitch. Returns nothing where the words could not be aligned."""
    separators = [[" "], [", "], [" ", ", "], [" ", " ", ". "]][rng.integers(0, 4)]
    text = words[0] + "".join(str(rng.choice(separators)) + word for word in words[1:])
    result = speak(voice, text, float(rng.uniform(0.75, 1.3)), int(rng.integers(15, 85)))
    return result if [word for word, _, _ in result.words] == words else None


def say_random(rng, voices, count, hotword=0.06, flite=None):
    """Utterances of one to seven words. flite: how many of them by flite; all voices are alike without it."""
    result = []
    while len(result) < count:
        utterance = say(rng, choose(rng, voices, flite), random_words(rng, int(rng.integers(1, 8)), hotword))
        if utterance is not None:
            result.append(utterance)
    return result


def choose(rng, voices, flite=None):
    """A voice. flite: the share of flite's voices, which are few."""
    if flite is not None:
        from_flite = rng.random() < flite
        voices = [voice for voice in voices if (voice.synthesizer == "flite") == from_flite]
    return voices[rng.integers(0, len(voices))]


def say_sentences(rng, voices, sentences, count):
    """Ordinary speech, without words to recognize."""
    result = []
    for _ in range(count):
        sentence = str(rng.choice(sentences))
        utterance = speak(choose(rng, voices), sentence, float(rng.uniform(0.8, 1.3)), int(rng.integers(15, 85)))
        result.append(Utterance(utterance.samples))
    return result


def stretch(utterance, percent):
    """Changes speed and pitch together. percent: 110 is a tenth slower and lower."""
    samples = resample(utterance.samples, percent, 100)
    factor = percent / 100
    return Utterance(samples, [(word, start * factor, end * factor) for word, start, end in utterance.words])


def join(rng, utterances, lead, gap, tail):
    """Puts utterances one after another. lead, gap, tail: the shortest and longest silence in seconds."""
    parts, words, position = [], [], 0
    for index, utterance in enumerate(utterances):
        silence = numpy.zeros(int(rng.uniform(*(gap if index else lead)) * RATE))
        position += len(silence)
        words += [(word, start + position / RATE, end + position / RATE) for word, start, end in utterance.words]
        level = 10 ** (rng.uniform(-6, 6) / 20) if index else 1
        parts += [silence, utterance.samples * level]
        position += len(utterance.samples)
    parts.append(numpy.zeros(int(rng.uniform(*tail) * RATE)))
    return Utterance(numpy.concatenate(parts), words)


def room(rng, samples):
    """Adds the sound of a small room and of a microphone."""
    length = int(rng.uniform(0.05, 0.35) * RATE)
    response = rng.standard_normal(length) * numpy.exp(-numpy.arange(length) / (length / 5)) * rng.uniform(0.003, 0.04)
    response[0] = 1
    size = noise.fast_length(len(samples) + length)
    spectrum = numpy.fft.rfft(samples, size) * numpy.fft.rfft(response, size)
    frequency = numpy.linspace(0, 1, len(spectrum))
    tilt = 10 ** (rng.uniform(-9, 9) * (frequency - 0.2) / 20)
    if rng.random() < 0.25:
        tilt[frequency > rng.uniform(0.4, 0.9)] *= 0.01
    return numpy.fft.irfft(spectrum * tilt, size)[: len(samples)]


def finish(rng, utterance):
    """Sets the level and rounds to 16 bit."""
    peak = float(numpy.abs(utterance.samples).max())
    level = 10 ** (rng.uniform(-26, -1) / 20) / peak if peak > 0 else 0
    utterance.samples = numpy.round(utterance.samples * level * 32767).astype(numpy.int16)
    return utterance


def wordless(rng, sentences):
    """Silence, noise, or ordinary speech in noise."""
    count = int(rng.uniform(1, 8) * RATE)
    kind = rng.random()
    if kind < 0.1:
        samples = numpy.zeros(count) if rng.random() < 0.5 else 1e-4 * rng.standard_normal(count)
        return Utterance(numpy.round(samples * 32767).astype(numpy.int16))
    if kind < 0.4:
        make = noise.TRAINING_NOISES[rng.integers(0, len(noise.TRAINING_NOISES))]
        return finish(rng, Utterance(make(rng, count)))
    picked = [sentences[rng.integers(0, len(sentences))] for _ in range(rng.integers(1, 3))]
    return disturb(rng, join(rng, picked, (0, 1), (0.1, 1), (0, 1)), noise.TRAINING_NOISES, (8, 40))


def disturb(rng, utterance, noises, decibels):
    """Adds room, noise and level."""
    if rng.random() < 0.4:
        utterance.samples = room(rng, utterance.samples)
    if rng.random() < 0.88:
        make = noises[rng.integers(0, len(noises))]
        utterance.samples = noise.add(
            utterance.samples, make(rng, len(utterance.samples)), rng.uniform(*decibels))
    return finish(rng, utterance)


def training_recordings(rng, spoken, sentences, count):
    """Recordings from the spoken utterances: some long, some without words, some with both kinds of speech."""
    result, waiting = [], []
    for _ in range(count):
        if rng.random() < 0.14:
            result.append(wordless(rng, sentences))
            continue
        number = int(rng.integers(5, 10)) if rng.random() < 0.06 else int(rng.integers(1, 4))
        # Each utterance comes once before one comes again: variety counts more than anything else.
        while len(waiting) < number:
            waiting += [int(index) for index in rng.permutation(len(spoken))]
        picked = [spoken[waiting.pop()] for _ in range(number)]
        if rng.random() < 0.15:
            picked.insert(int(rng.integers(0, number + 1)), sentences[rng.integers(0, len(sentences))])
        percent = int(rng.integers(87, 117))
        joined = join(rng, [stretch(one, percent) for one in picked], (0, 0.8), (0.05, 1.5), (0.05, 1))
        result.append(disturb(rng, joined, noise.TRAINING_NOISES, (5, 40)))
    return result


def babble_of(utterances):
    """A noise: six of the utterances at the same time."""
    def make(rng, count):
        return sum(numpy.resize(utterances[rng.integers(0, len(utterances))].samples, count) for _ in range(6))

    return make


def test_recordings(rng, spoken, noises, decibels):
    """One recording for each utterance, in one of the noises."""
    result = []
    for utterance in spoken:
        joined = join(rng, [utterance], (0.3, 0.7), (0, 0), (0.4, 0.8))
        background = noises[rng.integers(0, len(noises))](rng, len(joined.samples))
        joined.samples = noise.add(joined.samples, background, rng.uniform(*decibels))
        result.append(finish(rng, joined))
    return result
