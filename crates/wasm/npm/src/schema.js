// Checks values with a schema of valibot, zod, arktype or any other library with Standard Schema
// (https://standardschema.dev).

import { GdvarError, stepOf } from './wasm.js';

/**
 * Returns the value if the schema accepts it. It returns the original value and not the schema's copy, which
 * would have lost the notes about Floats.
 */
export function checked(value, schema) {
	const result = schema['~standard'].validate(value);
	if (result instanceof Promise) throw new TypeError('the schema answers later, with a Promise; a schema that answers at once is needed');
	if (result.issues === undefined) return value;
	const [{ message, path = [] }] = result.issues;
	const steps = path.map((step) => stepOf(typeof step === 'object' ? step.key : step));
	throw new GdvarError({ code: 'Schema', message, path: `$${steps.join('')}` });
}
