// `require` of Node 18 and of Node 20 before 20.19, which take no modules: all.cjs is made by ../build.
require('./index.cjs');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { packet, instantiate, setupPacket } = require('./all.cjs');

setupPacket(instantiate(readFileSync(join(__dirname, 'gdvar-packet.wasm'))));

module.exports = packet;
