// Parses hex digits, as people paste them.
import { GdvarError } from '../../npm/src/wasm.js';

const mistake = (message) => new GdvarError({ code: 'Hex', message });

/** What may be between digits. */
const BETWEEN = /^(?:0x|\\x|[\s,;:])/i;
const DIGIT = /^[0-9a-f]$/i;

/** Returns the bytes of hex digits. Throws an error that names the first wrong character. */
export function unhex(text) {
	const bytes = [];
	let first;
	let line = 1;
	let start = 0;
	const place = (at) => `line ${line}, character ${at - start + 1}`;
	for (let at = 0; at < text.length; ) {
		const between = first === undefined ? BETWEEN.exec(text.slice(at, at + 2)) : null;
		if (between) {
			if (between[0] === '\n') [line, start] = [line + 1, at + 1];
			at += between[0].length;
			continue;
		}
		const character = String.fromCodePoint(text.codePointAt(at));
		if (!DIGIT.test(character)) {
			if (first !== undefined && BETWEEN.test(character)) throw mistake(`${place(at - 1)}: "${first}" is half a byte: hex digits come in pairs`);
			throw mistake(`${place(at)}: "${character}" is not a hex digit`);
		}
		if (first === undefined) first = character;
		else {
			bytes.push(Number.parseInt(first + character, 16));
			first = undefined;
		}
		at++;
	}
	if (first !== undefined) throw mistake(`${place(text.length - 1)}: "${first}" is half a byte: hex digits come in pairs`);
	if (bytes.length === 0) throw mistake('there are no hex digits');
	return Uint8Array.from(bytes);
}
