#!/usr/bin/env python3
"""Extracts the books that text.py learns from.

    books.py LIBRARY FOLDER

LIBRARY is the folder of R's packages of which Debian's r-cran-janeaustenr and r-cran-tokenizers are unpacked, such as
/usr/lib/R/site-library. FOLDER gets a text for each book; Northanger Abbey is left out, because train.py measures on it.
"""
import os, re, struct, sys, zlib


def objects(path):
    """The unpacked objects of a database of R: each is its length in 4 bytes, and a stream of zlib."""
    data, place = open(path, 'rb').read(), 0
    while place < len(data):
        stream = zlib.decompressobj()
        yield stream.decompress(data[place + 4:])
        place = len(data) - len(stream.unused_data)


def strings(data):
    """The strings of an object: a tag in 4 bytes, the length in 4 bytes, and the bytes."""
    for match in re.finditer(rb'\x00[\x00\x04][\x00\x80]\x09', data):
        length = struct.unpack('>i', data[match.end():match.end() + 4])[0]
        if 0 <= length < 1 << 21: yield data[match.end() + 4:match.end() + 4 + length].decode('utf-8', 'replace')


def main():
    library, folder = sys.argv[1:3]
    os.makedirs(folder, exist_ok=True)
    for package in ('janeaustenr', 'tokenizers'):
        for data in objects(f'{library}/{package}/data/Rdata.rdb'):
            lines = list(strings(data))
            text = '\n'.join(lines)
            if package == 'tokenizers': text = text[text.find('Call me Ishmael'):]
            name = re.sub(r'\W+', '-', text.strip().split('\n')[0].lower())[:30]
            if len(text) < 1000 or 'northanger' in name: continue
            with open(f'{folder}/{name}.txt', 'w', encoding='utf-8') as file: file.write(text)


if __name__ == '__main__':
    main()
