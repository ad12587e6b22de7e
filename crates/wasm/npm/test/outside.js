// What other programs say: zlib and OpenSSL. In a page the server is asked instead: browser/outside.js.
import { createCipheriv, createHash, getCiphers } from 'node:crypto';
import { inflateSync } from 'node:zlib';

/** The contents of a GCPF file of deflate, by zlib. */
export function inflated(file) {
	const view = new DataView(file.buffer, file.byteOffset);
	const [block, total] = [view.getUint32(8, true), view.getUint32(12, true)];
	const count = Math.floor(total / block) + 1;
	const parts = [];
	for (let n = 0, at = 16 + 4 * count; n < count; n++) {
		const length = view.getUint32(16 + 4 * n, true);
		parts.push(inflateSync(file.subarray(at, at + length)));
		at += length;
	}
	return Buffer.concat(parts);
}

/** A GDEC file of Godot 4, by OpenSSL. */
export function encrypted(bytes, key) {
	const iv = Buffer.alloc(16, 9);
	const head = Buffer.alloc(4 + 16 + 8);
	head.write('GDEC');
	createHash('md5').update(bytes).digest().copy(head, 4);
	head.writeBigUInt64LE(BigInt(bytes.length), 20);
	const padded = Buffer.alloc(Math.ceil(bytes.length / 16) * 16);
	padded.set(bytes);
	return Buffer.concat([head, iv, cfb(padded, key, iv)]);
}

/** AES in the mode CFB. Deno knows only the blocks that it is made of: each is XORed with the encrypted one before it. */
function cfb(blocks, key, iv) {
	if (getCiphers().includes('aes-256-cfb')) {
		const cipher = createCipheriv('aes-256-cfb', key, iv);
		return Buffer.concat([cipher.update(blocks), cipher.final()]);
	}
	const cipher = createCipheriv('aes-256-ecb', key, null);
	let before = iv;
	for (let at = 0; at < blocks.length; at += 16) {
		const mask = cipher.update(before);
		for (let n = 0; n < 16; n++) blocks[at + n] ^= mask[n];
		before = blocks.subarray(at, at + 16);
	}
	return blocks;
}
