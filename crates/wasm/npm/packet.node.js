// Node, Deno and Bun: the module is a file beside this one.
import './index.node.js';
import { readFileSync } from 'node:fs';
import { setupPacket } from './src/packet.js';
import { instantiate } from './src/wasm.js';

const bytes = readFileSync(new URL('./gdvar-packet.wasm', import.meta.url));
setupPacket(instantiate(bytes));

export * from './src/packet.js';
