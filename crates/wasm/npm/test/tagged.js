// A decoded value as tagged JSON (testdata/vectors/README.md), to be compared with what the engines said.
import { KINDS } from '../src/wasm.js';
import { hex } from './data.js';

const bits = new DataView(new ArrayBuffer(8));

const f32 = (number) => {
	bits.setFloat32(0, number);
	return bits.getUint32(0).toString(16).padStart(8, '0');
};

const f64 = (number) => {
	bits.setFloat64(0, number);
	return bits.getBigUint64(0).toString(16).padStart(16, '0');
};

/** A text, or its codes where it is none. */
function text(string) {
	if (string.isWellFormed?.() ?? !/\p{Surrogate}/u.test(string)) return string;
	return { codes: Array.from(string, (c) => c.codePointAt(0)) };
}

/** `order`: the dialect's types by number, as names of kinds. */
export function tagged(value, { double = false, typeNumbers = new Map() } = {}) {
	const real = double ? f64 : f32;
	const reals = (value) => Object.values(value).map(real);
	const ints = (value) => Object.values(value);
	const basis = (basis) => ({ x: reals(basis.x), y: reals(basis.y), z: reals(basis.z) });
	const element = (type) => {
		if (type === null) return null;
		if (type.builtin !== undefined) return { builtin: typeNumbers.get(type.builtin) };
		return type.class !== undefined ? { class: text(type.class) } : { script: text(type.script) };
	};
	const floats = (all, size) => {
		const rows = [];
		for (let at = 0; at < all.length; at += size) rows.push(Array.from(all.subarray(at, at + size), real));
		return rows;
	};
	const walk = (value) => {
		switch (typeof value) {
			case 'boolean':
				return { Bool: value };
			case 'bigint':
				return { Int: String(value) };
			case 'number':
				return { Float: { bits: f64(value) } };
			case 'string':
				return { String: text(value) };
		}
		if (value === null) return { Nil: null };
		const { type } = value;
		switch (type) {
			case 'Float':
				// The key -0.0, which would be 0.0 in a Map.
				return { Float: { bits: f64(value.value) } };
			case 'StringName':
				return { StringName: text(value.name) };
			case 'Vector2':
			case 'Vector3':
			case 'Vector4':
			case 'Quaternion':
				return { [type]: reals(value) };
			case 'Color':
				return { Color: Object.values(value).map(f32) };
			case 'Vector2i':
			case 'Vector3i':
			case 'Vector4i':
				return { [type]: ints(value) };
			case 'Rect2':
			case 'AABB':
				return { [type]: [...reals(value.position), ...reals(value.size)] };
			case 'Rect2i':
				return { Rect2i: [...ints(value.position), ...ints(value.size)] };
			case 'Plane':
				return { Plane: [...reals(value.normal), real(value.d)] };
			case 'Transform2D':
				return { Transform2D: { x: reals(value.x), y: reals(value.y), origin: reals(value.origin) } };
			case 'Basis':
				return { Basis: basis(value) };
			case 'Transform3D':
				return { Transform3D: { basis: basis(value.basis), origin: reals(value.origin) } };
			case 'Projection':
				return { Projection: { x: reals(value.x), y: reals(value.y), z: reals(value.z), w: reals(value.w) } };
			case 'NodePath': {
				const { names, subnames, absolute } = value;
				return { NodePath: { names: names.map(text), subnames: subnames.map(text), absolute } };
			}
			case 'RID':
				return { RID: String(value.id) };
			case 'ObjectId':
				return value.id === 0n ? { Object: null } : { ObjectId: String(value.id) };
			case 'Object':
				return { Object: { class: text(value.class), props: value.properties.map(([name, item]) => [text(name), walk(item)]) } };
			case 'Callable':
				return { Callable: null };
			case 'Signal':
				return { Signal: { name: text(value.name), object_id: String(value.objectId) } };
			case 'TypedArray':
				return { [value.packed ? 'PackedTypedArray' : 'TypedArray']: { elem: element(value.elementType), items: Array.from(value, walk) } };
			case 'TypedDictionary':
				return {
					TypedDictionary: {
						key: element(value.keyType),
						value: element(value.valueType),
						entries: Array.from(value, ([key, item]) => [walk(key), walk(item)]),
					},
				};
			case 'PackedStringArray':
				return { PackedStringArray: Array.from(value, text) };
			case 'PackedVector2Array':
				return { [type]: floats(value.data, 2) };
			case 'PackedVector3Array':
				return { [type]: floats(value.data, 3) };
			case 'PackedVector4Array':
				return { [type]: floats(value.data, 4) };
			case 'PackedColorArray': {
				const rows = [];
				for (let at = 0; at < value.data.length; at += 4) rows.push(Array.from(value.data.subarray(at, at + 4), f32));
				return { [type]: rows };
			}
			case 'PoolVector2iArray':
			case 'PoolVector3iArray':
			case 'PoolVector4iArray': {
				const size = Number(type[10]);
				const rows = [];
				for (let at = 0; at < value.data.length; at += size) rows.push([...value.data.subarray(at, at + size)]);
				return { [type]: rows };
			}
		}
		if (value instanceof Map) return { Dictionary: Array.from(value, ([key, item]) => [walk(key), walk(item)]) };
		if (Array.isArray(value)) return { Array: value.map(walk) };
		if (value instanceof Uint8Array) return { PackedByteArray: hex(value) };
		if (value instanceof Int32Array) return { PackedInt32Array: [...value] };
		if (value instanceof BigInt64Array) return { PackedInt64Array: Array.from(value, String) };
		if (value instanceof Float32Array) return { PackedFloat32Array: Array.from(value, f32) };
		if (value instanceof Float64Array) return { PackedFloat64Array: Array.from(value, f64) };
		return { Dictionary: Object.entries(value).map(([key, item]) => [{ String: text(key) }, walk(item)]) };
	};
	return walk(value);
}

/** Replaces every `Nest` by the chain it stands for, and drops the `dec` of floats, which is for people. */
export function unfold(value) {
	if (Array.isArray(value)) return value.map(unfold);
	if (value === null || typeof value !== 'object') return value;
	if (value.Nest) {
		let inner = unfold(value.Nest.leaf);
		for (const step of value.Nest.steps.toReversed?.() ?? [...value.Nest.steps].reverse()) {
			inner = typeof step === 'string' ? { Array: [inner] } : { Dictionary: [[unfold(step.key), inner]] };
		}
		return inner;
	}
	return Object.fromEntries(Object.entries(value).filter(([name]) => name !== 'dec').map(([name, item]) => [name, unfold(item)]));
}

export { KINDS };
