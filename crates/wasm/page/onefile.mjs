// Puts style and script of dist/ into its page: dist/gdvar.html needs no other file. Run by ../build.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

const dist = new URL('dist/', import.meta.url);
const read = (name) => readFileSync(new URL(name, dist), 'utf8');

/** The only text that the policy of the page lets run, or be its style. */
const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Replaces the one place that `part`, a text or a pattern, matches, or throws. */
function put(html, part, by) {
	const [before, after, ...more] = html.split(part);
	if (after === undefined || more.length > 0) throw new Error(`index.html must contain ${part} once`);
	return before + by + after;
}

const style = read('page.css');
const script = read('page.js');
// HTML ends an element here, whatever the text around it means, and browsers change line ends before they hash.
if (/<\/style|\r/i.test(style) || /<\/script|<!--|\r/i.test(script)) throw new Error('this text cannot be inside HTML');

let html = read('index.html');
html = put(html, "script-src 'self'", `script-src ${hash(script)}`);
html = put(html, "style-src 'self'", `style-src ${hash(style)}`);
html = put(html, '<link rel="stylesheet" href="page.css">', `<style>${style}</style>`);
html = put(html, '<script src="page.js"></script>', `<script>${script}</script>`);
// It is what that link offers.
html = put(html, /\n\t<p id="keep">.*<\/p>/, '');
writeFileSync(new URL('gdvar.html', dist), html);
