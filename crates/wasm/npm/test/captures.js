// What passed between real engines, and what they said of it: testdata/captures/README.md.
import { readFileSync, readdirSync, existsSync } from 'node:fs';
import { unhex } from './data.js';

const folder = new URL('../../../../testdata/captures/', import.meta.url);
const CARRIERS = { enet: 'enet', ws: 'websocket', udp: 'values', tcp: 'records', debugger: 'debugger' };

export const names = readdirSync(folder)
	.filter((name) => name.endsWith('.hex'))
	.map((name) => name.slice(0, -4))
	.sort();

/** A capture: engine, carrier, and its datagrams or pieces of a stream. */
export function capture(name) {
	const [engine, kind] = name.split('-');
	const pieces = [];
	for (const line of readFileSync(new URL(`${name}.hex`, folder), 'utf8').split('\n')) {
		if (line === '' || line.startsWith('#')) continue;
		const [, way, digits] = line.split(' ');
		const [from, to] = way.split('>');
		const toServer = to === 'S' || to === 'E';
		const direction = toServer ? 'to_server' : 'to_client';
		pieces.push({ direction, link: Number(toServer ? from : to) || 0, bytes: unhex(digits) });
	}
	return { name, engine: engine === 'g4' ? 'godot4' : 'godot3', carrier: CARRIERS[kind], pieces };
}

/** The lines of an engine's log behind a word; [] if there is no such log. */
export function log(name, role, start) {
	const path = new URL(`${name}.${role}.log`, folder);
	if (!existsSync(path)) return [];
	const lines = readFileSync(path, 'latin1').split('\n');
	return lines.filter((line) => line.startsWith(start)).map((line) => line.slice(start.length));
}
