// Node, Deno and Bun: the module is a file beside this one.
import './index.node.js';
import { readFile } from 'node:fs/promises';
import { setupPacket } from './src/packet.js';
import { instantiate } from './src/wasm.js';

const bytes = await readFile(new URL('./gdvar-packet.wasm', import.meta.url));
setupPacket(await instantiate(bytes));

export * from './src/packet.js';
