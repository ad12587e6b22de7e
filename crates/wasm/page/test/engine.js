// Checks that an engine read a file of records whole, and writes the same bytes again: FILE ANSWERS, the latter of
// testdata/oracle/roundtrip.sh.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const [file, answers] = process.argv.slice(2);
const bytes = readFileSync(file);
const lines = readFileSync(answers, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
let at = 0;
for (const { accepted, consumed, reenc } of lines) {
	const length = bytes.readUInt32LE(at);
	assert.ok(accepted, 'the engine refuses it');
	assert.equal(consumed, length);
	assert.equal(reenc, bytes.subarray(at + 4, at + 4 + length).toString('hex'));
	at += 4 + length;
}
assert.equal(at, bytes.length);
console.log(`${file}: the engine reads ${lines.length} record of ${bytes.length} bytes and writes the same`);
