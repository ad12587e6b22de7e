// How long packages of npm take for the values of a file: one line of JSON for each package, what
// it does and each name. The clock is the processor time of this process, with all its threads.
//
//   node time.cjs FOLDER FILE NAME...
//
// FOLDER has node_modules. FILE holds a value for each NAME behind its length (u32,
// little-endian). A package is timed only for what it does right: what it decodes must give the
// answer that `question.rs` asks for (printed, and compared by the caller), and what it encodes
// must be the same bytes again.

const fs = require('fs');
const path = require('path');

const [folder, file, ...names] = process.argv.slice(2);
const load = require('module').createRequire(path.join(path.resolve(folder), 'here.js'));

const PACKAGES = {
  '@gd-com/utils': (gd) => ({
    decode: (bytes) => gd.getVar(bytes).value,
    encode: (value) => gd.putVar(value),
  }),
  'godot-binary-serialization': (gd) => ({
    decode: gd.PacketPeer.get_var,
    encode: gd.PacketPeer.put_var,
  }),
};

const ROUNDS = 9;
const SAMPLE = 200e6; // nanoseconds of a round, at least
const WARM = 1e9; // nanoseconds before the first

const MASK = (1n << 64n) - 1n;
const word = Buffer.alloc(8);

// What a float adds: its bits.
function float(value) {
  word.writeDoubleLE(value);
  return word.readBigUInt64LE();
}

function text(value) {
  const bytes = Buffer.from(value);
  if (bytes.length === 0) return 0x3007n;
  return BigInt(bytes.length) + (BigInt(bytes[0]) << 16n) + (BigInt(bytes.at(-1)) << 24n);
}

// The sum over all that a value holds, as question.rs makes it. JavaScript has one kind of number:
// the input has no whole floats, so that they can be told from ints.
function answer(value) {
  if (value === null) return 0x1001n;
  if (typeof value === 'boolean') return 0x2003n + BigInt(value);
  if (typeof value === 'string') return text(value);
  if (typeof value === 'number') {
    return Number.isInteger(value) ? BigInt.asUintN(64, BigInt(value)) : float(value);
  }
  if (Array.isArray(value)) {
    return value.reduce((sum, item) => sum + answer(item), BigInt(value.length) << 32n) & MASK;
  }
  const pairs = Object.entries(value);
  const start = BigInt(pairs.length) << 40n;
  return pairs.reduce((sum, [key, item]) => sum + text(key) + answer(item), start) & MASK;
}

function clock() {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1e3;
}

function passes(run, count) {
  const start = clock();
  for (let i = 0; i < count; i += 1) run();
  return clock() - start;
}

function time(run) {
  // The compiler of the engine gets time to look at it first.
  for (const start = clock(); clock() - start < WARM;) run();
  const count = Math.max(1, Math.ceil(SAMPLE / Math.max(passes(run, 3) / 3, 1e3)));
  return Array.from({ length: ROUNDS }, () => passes(run, count) / count);
}

const blobs = fs.readFileSync(file);
let at = 0;
for (const name of names) {
  const bytes = blobs.subarray(at + 4, at + 4 + blobs.readUInt32LE(at));
  at += 4 + bytes.length;
  for (const [id, use] of Object.entries(PACKAGES)) {
    const { decode, encode } = use(load(id));
    const value = decode(bytes);
    const line = (does, right, run) => {
      const nanoseconds = right ? time(run) : [];
      console.log(`TIME ${JSON.stringify({ name, package: id, does, answer: `${answer(value)}`, nanoseconds })}`);
    };
    line('decode', true, () => decode(bytes));
    line('encode', encode(value).equals(bytes), () => encode(value));
  }
}
