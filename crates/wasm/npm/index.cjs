// `require` of Node 18 and of Node 20 before 20.19, which take no modules: all.cjs is made by ../build.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { api, instantiate, setup } = require('./all.cjs');

setup(instantiate(readFileSync(join(__dirname, 'gdvar.wasm'))));

module.exports = api;
