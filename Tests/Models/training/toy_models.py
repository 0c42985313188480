"""Trains the toy models, records their test recordings, and measures both. See Tests/Models/README.md."""

import argparse
import time
from pathlib import Path

import numpy
import torch

import corpus
import noise
import storage

MODELS = Path(__file__).resolve().parent.parent
WORK = MODELS.parent.parent / ".build" / "toy-models"
FAMILIES = ["ctc", "streaming-ctc", "tdt"]
SPEAKERS, PUNCTUATION = "speakers", "punctuation"
# Utterances, and the recordings made of them.
UTTERANCES, RECORDINGS = 11000, 5200


def training_set(family):
    """The recordings of the training, made once: with the hotword for the transducer only."""
    path = WORK / f"training-{'hotword' if family == 'tdt' else 'words'}.npz"
    if not path.exists():
        rng = numpy.random.default_rng(1)
        # Nothing can bias the others, so that they need not know the sound of the hotword.
        hotword = 0.06 if family == "tdt" else 0
        spoken = corpus.say_random(rng, corpus.TRAINING_VOICES, UTTERANCES, hotword, flite=0.5)
        sentences = corpus.say_sentences(rng, corpus.TRAINING_VOICES, corpus.SENTENCES, 250)
        storage.save(path, corpus.training_recordings(rng, spoken, sentences, RECORDINGS))
    return storage.load(path)


def held_out_sets():
    """The recordings of the evaluation, made once: the name of the set and its recordings."""
    names = ["words", "hotword", "flite", "babble"]
    if not all((WORK / f"held-out-{name}.npz").exists() for name in names):
        rng = numpy.random.default_rng(2)
        voices = corpus.HELD_OUT_VOICES
        words = corpus.say_random(rng, voices, 200, hotword=0)
        hotword = [one for one in corpus.say_random(rng, voices, 300, hotword=0.3)
                   if any(word == corpus.HOTWORD for word, _, _ in one.words)][:100]
        babble = corpus.babble_of(corpus.say_sentences(rng, voices, corpus.HELD_OUT_SENTENCES, 40))
        sets = [
            (words, noise.HELD_OUT_NOISES, (10, 30)), (hotword, noise.HELD_OUT_NOISES, (10, 30)),
            (corpus.say_random(rng, voices[:1], 60, hotword=0), noise.HELD_OUT_NOISES, (10, 30)),
            (corpus.say_random(rng, voices, 60, hotword=0), [babble], (8, 20))]
        for name, one in zip(names, sets):
            storage.save(WORK / f"held-out-{name}.npz", corpus.test_recordings(rng, *one))
    return {name: storage.load(WORK / f"held-out-{name}.npz") for name in names}


def main():
    parser = argparse.ArgumentParser(prog="toy-models", description=__doc__)
    parser.add_argument("--only", choices=[*FAMILIES, SPEAKERS, PUNCTUATION], help="train this family only")
    parser.add_argument("--evaluate", action="store_true", help="do not train; measure the models that are there")
    parser.add_argument("--check-features", action="store_true", help="only compare the features with the engine's")
    parser.add_argument("--noise", help="a folder of recordings without speech; counts the words written for them")
    parser.add_argument("--longhand", help="the program; measures how it writes the hotword")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    if arguments.check_features:
        import features

        for family, difference in features.check().items():
            print(f"{family}: the largest difference is {difference:.3f}; 0.02 is the precision of this check")
        return
    if not arguments.evaluate:
        if arguments.only in (None, SPEAKERS):
            import speakers

            speakers.train(MODELS / "toy-speakers")
            if arguments.only == SPEAKERS:
                return
        if arguments.only in (None, PUNCTUATION):
            import punctuation

            punctuation.train(MODELS / "toy-punctuation")
            if arguments.only == PUNCTUATION:
                return
        import training

        for family in [arguments.only] if arguments.only else FAMILIES:
            start = time.monotonic()
            training.train(family, training_set(family), MODELS / f"toy-{family}", WORK)
            print(f"{family}: trained in {time.monotonic() - start:.0f} s", flush=True)
        import recordings

        recordings.write(MODELS / "recordings")
    import evaluation

    evaluation.report(MODELS, held_out_sets(), arguments.noise, arguments.longhand)


if __name__ == "__main__":
    main()
