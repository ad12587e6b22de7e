// The programs that run the package: this Node, those that NODES names, separated by colons, and DENO and BUN.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const { NODES = '', DENO, BUN } = process.env;

/** Runs a program in the environment that no test has changed. Resolves to `{ stdout, stderr }`, and rejects unless it ends well. */
export function run([program, ...before], args, options = {}) {
	const { NODE_TEST_CONTEXT, ...env } = process.env;
	return promisify(execFile)(program, [...before, ...args], { env, maxBuffer: 1 << 28, ...options });
}

async function runtime(kind, program, { script = [], tests = [] } = {}) {
	const { stdout } = await run([program], ['--version']);
	return { name: `${kind} ${stdout.match(/\d+[.\d]+/)[0]}`, script: [program, ...script], tests: [program, ...tests] };
}

/** This Node: its `name`, and what runs a script or a file of `tests`. */
export const own = await runtime('Node', process.execPath);

/** The others. */
export const others = await Promise.all([
	...NODES.split(':').filter(Boolean).map((program) => runtime('Node', program)),
	...(DENO ? [runtime('Deno', DENO, { script: ['run', '-A'], tests: ['test', '-A', '--no-check', '--quiet'] })] : []),
	// Its tests have five seconds, on a machine that does nothing else.
	...(BUN ? [runtime('Bun', BUN, { tests: ['test', '--timeout', '600000'] })] : []),
]);
