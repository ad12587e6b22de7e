// Values held against a schema: the README says with which libraries.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as gdvar from 'gdvar';

const v = await import('valibot').catch(() => undefined);
const skip = v === undefined && 'SKIPPED: valibot is not installed';

const { Float, Vector2, decode, encode, get_var, open, put_var } = gdvar;

const schema = v?.object({
	name: v.string(),
	hp: v.pipe(v.number(), v.integer()),
	speed: v.optional(v.number(), 5),
	party: v.array(v.object({ name: v.string(), at: v.instance(Vector2) })),
});
const value = { name: 'Ann', hp: 80, speed: new Float(80), party: [{ name: 'Bo', at: new Vector2(1, 2) }] };

test('what fits is given as it was read', { skip }, () => {
	const bytes = encode({ ...value, extra: [1] });
	const save = decode(bytes, { schema });
	// Not the copy of the schema, which has lost a key, and the types of numbers.
	assert.deepEqual(save.extra, [1]);
	assert.equal(Buffer.compare(encode(save), bytes), 0);
	assert.equal(get_var(put_var(value), { schema }).party[0].at.y, 2);
	assert.equal(open(bytes).toJS({ schema }).hp, 80);
	assert.equal(open(bytes).get('party[0]').toJS({ schema: schema.entries.party.item }).name, 'Bo');
});

test('what does not fit says where', { skip }, () => {
	const wrong = (change, path) => {
		const bytes = encode({ ...value, ...change });
		for (const read of [decode, (bytes, options) => open(bytes).toJS(options), (bytes, options) => get_var(put_var(open(bytes)), options)]) {
			assert.throws(() => read(bytes, { schema }), { name: 'GdvarError', code: 'Schema', path });
		}
	};
	wrong({ hp: 1.5 }, '$.hp');
	wrong({ name: null }, '$.name');
	wrong({ party: [value.party[0], { name: 'C', at: [1, 2] }] }, '$.party[1].at');
	assert.throws(() => decode(encode({ 'odd key': 1 }), { schema: v.object({ 'odd key': v.string() }) }), { path: '$["odd key"]' });
	assert.throws(() => decode(encode(1), { schema: v.pipeAsync(v.number(), v.checkAsync(async () => true)) }), { name: 'TypeError', message: /Promise/ });
});
