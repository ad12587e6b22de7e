// node sizes.run.js SIZES ENTRY...: calls entry points of sizes.js in this process, with sizes in megabytes: 0.1,1,20.
import process from 'node:process';
import { run } from './sizes.js';

const [sizes, ...entries] = process.argv.slice(2);
for (const entry of entries) await run(entry, sizes.split(',').map(Number));
console.log('done');
