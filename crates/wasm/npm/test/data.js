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

/** A vector's JSON without the bits of its NaNs: JavaScript has one NaN, the engines many, and it is each browser's own matter which bits it keeps. */
export const nansAlike = (text) => text.replace(/"(?!.f80{5}"|.ff0{13}")[7f](f[89a-f][0-9a-f]{5}|ff[0-9a-f]{13})"/g, '"NaN"');
export const hasNan = (text) => nansAlike(text) !== text;

/** The bytes of a vector, with zeros where Godot 3 leaves padding unset. */
export const clean = ({ hex: text, dirty = [] }) => {
	const bytes = unhex(text);
	for (const at of dirty) bytes[at] = 0;
	return bytes;
};

/**
 * All that is in a value, in order, containers as their class, types and length. Unlike `deepEqual` of the value itself it needs no
 * recursion, and compares keys that are Arrays in every runtime.
 */
export function leaves(value) {
	const all = [];
	const waiting = [value];
	while (waiting.length > 0) {
		const one = waiting.pop();
		if (one instanceof Map) {
			all.push([one.constructor.name, one.keyType, one.valueType, one.size]);
			for (const pair of one) waiting.push(...pair);
		} else if (Array.isArray(one)) {
			all.push([one.constructor.name, one.elementType, one.length]);
			for (const element of one) waiting.push(element);
		} else if (one?.constructor === Object) {
			all.push(Object.keys(one));
			for (const key in one) waiting.push(one[key]);
		} else {
			all.push(one);
		}
	}
	return all;
}
