// For browsers: fetches the module, which is next to this file.
import { instantiateLater, setup } from './src/wasm.js';

const response = await fetch(new URL('./gdvar.wasm', import.meta.url));
if (!response.ok) throw new Error(`gdvar.wasm: ${response.status} ${response.statusText}`);
setup(await instantiateLater(await response.arrayBuffer()));

export * from './src/api.js';
