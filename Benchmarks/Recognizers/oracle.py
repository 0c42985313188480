#!/usr/bin/env python3
"""How many errors the alternatives of a recognizer leave, if the best of them were always chosen.

    oracle.py LONGHAND MODEL MANIFEST

MANIFEST has a recording a line (path, tab, text). Printed are the word errors of the first text and of the best of 1, 2, 3
and 5 alternatives, and the processor seconds by seconds of audio.
"""
import json, resource, subprocess, sys


def seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main():
    program, model, manifest = sys.argv[1:4]
    for count in 1, 2, 3, 5:
        before = seconds()
        command = [program, 'evaluate', '-q', '--json', '--model', model, '--alternatives', str(count), manifest]
        total = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)['total']
        words, oracle = total['wordErrorRate'], total.get('oracle', total['wordErrorRate'])
        print(f'{count} alternatives: {words["errors"]} of {words["referenceWords"]} words wrong, in the best of them {oracle["errors"]}, '
              f'processor time {(seconds() - before) / total["audioSeconds"]:.3f}')


if __name__ == '__main__': main()
