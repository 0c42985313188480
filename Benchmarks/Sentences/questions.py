#!/usr/bin/env python3
"""Measures question marks: speaks questions.tsv by flite's voices, transcribes it, and counts.

    questions.py LONGHAND

questions.tsv has a mark and a sentence a line. Each sentence is a recording of its own, spoken by one of four voices in turn.
Printed are precision and recall, and each sentence that was written with the wrong mark. Needs flite.
"""
import json, os, subprocess, sys, tempfile

here = os.path.dirname(os.path.abspath(__file__))
rows = [line.rstrip('\n').split('\t') for line in open(os.path.join(here, 'questions.tsv'))]
voices = ['slt', 'awb', 'rms', 'kal16']
with tempfile.TemporaryDirectory() as folder:
    files = []
    for index, (_, sentence) in enumerate(rows):
        files.append(os.path.join(folder, f'{index}.wav'))
        subprocess.run(['flite', '-voice', voices[index % len(voices)], '-t', sentence, files[-1]], check=True)
    out = os.path.join(folder, 'out')
    subprocess.run([sys.argv[1], 'transcribe', '-q', '--format', 'json', '--output-dir', out] + files)
    right, false, missed = 0, 0, 0
    for index, (mark, sentence) in enumerate(rows):
        try: segments = json.load(open(os.path.join(out, f'{index}.json')))['segments']
        except FileNotFoundError: segments = []
        text = ' '.join(segment['formatted'] for segment in segments)
        found = text.endswith('?')
        right += found and mark == '?'; false += found and mark != '?'; missed += not found and mark == '?'
        if found != (mark == '?'): print(f'{mark} {sentence}: {text}')
print(f'precision {right / max(1, right + false):.2f}, recall {right / max(1, right + missed):.2f} of {right + missed}')
