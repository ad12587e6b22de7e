// Shows the bytes of a value: offset, hex, text, and the name of the field that each byte belongs to.

/** The number of bytes of a value that are shown. */
export const SHOWN = 4096;

/** Fields that determine how the value is read. They are coloured. */
const HEAD = / ?header$/;
const COUNT = /(length|count)( of .*)?$/;

/**
 * Shows the first bytes of a value. `fields`, each `{ end, name }`, follow one another from `start` on. A
 * byte has the name of its field as its title.
 */
export function hex(element, bytes, start, end, fields) {
	const stop = Math.min(end, start + SHOWN);
	const lines = [];
	let field = 0;
	for (let at = start; at < stop; at += 16) {
		const line = document.createElement('div');
		const offset = document.createElement('span');
		offset.className = 'offset';
		offset.textContent = `${at.toString(16).padStart(6, '0')}  `;
		line.append(offset);
		let text = '';
		let run;
		let last = -1;
		for (let byte = at; byte < at + 16; byte++) {
			if (byte < stop) {
				while (field < fields.length && fields[field].end <= byte) field++;
				text += bytes[byte] >= 32 && bytes[byte] < 127 ? String.fromCharCode(bytes[byte]) : '·';
			}
			if (run === undefined || field !== last) {
				last = field;
				run = document.createElement('span');
				const { name } = fields[field] ?? { name: 'unread' };
				run.title = name;
				if (HEAD.test(name)) run.className = 'head';
				else if (COUNT.test(name)) run.className = 'count';
				line.append(run);
			}
			run.textContent += byte < stop ? `${bytes[byte].toString(16).padStart(2, '0')} ` : '   ';
			if (byte % 4 === (at + 3) % 4) run.textContent += ' ';
		}
		line.append(text);
		lines.push(line);
	}
	if (stop < end) {
		const more = document.createElement('div');
		more.className = 'offset';
		more.textContent = `… ${end - stop} more bytes`;
		lines.push(more);
	}
	element.replaceChildren(...lines);
}
