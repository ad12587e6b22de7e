#!/usr/bin/env node
// `npx gdvar`: this package is the library, and the command is a program of its own. Runs it where it is installed, and otherwise says
// how to get it.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, realpathSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { argv, env, exit, platform, stderr } from 'node:process';

/** As shells say that there is no such program. */
const NOT_FOUND = 127;

/** The command's program, or undefined. What npm puts into node_modules/.bin is a link to this file, or a script that calls it. */
function find() {
	const name = platform === 'win32' ? 'gdvar.exe' : 'gdvar';
	for (const folder of (env.PATH ?? '').split(delimiter)) {
		if (folder === '') continue;
		try {
			const program = realpathSync(join(folder, name));
			accessSync(program, constants.X_OK);
			if (basename(program) === name) return program;
		} catch {
			// It is not in this folder.
		}
	}
	return undefined;
}

const program = find();
if (program === undefined) {
	stderr.write(`gdvar: the command is not on PATH; the package gdvar of npm is the library for JavaScript
  = help: https://github.com/gdvar/gdvar#get-it has it as an archive, .deb and installer, or for cargo install
`);
	exit(NOT_FOUND);
}
const { status, signal, error } = spawnSync(program, argv.slice(2), { stdio: 'inherit' });
if (error) stderr.write(`gdvar: ${program} cannot be run: ${error.message}\n`);
exit(status ?? (signal ? 128 : NOT_FOUND));
