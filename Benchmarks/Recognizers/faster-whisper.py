"""faster-whisper.py MODEL BEAM THREADS OUT filter|plain FILE...: writes OUT/NAME.txt for each file. Runs in the benchmark's
environment; its own defaults, but for the language, the beam and, for long files, its filter of voices. The environment variable
HOTWORDS names a file of terms, one a line, to expect."""
import os, sys
from faster_whisper import WhisperModel

model, beam, threads, out, mode, *files = sys.argv[1:]
hotwords = ', '.join(open(os.environ['HOTWORDS']).read().splitlines()) if 'HOTWORDS' in os.environ else None
whisper = WhisperModel(model, device='cpu', compute_type='int8', cpu_threads=int(threads), local_files_only=True)
for file in files:
    segments, _ = whisper.transcribe(file, language='en', beam_size=int(beam), vad_filter=mode == 'filter', hotwords=hotwords)
    with open(os.path.join(out, os.path.splitext(os.path.basename(file))[0] + '.txt'), 'w', encoding='utf-8') as target:
        target.write(' '.join(segment.text.strip() for segment in segments))
