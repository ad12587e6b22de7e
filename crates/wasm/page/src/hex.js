// The bytes of a value: offset, hex, text, and what the words are.

const SHOWN = 4096;

/** What each word of the head is, by the type of the value. */
function heads(type) {
	const names = ['type and flags'];
	if (['String', 'StringName', 'Signal'].includes(type)) names.push('length in bytes');
	else if (type.startsWith('Packed') || type.startsWith('Pool')) names.push('number of elements');
	else if (type === 'Array' || type === 'Dictionary') names.push('number of children, or the type of the elements first');
	else if (type === 'NodePath') names.push('number of names', 'number of sub-names', 'flags');
	return names;
}

/** Shows the first bytes of a value; gives back how many are not shown. */
export function hex(element, bytes, start, end, type) {
	const stop = Math.min(end, start + SHOWN);
	const names = heads(type);
	const lines = [];
	for (let at = start; at < stop; at += 16) {
		const line = document.createElement('div');
		const offset = document.createElement('span');
		offset.className = 'offset';
		offset.textContent = `${at.toString(16).padStart(6, '0')}  `;
		line.append(offset);
		let text = '';
		for (let n = at; n < at + 16; n += 4) {
			const word = document.createElement('span');
			let digits = '';
			for (let byte = n; byte < n + 4; byte++) {
				digits += byte < stop ? `${bytes[byte].toString(16).padStart(2, '0')} ` : '   ';
				if (byte < stop) text += bytes[byte] >= 32 && bytes[byte] < 127 ? String.fromCharCode(bytes[byte]) : '·';
			}
			word.textContent = `${digits} `;
			const number = (n - start) / 4;
			if (number < names.length && n < stop) {
				word.className = number === 0 ? 'head' : 'count';
				word.title = names[number];
			} else if (n < stop) word.title = `byte ${n - start} of the value`;
			line.append(word);
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
