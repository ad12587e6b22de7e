// Compiled by types.test.js, not run: what TypeScript knows of the package.
import type { Socket } from 'node:net';
import {
	GdvarError, Raw, RecordStream, TypedArray, Vector2, decode, encode, isTyped, keyOf, open, put_var, records, typeOf, writeRecords,
	type Schema, type StringName, type TypedDictionary, type Variant, type Vector2i,
} from 'gdvar';
import { Bytes, close, contents, edit, openFile, toJSON } from 'gdvar/forms';
import { Packet, Session, type Item } from 'gdvar/packet';

function describe(value: Variant): string {
	if (!isTyped(value)) return typeOf(value) ?? '';
	switch (value.type) {
		case 'Color':
			return `${value.r} ${value.a}`;
		case 'NodePath':
			return value.names.join('/');
		case 'Signal':
			return value.objectId.toString();
		case 'PackedVector2Array':
			return String(value.at(0)?.x);
		case 'Object':
			return value.class;
		default:
			return value.type;
	}
}

const bytes: Uint8Array = encode({ hp: 80, at: new Vector2(1, 2), list: [1n, 'two', null] }, { target: 'godot4.2' });
const typed: TypedArray<number> = TypedArray.of({ builtin: 'Int' }, [1, 2]);
typed.push(3);
TypedArray.of({ builtin: 'Int' }, [1, 2]).push(3);
TypedArray.of({ builtin: 'String' }, ['a']).push('b');
TypedArray.of({ builtin: 'Bool' }, [true]).push(false);
TypedArray.of({ builtin: 'Int' }, [1n]).push(2n);
TypedArray.of({ builtin: 'Vector2' }, [new Vector2()]).push(new Vector2(1, 2));
TypedArray.of<number | null>(null, [1]).push(null);
// @ts-expect-error An Array of numbers.
TypedArray.of({ builtin: 'Int' }, [1, 2]).push('three');
describe(decode(bytes, { dialect: 'godot4', numbers: 'exact' }));
const hp: Variant | undefined = open(bytes).get('hp')?.toJS();
for (const value of records(bytes)) describe(value.toJS());
const changed: Uint8Array = edit(bytes).set('hp', 1).remove('list').bytes();
const json: string = toJSON(changed, { style: 'native' });
const { layers } = await contents(changed, { password: async ({ error }) => (error?.code === 'WrongKey' ? null : 'secret') });
for (const layer of layers) if (layer.kind === 'encrypted') layer.form.toFixed();
const packet: Packet = Packet.decode(bytes, { engine: 'godot3' });
if (packet.command === 'CALL') packet.args.map(describe);
if (packet.command === 'DELTA') packet.entries[0]?.indices.at(-1)?.toFixed();
const heard: Item[] = new Session('godot4', 'websocket').hear(bytes, 'to_client', { link: 3 });
// @ts-expect-error There is no such carrier.
new Session('godot4', 'pigeon');

interface Thing {
	readonly id: number;
	readonly tags: readonly string[];
}
interface Save {
	name: string;
	at?: Vector2;
	items: ReadonlyArray<Thing>;
	byName: ReadonlyMap<string, Thing>;
	nested: { deep: [number, boolean] };
}
declare const save: Save;
encode(save);
put_var(save, { bigEndian: true });
writeRecords([save]);
writeRecords(records(bytes));
encode([1, 'two', [null]] as const);
// @ts-expect-error A method has no value.
encode({ name: 'x', shout() {} });
// @ts-expect-error A Date has none.
encode({ when: new Date() });
// @ts-expect-error In the depth neither.
encode({ a: [{ b: Symbol('x') }] });
const said = decode<Save>(bytes);
said.items[0]?.tags[0]?.toUpperCase();
declare const schema: Schema<Save>;
const checked: Save = decode(bytes, { schema });
const key: string | number | bigint | boolean | null = keyOf(new Vector2(1, 2));
openFile(bytes, { password: new Uint8Array(32), framing: 'len32', dialect: 'auto' }).edit(0).set('hp', 1).save();
for (const one of records(bytes, { cut: true })) one.toJS({ schema });
encode(checked, { lookalikes: 'refuse' });
decode(bytes, { dialect: 'godot3.2' });

try {
	// @ts-expect-error There is no such dialect.
	decode(bytes, { dialect: 'godot5' });
	// @ts-expect-error Functions have no value.
	encode(() => 1);
} catch (error) {
	if (error instanceof GdvarError) console.log(error.code, error.offset, error.path);
}
// Elements have the type that is said, and a socket of Node is read without a conversion.
interface Path {
	cells: TypedArray<Vector2i>;
	prices: TypedDictionary<StringName, number>;
}
declare const socket: Socket;
for await (const { cells, prices } of RecordStream.from<Path>(socket)) {
	const across: number | undefined = cells[0]?.x;
	put_var({ across: across ?? null, cells, prices, all: TypedArray.of({ builtin: 'Int' }, [1, 2]) });
	describe(cells);
}
for await (const one of RecordStream.from(socket, { schema, maxLength: 65_536 })) one.items.length.toFixed();

// Whatever holds bytes is read, in the same types as at runtime: bytes.test.js.
declare const inputs: Uint8Array | Buffer | ArrayBuffer | SharedArrayBuffer | DataView | Uint8ClampedArray | Uint16Array | Float64Array | BigInt64Array;
decode(inputs);
open(inputs).get('hp');
records(inputs, { cut: true });
RecordStream.from([inputs]);
void new RecordStream().writable.getWriter().write(inputs);
edit(inputs).set('a', new Bytes(inputs)).set('b', new ArrayBuffer(2)).append('c', new Uint8ClampedArray(2));
openFile(inputs, { password: inputs }).edit().save();
close(inputs, [{ kind: 'encrypted', form: 4, password: inputs }]);
Packet.decode(inputs);
new Session('godot4', 'enet').hear(inputs, 'to_client');
encode(new ArrayBuffer(2));
encode({ a: [new Uint8ClampedArray(2)], b: new Map([['c', new ArrayBuffer(2)]]) });
put_var(Buffer.of(1));
typeOf(new ArrayBuffer(2));
keyOf(new ArrayBuffer(2), { numbers: 'exact' });
// @ts-expect-error Not a PackedByteArray.
encode(new SharedArrayBuffer(2));
// @ts-expect-error Neither.
encode(new DataView(new ArrayBuffer(2)));
// @ts-expect-error Neither.
encode(new Uint16Array(2));
// @ts-expect-error Neither.
encode({ a: new BigUint64Array(2) });
// @ts-expect-error A Raw holds a Uint8Array.
new Raw('String', new ArrayBuffer(2));
// @ts-expect-error A text is not bytes.
decode('text');

// The memory of what was opened is given back at the end of a block.
{
	using value = open(bytes);
	using file = openFile(bytes);
	file.values[0]?.get('hp')?.free();
	value.free();
}
const stop: () => void = open(bytes)[Symbol.dispose];
const damage: number | undefined = new GdvarError({} as never).record;
const values: ReadableStream<Save> = new ReadableStream<Uint8Array>().pipeThrough(new RecordStream<Save>({ schema }));

export { damage, heard, hp, json, key, layers, stop, values };
