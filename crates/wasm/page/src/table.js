// A value as CSV: records, an Array of Dictionaries, a packed array.

const cell = (value) => {
	let text;
	if (value === undefined || value === null) text = '';
	else if (typeof value === 'object') {
		text = JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? String(item) : item));
	} else text = String(value);
	// A spreadsheet would run this cell as a formula, so it is marked as text.
	if (typeof value === 'string' && /^[=+\-@\t\r]/.test(text)) text = `'${text}`;
	return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const isPlain = (value) => value !== null && typeof value === 'object' && (Object.getPrototypeOf(value) === Object.prototype || value instanceof Map);

/**
 * Returns rows as CSV. The keys of a Dictionary are columns; anything else is in the column `value`.
 */
export function csv(rows) {
	const columns = new Set();
	const lines = [];
	for (const row of rows) {
		const pairs = !isPlain(row) ? [['value', row]] : row instanceof Map ? [...row] : Object.entries(row);
		const line = new Map(pairs.map(([key, value]) => [String(key), value]));
		for (const key of line.keys()) columns.add(key);
		lines.push(line);
	}
	const names = [...columns];
	return [names.map(cell).join(','), ...lines.map((line) => names.map((name) => cell(line.get(name))).join(','))].join('\r\n') + '\r\n';
}
