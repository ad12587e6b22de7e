// Bars as SVG: how long everyone takes, the fastest first, each part on a scale of its own. The white ground can be read on a dark page too.
// `node chart.mjs --from-stdin` draws JSON of the arguments of `chart`: { title, note, parts }. The Python package does.
import { readFileSync } from 'node:fs';

const WIDTH = 900;
const BAR = 26;
const TOP = 64;
const HEADING = 44;
const LEFT = 330;
const RIGHT = 190;
const OURS = '#478cbf';
const PEER = '#b8bdc4';
const INK = '#24292f';
const FAINT = '#6e7781';
const EDGE = '#d0d7de';

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const label = (time) => (time >= 1000 ? `${(time / 1000).toFixed(2)} ms` : `${time.toFixed(time < 100 ? 2 : 0)} µs`);

/** One line of text; `anchor` is `start`, or `end` for a text that ends at `x`. */
const words = (x, y, size, color, text, anchor = 'start') =>
	`<text x="${x}" y="${y}" font-size="${size}" fill="${color}" text-anchor="${anchor}">${escaped(text)}</text>`;

function bars(top, { title, rows }) {
	const sorted = Object.entries(rows).sort(([, a], [, b]) => a - b);
	const most = sorted.at(-1)[1];
	const drawn = sorted.map(([name, time], n) => {
		const middle = top + HEADING + BAR * n + BAR / 2;
		const width = Math.max((time / most) * (WIDTH - LEFT - RIGHT), 1);
		return [
			`<rect x="${LEFT}" y="${middle - 9}" width="${width.toFixed(1)}" height="18" fill="${name.startsWith('gdvar') ? OURS : PEER}"/>`,
			words(LEFT - 8, middle + 4, 13, INK, name, 'end'),
			words((LEFT + width + 6).toFixed(1), middle + 4, 13, INK, label(time)),
		].join('\n');
	});
	return [`<path d="M16 ${top + 2}H${WIDTH - 16}" stroke="${EDGE}"/>`, words(16, top + 26, 15, INK, title), ...drawn].join('\n');
}

/** A chart of several parts: each has a title, and the time in microseconds of each name. */
export function chart(title, note, parts) {
	let top = TOP;
	const drawn = parts.map((part) => {
		const text = bars(top, part);
		top += HEADING + BAR * Object.keys(part.rows).length;
		return text;
	});
	const height = top + 16;
	return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" role="img">
<title>${escaped(title)}</title>
<rect x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" fill="#fff" stroke="${EDGE}"/>
${words(16, 30, 20, INK, title)}
${words(16, 50, 13, FAINT, note)}
${drawn.join('\n')}
</svg>
`;
}

if (process.argv[2] === '--from-stdin') {
	const { title, note, parts } = JSON.parse(readFileSync(0, 'utf8'));
	process.stdout.write(chart(title, note, parts));
}
