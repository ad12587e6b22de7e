// Packets of real engines: each call is what the engine that got it printed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GdvarError, Vector2, decode, encode } from 'gdvar';
import { Packet, Session } from 'gdvar/packet';
import { capture, log, names } from './captures.js';
import { hex, unhex } from './data.js';

/** The remote methods of the captures' script by their numbers: testdata/captures/scripts/net4.gd. */
const METHODS = ['a_none', 'b_one', 'c_two', 'd_bytes', 'e_unreliable', 'f_ordered', 'g_channel3', 'h_local'];
const methodName = (method) => (typeof method === 'string' ? method : method === 0x8000 ? 'i_configured' : METHODS[method]);

/** All items of a capture. */
function hear({ engine, carrier, pieces }) {
	const session = new Session(engine, carrier);
	const items = pieces.flatMap(({ bytes, direction, link }) => session.hear(bytes, direction, { link }));
	session.free();
	return items;
}

/** The arguments as the method prints them: `d_bytes` prints sizes and beginnings. */
function printed(engine, method, args) {
	if (method !== 'd_bytes') return args;
	const [bytes] = args;
	return engine === 'godot3' ? [bytes.length] : [bytes.length, hex(bytes.subarray(0, 32))];
}

/** The server of Godot 3's WebSocket also executes what is for all but itself: its log says so. */
function isForServer({ engine, carrier }, target) {
	return target === 0 || target === 1 || (engine === 'godot3' && carrier === 'websocket' && target < 0);
}

test('every call is what the engine printed', () => {
	let total = 0;
	let captures = 0;
	for (const name of names) {
		const all = capture(name);
		const { engine, carrier } = all;
		if (carrier !== 'enet' && carrier !== 'websocket') continue;
		// Another game: crates/packet/tests/captures/games.rs reads what it printed.
		if (name.includes('crowd')) continue;
		captures++;
		const line = (from, method, args) => `${from} ${method} ${hex(encode(args, { target: engine }))}`;
		const calls = new Map();
		for (const item of hear(all)) {
			assert.equal(item.error, null, name);
			if (item.command !== 'CALL' || item.resent) continue;
			const method = methodName(item.method);
			// An empty PackedByteArray alone is sent as no argument, and the engine refuses the call.
			if (method === 'd_bytes' && item.args.length === 0) continue;
			if (item.toServer && !isForServer(all, item.target)) continue;
			const receiver = item.toServer ? 0 : item.link;
			if (!calls.has(receiver)) calls.set(receiver, []);
			calls.get(receiver).push(line(item.source, method, printed(engine, method, item.args)));
			assert.equal(item.node, name.includes('-nodes') ? item.node : 'Net');
			assert.ok(item.node);
		}
		for (const [receiver, role] of [[0, 'server'], [1, 'client'], [2, 'client2']]) {
			const own = receiver === 0 ? '1' : log(name, role, 'ID ')[0];
			const told = log(name, role, 'RECV from=').map((text) => /^(-?\d+) (\w+) .*hex=(\w+)/s.exec(text).slice(1));
			// A peer's calls to itself are on no wire.
			const got = told.filter(([from]) => from !== own && from !== '0');
			const expected = got.map(([from, method, digits]) => line(from, method, decode(unhex(digits), { dialect: engine, objects: 'inert' })));
			// Packets of several channels arrive in any order.
			assert.deepEqual((calls.get(receiver) ?? []).sort(), expected.sort(), `${name}, ${role}`);
			total += expected.length;
		}
	}
	// As many lines as the logs have: crates/packet/tests/captures.rs.
	assert.deepEqual([captures, total], [28, 1401]);
});

test('values, bytes and the debugger', () => {
	for (const name of ['g4-udp-put_var', 'g4-tcp-put_var']) {
		const values = hear(capture(name)).filter((item) => item.toServer);
		const told = log(name, 'server', 'RECV ').map((text) => text.split(' ').at(-1));
		assert.equal(told.length, 66);
		for (const [n, digits] of told.entries()) {
			assert.equal(values[n].command, 'PUT_VAR');
			assert.deepEqual(values[n].args, decode(unhex(digits)), `${name} ${n}`);
		}
	}
	const raw = hear(capture('g4-enet-big')).filter((item) => item.command === 'RAW' && item.toServer && !item.resent);
	const sent = log('g4-enet-big', 'server', 'RAW from=').map((text) => text.split(' ')[1]);
	assert.ok(sent.length > 0);
	assert.deepEqual(raw.map((item) => hex(item.data)).sort(), sent.sort());
	const messages = hear(capture('g4-debugger'));
	assert.deepEqual(messages.slice(0, 2).map((item) => item.method), ['set_pid', 'output']);
	const printed = messages.filter((item) => item.method === 'output').flatMap((item) => [...item.args[0]]).join('');
	assert.match(printed, /Godot Engine v4\.6\.3/);
	assert.ok(messages.some((item) => item.method === 'scene:scene_tree' && item.toServer));
});

test('one packet: spawns and properties as the script set them', () => {
	// testdata/captures/scripts/peer4.gd and player4.gd.
	const packets = hear(capture('g4-enet-repl')).filter((item) => !item.resent && /^[A-Z_]*(SPAWN|SYNC|DELTA|PATH)$/.test(item.command));
	const all = packets.map((item) => Packet.decode(item.data));
	assert.deepEqual(all.map(({ command }) => command), packets.map(({ command }) => command));
	const spawner = all.find(({ command, path }) => command === 'SIMPLIFY_PATH' && path === 'Spawner').id;
	const [ann, thing] = all.filter(({ command }) => command === 'SPAWN');
	const at = new Vector2(10, 20);
	assert.deepEqual(ann, {
		command: 'SPAWN',
		scene: null,
		spawner,
		netId: ann.netId,
		syncs: ann.syncs,
		name: 'Ann',
		custom: { name: 'Ann', at },
		state: [at, 100, 5, 'new', 'L'],
	});
	assert.deepEqual([thing.scene, thing.name, thing.custom, thing.state], [0, 'Thing', null, []]);
	assert.ok(all.some(({ command, netId }) => command === 'DESPAWN' && netId === ann.netId));
	const entries = (wanted) => all.filter(({ command }) => command === wanted).flatMap(({ entries }) => entries);
	const changes = entries('DELTA').filter(({ netId }) => netId === ann.syncs[0]);
	assert.deepEqual(changes.map(({ indices, values }) => [indices, values]), [
		[[0, 1], [5, 'new']],
		[[0, 1], [6, 'rich']],
		[[0], [70000]],
	]);
	const moves = entries('SYNC').filter(({ netId }) => netId === ann.syncs[0]);
	assert.deepEqual(moves[0].values, [at, 100]);
	assert.deepEqual(moves.at(-1).values, [new Vector2(11, 21), 100]);
	const weather = entries('DELTA').filter(({ netId }) => netId > 0x7fff_ffff).map(({ values }) => values[0]);
	assert.deepEqual(weather, ['sun', 'rain']);
});

test('one packet says what the session says', () => {
	let calls = 0;
	for (const name of ['g4-ws-rpc', 'g36-ws-rpc', 'g3-enet-rpc', 'g4-enet-relay', 'g4-enet-auth']) {
		const { engine, carrier, pieces } = capture(name);
		// In front of a packet of Godot 3 stand sender and receiver.
		const envelope = engine === 'godot4' ? 0 : carrier === 'enet' ? 8 : 9;
		for (const item of hear({ engine, carrier, pieces })) {
			if (!['CALL', 'SET', 'SIMPLIFY_PATH', 'CONFIRM_PATH', 'AUTH', 'ADD_PEER', 'DEL_PEER'].includes(item.command)) continue;
			if (engine === 'godot3' && item.command.endsWith('_PEER')) continue;
			let packet = Packet.decode(item.data.subarray(envelope), { engine });
			if (item.relayed && engine === 'godot4') {
				assert.equal(packet.command, 'RELAY');
				assert.equal(packet.peer, item.toServer ? item.target : item.source);
				packet = Packet.decode(packet.packet);
			}
			assert.equal(packet.command, item.command);
			if (item.args === null) continue;
			assert.deepEqual([packet.method, packet.args], [item.method, item.args]);
			if (typeof packet.node === 'string') assert.equal(packet.node, item.node);
			calls++;
		}
	}
	assert.ok(calls > 200);
});

test('a packet without the padding at its end', () => {
	// A call with [PackedByteArray([1])]: the engine does not miss the three bytes, nor does gdvar.
	const call = unhex('00030101 1c000000 01000000 1d000000 01000000 01'.replaceAll(' ', ''));
	assert.deepEqual(Packet.decode(call).args, [[new Uint8Array([1])]]);
});

test('what cannot be read', () => {
	const session = new Session('godot4', 'values');
	const [item] = session.hear(unhex('1c000000ffffffff'), 'to_client');
	assert.deepEqual([item.command, item.args, item.toServer], ['DAMAGED', null, false]);
	assert.match(item.error, /^[A-Z]\w+ at byte 0x4: /);
	// A NUL where a digit of the MD5 should be: the engine reads the text up to it.
	const path = Packet.decode(unhex(`01${'61'.repeat(3)}00${'62'.repeat(28)}00010000004e657400`));
	assert.deepEqual([path.md5, path.id, path.path], ['aaa', 1, 'Net']);
	assert.throws(() => Packet.decode(unhex('00')), { name: 'GdvarError', code: 'Truncated', offset: 1 });
	assert.throws(() => Packet.decode(unhex('09'), { engine: 'godot3' }), { code: 'UnknownCommand', offset: 0 });
	assert.throws(() => Packet.decode(unhex('09'), { engine: 'godot5' }), TypeError);
	assert.throws(() => new Session('godot5'), TypeError);
	assert.throws(() => new Session('godot4', 'pigeon'), TypeError);
	assert.throws(() => session.hear(unhex('00'), 'up'), TypeError);
	assert.throws(() => session.hear(unhex('00'), 'to_server', { link: -1 }), TypeError);
	// A whole object: only who asks for it gets it.
	const object = unhex('00030101 18000000 04000000 4e6f6465 00000000'.replaceAll(' ', ''));
	assert.throws(() => Packet.decode(object), { name: 'GdvarError' });
	assert.equal(Packet.decode(object, { objects: 'inert' }).args[0].class, 'Node');
	session.free();
	assert.throws(() => session.hear(unhex('00'), 'to_server'), { code: 'NoSession' });
	// Arguments as deep as the engine lets them be.
	const deep = new Uint8Array(4 + 8 * 1024);
	deep.set([0, 3, 1, 1]);
	for (let at = 4; at < deep.length; at += 8) deep.set([28, 0, 0, 0, 1, 0, 0, 0], at);
	new DataView(deep.buffer).setUint32(deep.length - 4, 0, true);
	assert.equal(Packet.decode(deep).args.length, 1);
});

/** Cut everywhere (long ones at some places), and one bit of each byte changed. */
function* damaged(bytes) {
	const step = Math.ceil(bytes.length / 200);
	for (let end = 0; end < bytes.length; end += step) yield bytes.subarray(0, end);
	const changed = bytes.slice();
	for (let at = 0; at < bytes.length; at += step) {
		changed[at] ^= 1 << ((at * 5) & 7);
		yield changed;
		changed[at] = bytes[at];
	}
}

test('hostile packets: an error or a value, never a trap', () => {
	let packets = 0;
	let refused = 0;
	let heard = 0;
	const seen = new Set();
	for (const name of names) {
		const all = capture(name);
		const { engine, carrier, pieces } = all;
		const isStream = carrier !== 'enet' && carrier !== 'values';
		let session = new Session(engine, carrier);
		for (const { bytes, direction, link } of pieces) {
			if (seen.has(hex(bytes))) continue;
			seen.add(hex(bytes));
			for (const piece of damaged(bytes)) {
				// A damaged stream is silent from there on.
				if (isStream && heard % 8 === 0) {
					session.free();
					session = new Session(engine, carrier);
				}
				for (const item of session.hear(piece, direction, { link })) {
					assert.equal(item.command === 'DAMAGED', item.error !== null);
				}
				heard++;
			}
		}
		session.free();
		const envelope = engine === 'godot4' ? 0 : carrier === 'enet' ? 8 : 9;
		for (const item of hear(all)) {
			if (!/CALL|SET|SPAWN|SYNC|DELTA|PATH|AUTH|PEER/.test(item.command) || seen.has(hex(item.data))) continue;
			seen.add(hex(item.data));
			for (const piece of damaged(item.data.subarray(envelope))) {
				packets++;
				try {
					Packet.decode(piece, { engine });
				} catch (error) {
					assert.ok(error instanceof GdvarError, error.stack);
					assert.ok(error.offset <= piece.length);
					refused++;
				}
			}
		}
	}
	assert.ok(heard > 200_000 && packets > 80_000 && refused > packets / 10, `${heard} ${packets} ${refused}`);
	console.log(`# ${heard} damaged datagrams and pieces heard; of ${packets} damaged packets ${refused} refused`);
	// And it still works.
	assert.ok(hear(capture('g4-enet-rpc')).some((item) => item.command === 'CALL'));
});
