#!/usr/bin/env python3
"""finish_texts.py VECTORS.jsonl TEXTS OUT: what the engine prints for each value, as {"id","hex","text"}.

TEXTS is the .text file of the generator. Left out are values with objects, whose ids and properties
are the engine's own, and texts of more than 100 000 characters.
"""
import json
import sys


def main():
    texts = {}
    for line in open(sys.argv[2], encoding='ascii'):
        key, text = line.rstrip('\n').split(' ', 1)
        texts[json.loads('{' + key + '}')['id']] = json.loads(text)
    count = 0
    with open(sys.argv[3], 'w', encoding='ascii') as out:
        for line in open(sys.argv[1], encoding='ascii'):
            row = json.loads(line)
            text = texts.get(row['id'])
            if row['full_objects'] or '"ObjectId"' in line or text is None or len(text) > 100000:
                continue
            out.write(json.dumps({'id': row['id'], 'hex': row['hex'], 'text': text}) + '\n')
            count += 1
    print('%s: %d texts' % (sys.argv[3], count))


sys.setrecursionlimit(100000)
main()
