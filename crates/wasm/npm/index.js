// Browsers: the module is fetched from beside this file.
import { setup } from './src/wasm.js';

const response = await fetch(new URL('./gdvar.wasm', import.meta.url));
if (!response.ok) throw new Error(`gdvar.wasm: ${response.status} ${response.statusText}`);
setup((await WebAssembly.instantiate(await response.arrayBuffer())).instance);

export * from './src/api.js';
