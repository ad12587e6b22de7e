// Browsers: the module is fetched from beside this file.
import { instantiate, setup } from './src/wasm.js';

const response = await fetch(new URL('./gdvar.wasm', import.meta.url));
if (!response.ok) throw new Error(`gdvar.wasm: ${response.status} ${response.statusText}`);
setup(instantiate(await WebAssembly.compile(await response.arrayBuffer())));

export * from './src/api.js';
