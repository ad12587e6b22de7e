// The `readFileSync` of node:fs for a page: the server of browser.test.js has the files under their own paths.
export function readFileSync(url, encoding) {
	const request = new XMLHttpRequest();
	request.open('GET', url, false);
	// A request that is waited for gives text alone: of this charset, the low byte of each code unit is the byte of the file.
	request.overrideMimeType('text/plain; charset=x-user-defined');
	request.send();
	if (request.status !== 200) throw new Error(`${url}: ${request.status} ${request.statusText}`);
	const bytes = Uint8Array.from(request.responseText, (unit) => unit.charCodeAt(0));
	return encoding === undefined ? bytes : new TextDecoder(encoding).decode(bytes);
}
