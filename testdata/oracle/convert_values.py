#!/usr/bin/env python3
"""convert_values.py GDVAR OUT.jsonl: which engine loads which converted ConfigFile, and with which value.

Each value is the setting `x` of a ConfigFile. The engine of the file loads it, `GDVAR convert` makes it one of the
other engine, and each release of that engine loads the result. A line has the series of the file's engine, the text
of the value before and after, and what each release makes of it:

same      the value that the file's engine has, as `GDVAR convert` converts the bytes of that engine
refused   it loads nothing of the file
anything else is what it has instead

Values that the file's own engine refuses are left out.
"""
import json
import os
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
FLOATS = ['0.1', 'inf', '-inf', 'inf_neg', 'nan', '1e999', '-1e999', '-0.0', '1e-40', '5e-324', '1e300', '0.12345678901234567',
          '1E5', '9007199254740993.0', '.5', '-.5', '5.']
KINDS = {
    'Vector2': 2, 'Vector3': 3, 'Rect2': 4, 'Transform2D': 6, 'Plane': 4, 'AABB': 6, 'Basis': 9, 'Color': 4,
}
KINDS_4 = dict(KINDS, Vector4=4, Quaternion=4, Transform3D=12, Projection=16, PackedFloat32Array=2,
               PackedFloat64Array=2, PackedVector2Array=2, PackedVector3Array=3, PackedVector4Array=4, PackedColorArray=4)
KINDS_3 = dict(KINDS, Quat=4, Transform=12, PoolRealArray=2, PoolVector2Array=2, PoolVector3Array=3, PoolColorArray=4)
BOTH = r'''0|-1|2147483648|-9223372036854775808|9223372036854775807|true|false|null|nil|[null]|{"a": null}|""|"x"|"a\"b\\c"
"a\nb\tc\rd"|"it\'s"|"\u0041"|"\x41"|"é😀"|"; no comment"|"[a]"|[]|[[]]|{}|{"a": {}}|[1, 2, ]|[1,2]|{"a":1,"b":2}|{"a": 1,}
{1: 2, "1": 3, true: 4, 1.0: 5}|{[1]: 2, {}: 3}|{Vector2(1, 2): 1}|{null: 1}|{"a": 1, "a": 2}|NodePath("")
NodePath("a/b:c:d")|NodePath("/root/x")|NodePath(":x")|NodePath("a b")|NodePath("../..")|[NodePath("a")]
#ff8000|#80ff8000|#abc|#8abc|[#ff8000, #80ff8000]|Color(1, 0.5, 0, 1)'''
ONLY_4 = r'''Vector2i(-1, 2)|Vector3i(1, 2, 2147483647)|Vector4i(1, 2, 3, -2147483648)|Rect2i(1, 2, 3, 4)|&"x"|[&"a", "a"]
{&"a": 1, "a": 2}|{&"a": 1}|@"x"|Callable()|Signal()|RID()|RID(7)|[RID(7)]|{Vector2i(1, 1): 1}
PackedByteArray()|PackedByteArray(1, 2, 255)|PackedByteArray("AQL/")|PackedInt32Array(1, -2)|PackedInt64Array()
PackedInt64Array(1, -2)|PackedInt64Array(2147483647, -2147483648)|PackedInt64Array(2147483648)|[PackedInt64Array(1)]
{"a": PackedInt64Array(1, 2)}|PackedFloat64Array(1e300)|PackedStringArray()|PackedStringArray("a", "é", "")
Array[int]([1, 2])|Array[float]([1.0, inf])|Array[float]([-inf])|Array[StringName]([&"a"])|Array[Vector2i]([Vector2i(1, 2)])
Array[RID]([])|Array[PackedInt64Array]([PackedInt64Array(1)])|Dictionary[String, int]({"a": 1})
Dictionary[StringName, Vector2i]({&"a": Vector2i(1, 2)})|Dictionary[int, float]({1: -inf})
[Vector2(-inf, 1), {"a": Vector2(1, inf)}]'''
ONLY_3 = r'''PoolByteArray( 1, 2, 255 )|PoolByteArray(  )|PoolIntArray( 1, -2, 2147483647 )|PoolStringArray( "a", "é", "" )
Quat( 0, 0, 0, 1 )|PackedInt32Array(1, 2)|PackedByteArray(1)|PackedFloat32Array(1)|PackedStringArray("a")
PackedVector2Array(1, 2)|PackedVector3Array(1, 2, 3)|PackedColorArray(1, 1, 1, 1)|IntArray(1)|[ Vector2( inf, 1 ) ]'''


def values(series):
    own = ONLY_4 if series == 4 else ONLY_3
    all = [v for line in (BOTH + '\n' + own).split('\n') for v in line.split('|')]
    for number in FLOATS:
        all += [number, '[%s]' % number, '{"k": %s}' % number, '{%s: 1}' % number]
    for kind, count in (KINDS_4 if series == 4 else KINDS_3).items():
        all += ['%s(%s)' % (kind, ', '.join(['2'] * (count - 1) + [n])) for n in ['0.1', 'inf', '-inf', 'inf_neg', 'nan', '-1e999']]
    return all


def text(value):
    return '[a]\n\nw=1\nx=%s\ny=2\n' % value


def loaded(texts, engine, folder):
    """What the engine encodes after it loaded each text: bytes, or None if it refuses the text."""
    given = os.path.join(folder, 'texts')
    with open(given, 'wb') as out:
        for one in texts:
            one = one.encode()
            out.write(struct.pack('<I', len(one)) + one)
    script = 'config%s.gd' % engine[0]
    subprocess.run([HERE + '/run-engine.sh', engine, script, folder, '@' + given, '0'], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    answers, found = open(folder + '/answers.bin', 'rb').read(), []
    while answers:
        size, = struct.unpack_from('<I', answers)
        found.append(answers[4:4 + size])
        answers = answers[4 + size:]
    assert len(found) == len(texts)
    return [None if one == b'\xff' * 4 else one for one in found]


def main():
    gdvar, out = sys.argv[1:]

    def run(given, *args):
        return subprocess.run([gdvar, '-q', *args, '-'], input=given, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout

    def bare(value, of, to):
        return run(value, '-d', of, 'convert', '--to', to, '-f', 'bare')

    with open(out, 'w', encoding='utf-8') as lines, tempfile.TemporaryDirectory() as folder:
        for series, engine, others in ((4, '4', ('3', '3.6')), (3, '3.6', ('4',))):
            of, to = ('godot4', 'godot3') if series == 4 else ('godot3', 'godot4')
            cases = values(series)
            before = loaded([text(v) for v in cases], engine, folder)
            rows = [(v, old, run(text(v).encode(), '-d', of, 'convert', '--to', to).decode()) for v, old in zip(cases, before)]
            # No text is what is not converted.
            rows = [row for row in rows if row[1] is not None and row[2]]
            after = {other: loaded([new for _, _, new in rows], other, folder) for other in others}
            for n, (value, old, new) in enumerate(rows):
                verdicts = {}
                for other in others:
                    got, name = after[other][n], {'3': '3.2', '3.6': '3.6', '4': '4.6'}[other]
                    if got is None:
                        verdicts[name] = 'refused'
                    elif bare(got, to, to) == bare(old, of, to):
                        verdicts[name] = 'same'
                    else:
                        verdicts[name] = run(got, '-d', to, '-f', 'bare', 'view', '--format', 'line').decode().strip()
                row = {'of': series, 'value': value, 'text': new[len('[a]\n\nw=1\nx='):-len('\ny=2\n')], 'loads': verdicts}
                lines.write(json.dumps(row, ensure_ascii=False) + '\n')


main()
