// The vectors that real engines made.
import { readFileSync } from 'node:fs';

const testdata = new URL('../../../../testdata/', import.meta.url);

export const file = (name) => new Uint8Array(readFileSync(new URL(name, testdata)));

export const lines = (name) =>
	readFileSync(new URL(`vectors/${name}`, testdata), 'utf8')
		.split('\n')
		.filter((line) => line !== '')
		.map((line) => JSON.parse(line));

export const unhex = (hex) => Uint8Array.from({ length: hex.length / 2 }, (_, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16));

export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

export const ENGINES = [
	{ name: '3.2.3', file: 'godot3.jsonl', dialect: 'godot3' },
	{ name: '3.6.2', file: 'godot3.6.jsonl', dialect: 'godot3' },
	{ name: '4.6.3', file: 'godot4.jsonl', dialect: 'godot4' },
	{ name: '4.6.3-double', file: 'godot4-double.jsonl', dialect: 'godot4', double: true },
	{ name: 'pandemonium-5.3', file: 'pandemonium5.jsonl', dialect: 'pandemonium5' },
];
