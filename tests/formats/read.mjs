// Reads the engines' vectors with the compiled descriptions: read.mjs OUT VECTORS. Each must be used to its last byte.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const [out, vectors] = process.argv.slice(2);
const require = createRequire(resolve(out, 'any.js'));
const KaitaiStream = require('kaitai-struct/KaitaiStream');

for (const [file, name] of [['godot4.jsonl', 'GodotVariant'], ['godot3.jsonl', 'Godot3Variant'], ['godot4-double.jsonl', 'GodotVariant']]) {
	const made = require(`./${name}.js`);
	const Value = made[name] ?? made;
	let read = 0;
	for (const line of readFileSync(join(vectors, file), 'utf8').trim().split('\n')) {
		const { id, hex, origin } = JSON.parse(line);
		if (origin !== 'engine') continue;
		const bytes = Buffer.from(hex, 'hex');
		const stream = new KaitaiStream(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
		new Value(stream);
		assert.equal(stream.pos, bytes.length, id);
		read += 1;
	}
	console.log(`JavaScript: ${read} values of ${file}, each to its last byte`);
}
