// The field for the selected value: a number with steps, or a text as a script writes it.
import { stepOf, stepped } from './number.js';

const $ = (id) => document.getElementById(id);
const STEPS = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 };

export class Editor {
	#type = '';

	constructor() {
		$('up').addEventListener('click', () => this.#step(1));
		$('down').addEventListener('click', () => this.#step(-1));
		$('number').addEventListener('input', () => this.#tell());
		$('number').addEventListener('keydown', (event) => {
			if (!(event.key in STEPS)) return;
			event.preventDefault();
			this.#step(STEPS[event.key]);
		});
		$('same').addEventListener('change', () => this.#choose(this.text));
	}

	get #numeric() {
		return this.keeps && (this.#type === 'Int' || this.#type === 'Float');
	}

	/** True if the type of the value must stay. A null becomes anything. */
	get keeps() {
		return $('same').checked && this.#type !== 'Nil';
	}

	get #field() {
		return $(this.#numeric ? 'number' : 'text');
	}

	/** What was typed. A whole number that replaces a Float is one. */
	get text() {
		if ($('numeric').hidden) return $('text').value;
		const text = $('number').value.trim();
		return this.#type === 'Float' && /^-?\d+$/.test(text) ? `${text}.0` : text;
	}

	/** Shows a value that may be changed, or only read. */
	show(type, text, editable) {
		this.#type = type;
		$('same').checked = true;
		$('same').parentElement.hidden = type === 'Nil' || !editable;
		$('same').nextElementSibling.textContent = `Keep the type, ${type}`;
		$('text').readOnly = !editable;
		$('apply').disabled = !editable;
		this.#choose(text);
	}

	/** Shows that there is nothing to change. */
	clear() {
		this.show('', '', false);
	}

	focus() {
		this.#field.focus();
		this.#field.select();
	}

	#choose(text) {
		$('numeric').hidden = !this.#numeric;
		$('text').hidden = this.#numeric;
		$('editor').querySelector('label').htmlFor = this.#field.id;
		this.#field.value = text;
		this.#tell();
	}

	#step(times) {
		$('number').value = stepped($('number').value, this.#type, times);
		this.#tell();
	}

	/** Tells programs that read aloud, and pointers over the buttons. */
	#tell() {
		const { value } = $('number');
		const step = stepOf(value, this.#type);
		$('number').setAttribute('aria-valuenow', Number.isFinite(Number(value)) ? Number(value) : 0);
		$('number').setAttribute('aria-valuetext', value);
		for (const [id, word, key] of [['up', 'Up', 'arrow up'], ['down', 'Down', 'arrow down']]) {
			$(id).disabled = step === '';
			$(id).title = step === '' ? '' : `${word} by ${step} (${key})`;
			$(id).setAttribute('aria-label', `${word} by ${step || '1'}`);
		}
	}
}
