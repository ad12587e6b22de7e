// For Node, Deno and Bun: reads the module, which is next to this file.
import './index.node.js';
import { readFileSync } from 'node:fs';
import { setupPacket } from './src/packet.js';
import { instantiate } from './src/wasm.js';

const bytes = readFileSync(new URL('./gdvar-packet.wasm', import.meta.url));
setupPacket(instantiate(bytes));

export * from './src/packet.js';
