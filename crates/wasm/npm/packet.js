// For browsers: fetches the module, which is next to this file.
import './index.js';
import { setupPacket } from './src/packet.js';
import { instantiateLater } from './src/wasm.js';

const response = await fetch(new URL('./gdvar-packet.wasm', import.meta.url));
if (!response.ok) throw new Error(`gdvar-packet.wasm: ${response.status} ${response.statusText}`);
setupPacket(await instantiateLater(await response.arrayBuffer()));

export * from './src/packet.js';
