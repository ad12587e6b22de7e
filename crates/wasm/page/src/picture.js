// Small pictures of packed arrays: a line for numbers, points for vectors, swatches for colours, an image for
// bytes.
import { decode } from '../../npm/src/decode.js';

/** Larger arrays are not drawn. */
const MOST = 2_000_000;

const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Returns the smallest and the largest number, ignoring NaN. */
function range(numbers, step = 1, from = 0) {
	let low = Infinity;
	let high = -Infinity;
	for (let n = from; n < numbers.length; n += step) {
		const number = Number(numbers[n]);
		if (number < low) low = number;
		if (number > high) high = number;
	}
	if (!(low <= high) || !Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
	return low === high ? [low - 1, high + 1] : [low, high];
}

function line(context, width, height, numbers) {
	const [low, high] = range(numbers);
	context.strokeStyle = color('--strong');
	context.beginPath();
	// Each column shows the smallest and the largest of its numbers.
	for (let x = 0; x < width; x++) {
		const from = Math.floor((x * numbers.length) / width);
		const to = Math.max(from + 1, Math.floor(((x + 1) * numbers.length) / width));
		const [least, most] = range(numbers.subarray(from, to));
		const own = to - from === 1 ? [Number(numbers[from]), Number(numbers[from])] : [least, most];
		const y = (number) => height - 4 - ((number - low) / (high - low)) * (height - 8);
		if (x === 0) context.moveTo(x, y(own[0]));
		context.lineTo(x, y(own[0]));
		context.lineTo(x, y(own[1]));
	}
	context.stroke();
	return `${numbers.length} numbers from ${low} to ${high}`;
}

function points(context, width, height, data, size) {
	const [left, right] = range(data, size, 0);
	// In Godot the second dimension is the height. Seen from above, z points down in the picture.
	const second = size === 3 ? 2 : 1;
	const [top, bottom] = range(data, size, second);
	const scale = Math.min((width - 12) / (right - left), (height - 12) / (bottom - top));
	context.fillStyle = color('--strong');
	for (let n = 0; n < data.length; n += size) {
		const x = width / 2 + (data[n] - (left + right) / 2) * scale;
		const y = height / 2 + (data[n + second] - (top + bottom) / 2) * scale;
		context.fillRect(x - 1, y - 1, 2, 2);
	}
	const axes = size === 3 ? ', seen from above (x to the right, z down)' : '';
	return `${data.length / size} points${axes}`;
}

function swatches(context, width, height, data) {
	const count = data.length / 4;
	const columns = Math.max(1, Math.ceil(Math.sqrt((count * width) / height)));
	const size = width / columns;
	for (let n = 0; n < count; n++) {
		const [r, g, b, a] = Array.from(data.subarray(4 * n, 4 * n + 4), (part) => Math.round(Math.min(1, Math.max(0, part)) * 255));
		context.fillStyle = `rgb(${r} ${g} ${b} / ${a / 255})`;
		context.fillRect((n % columns) * size, Math.floor(n / columns) * size, Math.ceil(size), Math.ceil(size));
	}
	return `${count} colours`;
}

/** Returns the type of an image by its first bytes. */
function imageType(bytes) {
	const starts = (...first) => first.every((byte, n) => bytes[n] === byte);
	if (starts(0x89, 0x50, 0x4e, 0x47)) return 'image/png';
	if (starts(0xff, 0xd8, 0xff)) return 'image/jpeg';
	if (starts(0x52, 0x49, 0x46, 0x46) && bytes[8] === 0x57) return 'image/webp';
	return undefined;
}

/** Draws bytes as grey pixels, or as coloured pixels if they form a square. */
function grid(canvas, bytes) {
	for (const parts of [4, 3, 1]) {
		const side = Math.sqrt(bytes.length / parts);
		const width = Number.isInteger(side) ? side : parts === 1 ? Math.ceil(side) : 0;
		if (width === 0 || width > 2048) continue;
		const height = Math.ceil(bytes.length / parts / width);
		canvas.width = width;
		canvas.height = height;
		const context = canvas.getContext('2d');
		const image = context.createImageData(width, height);
		for (let n = 0; n * parts < bytes.length; n++) {
			for (let part = 0; part < 3; part++) image.data[4 * n + part] = bytes[n * parts + (parts === 1 ? 0 : part)];
			image.data[4 * n + 3] = parts === 4 ? bytes[4 * n + 3] : 255;
		}
		context.putImageData(image, 0, 0);
		const form = { 1: 'grey', 3: 'RGB', 4: 'RGBA' }[parts];
		return `${bytes.length} bytes as ${width} × ${height} points, ${form}: a guess`;
	}
	return undefined;
}

/** Draws a value into a figure, or hides the figure. */
export function picture(figure, loaded, at, type) {
	const canvas = figure.querySelector('canvas');
	const image = figure.querySelector('img');
	const caption = figure.querySelector('figcaption');
	figure.hidden = true;
	canvas.hidden = false;
	image.hidden = true;
	if (image.src) URL.revokeObjectURL(image.src);
	image.removeAttribute('src');
	if (!type.startsWith('Packed') || type === 'PackedStringArray') return;
	let value;
	try {
		value = decode(loaded.bytes.subarray(at), { dialect: loaded.dialect });
	} catch {
		return;
	}
	const data = value.data ?? value;
	if (data.length === 0 || data.length > MOST) return;
	canvas.width = 480;
	canvas.height = 200;
	const context = canvas.getContext('2d');
	const size = (name) => Number(name[12]);
	let text;
	if (type === 'PackedByteArray') {
		const own = imageType(data);
		if (own) {
			image.src = URL.createObjectURL(new Blob([data], { type: own }));
			image.alt = 'The image in these bytes';
			image.hidden = false;
			canvas.hidden = true;
			text = `${own}, ${data.length} bytes`;
		} else if (data.length >= 16) text = grid(canvas, data);
	} else if (type === 'PackedColorArray') text = swatches(context, canvas.width, canvas.height, data);
	else if (type.startsWith('PackedVector')) text = points(context, canvas.width, canvas.height, data, size(type));
	else text = line(context, canvas.width, canvas.height, data);
	if (text === undefined) return;
	caption.textContent = text;
	figure.hidden = false;
}
