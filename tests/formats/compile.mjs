// Compiles the descriptions for Kaitai Struct to Python and JavaScript: compile.mjs OUT KSY...
// OUT/node_modules has kaitai-struct-compiler and yaml.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const [out, ...files] = process.argv.slice(2);
const require = createRequire(resolve(out, 'any.js'));
const compiler = require('kaitai-struct-compiler');
const yaml = require('yaml');

for (const file of files) {
	for (const language of ['python', 'javascript']) {
		const made = await compiler.compile(language, yaml.parse(readFileSync(file, 'utf8')), null, false);
		for (const [name, text] of Object.entries(made)) writeFileSync(join(out, name), text);
	}
}
