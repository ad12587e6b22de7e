// Steps of the number field. Whole numbers are BigInts: an Int has 64 bits.

const LEAST = -(2n ** 63n);
const MOST = 2n ** 63n - 1n;

/** Returns the step of a Float: 1 for whole and middling numbers, else the place of its second digit. */
function floatStep(number) {
	const size = Math.abs(number);
	if (size === 0 || (Number.isInteger(size) && size < 1e6)) return 1;
	const second = Math.floor(Math.log10(size)) - 1;
	return size < 1e6 ? Math.min(1, 10 ** second) : 10 ** second;
}

/** Returns the size of one step from a number, as text; '' where there is no step. */
export function stepOf(text, type) {
	if (type === 'Int') return '1';
	const number = Number(text.trim() || NaN);
	return Number.isFinite(number) ? String(Number(floatStep(number).toPrecision(1))) : '';
}

/** Returns the number `times` steps up, or down if that is negative. What is not a number stays. */
export function stepped(text, type, times) {
	const step = stepOf(text, type);
	if (type === 'Int') {
		if (!/^\s*[+-]?\d+\s*$/.test(text)) return text;
		const number = BigInt(text.trim().replace('+', '')) + BigInt(times);
		return String(number < LEAST ? LEAST : number > MOST ? MOST : number);
	}
	if (step === '') return text;
	// A sum such as 0.1 + 0.2 shows the digits that people expect.
	const number = Number((Number(text) + times * Number(step)).toPrecision(15));
	const digits = String(number);
	return /[.e]/.test(digits) ? digits : `${digits}.0`;
}
