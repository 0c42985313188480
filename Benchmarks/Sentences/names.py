#!/usr/bin/env python3
"""Prints the English words that are written with a capital everywhere: Sources/SentenceFormatting/Words/names.txt.

    names.py WORDS DICTIONARY

WORDS is SCOWL's list (/usr/share/dict/american-english of Debian's wamerican), DICTIONARY PocketSphinx's pronunciation
dictionary (cmudict-en-us.dict): a word that it does not have is not recognized. Words that are also common words, such as
"mark" and "may", are left out.
"""
import sys

words = [line.strip() for line in open(sys.argv[1], encoding='utf-8')]
known = {line.split()[0] for line in open(sys.argv[2], encoding='utf-8')}
common = {word for word in words if word == word.lower()}
names = {word.lower() for word in words if word[0].isupper() and word[1:] == word[1:].lower()}
for name in sorted(names - common):
    if name in known and len(name) > 2 and name.isascii() and "'" not in name: print(name)
