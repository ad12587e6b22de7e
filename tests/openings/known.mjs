// Where the command answers otherwise, and why. The command is on its way to gdvar-file: an entry goes when it has come there.

const REASONS = [
	[
		'the command does not take off gzip, zlib, Zstandard and FastLZ made by hand, nor text around layers, yet',
		(told, answer) => told.error === 'Gzip' || (answer.layers ?? []).some((name) => /^(gzip|zlib|zstd|fastlz|text:)/.test(name)),
	],
];

/** Why the command's answer about a file is known to be another; undefined if it is not. */
export function known(told, answer) {
	return REASONS.find(([, is]) => is(told, answer))?.[0];
}
