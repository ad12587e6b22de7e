// ../outside.js for a page, which has no OpenSSL and asks for its answer at once: the server of browser.test.js calls it.
function ask(query, bytes) {
	const request = new XMLHttpRequest();
	request.open('POST', `/outside?${query}`, false);
	// As fs.js: the low byte of each code unit.
	request.overrideMimeType('text/plain; charset=x-user-defined');
	request.send(bytes);
	return Uint8Array.from(request.responseText, (unit) => unit.charCodeAt(0));
}

export const inflated = (file) => ask('inflated', file);
export const encrypted = (bytes, key) => ask(`encrypted&${key.join()}`, bytes);
