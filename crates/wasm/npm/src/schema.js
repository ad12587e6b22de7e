// Values held against a schema of valibot, zod, arktype or whoever else speaks Standard Schema (https://standardschema.dev).

import { GdvarError, stepOf } from './wasm.js';

/** The value, if the schema has nothing against it. It is the value that was given, not the schema's copy: a copy has forgotten which numbers are Floats. */
export function checked(value, schema) {
	const result = schema['~standard'].validate(value);
	if (result instanceof Promise) throw new TypeError('the schema answers later, with a Promise; a schema that answers at once is needed');
	if (result.issues === undefined) return value;
	const [{ message, path = [] }] = result.issues;
	const steps = path.map((step) => stepOf(typeof step === 'object' ? step.key : step));
	throw new GdvarError({ code: 'Schema', message, path: `$${steps.join('')}` });
}
