/** Configuration of the script, as JSON in the element `config`. */
export interface ScriptConfig {
	/** undefined after the end, when the script only follows the redirect */
	readonly statusUrl?: string | undefined;
	readonly language: string;
	readonly title: string;
	/** remaining time by the clock of the server; undefined without an expiry */
	readonly millisecondsLeft?: number | undefined;
	readonly redirectTo?: string | undefined;
	readonly texts: {
		readonly waiting: string;
		/** with `{answers}` and `{wanted}` */
		readonly progress: string;
		readonly offline: string;
		readonly validFor: string;
	};
	/** texts of the ends by state */
	readonly ends: Readonly<Record<string, EndTexts>>;
}

export interface EndTexts {
	readonly headline: string;
	/** headline with `{name}` */
	readonly named?: string;
	readonly detail: string;
	/** detail before a redirect */
	readonly redirecting?: string;
}

/**
 * Script of the waiting page. It polls every 1.5 seconds during the first five minutes, then every
 * 2.2 seconds: the state after the end is there for 3 seconds at least. A page that the visitor
 * does not see polls more rarely, and at once when the visitor returns. It stops after the end,
 * also when the execution is gone: n8n then answers 401, 404, 409 or 410, or with a page of its
 * own. The countdown does not depend on the clock of the visitor. Texts are written as text only,
 * never as HTML.
 */
export const pageScript = `
'use strict';
(() => {
	const element = (id) => document.getElementById(id);
	const config = JSON.parse(element('config').textContent);
	const loadedAt = Date.now();
	let hasEnded = config.statusUrl === undefined;
	let isPolling = false;
	let failures = 0;
	let refusals = 0;
	let next;

	const elapsed = () => Date.now() - loadedAt;
	const left = () =>
		config.millisecondsLeft === undefined ? Infinity : config.millisecondsLeft - elapsed();

	function write(id, text) {
		if (element(id).textContent !== text) element(id).textContent = text;
	}

	function writeHeadline(end, name) {
		if (!name || !end.named) return write('headline', end.headline);
		const isolated = document.createElement('bdi');
		isolated.textContent = name;
		const [before, ...after] = end.named.split('{name}');
		element('headline').replaceChildren(before, isolated, after.join('{name}'));
	}

	function follow(address) {
		setTimeout(() => location.replace(address), 1500);
	}

	function finish(state, name, address) {
		const end = config.ends[state];
		hasEnded = true;
		clearTimeout(next);
		const hadFocus = element('invitation').contains(document.activeElement);
		element('invitation').remove();
		element('countdown').remove();
		document.body.dataset.state = state;
		writeHeadline(end, name);
		write('detail', address ? end.redirecting : end.detail);
		document.title = element('headline').textContent + ' – ' + config.title;
		if (hadFocus) element('status').focus();
		if (!address) return;
		element('continue').href = address;
		element('continue').hidden = false;
		follow(address);
	}

	function waitingText(progress) {
		if (!progress || !(progress.answers > 0)) return config.texts.waiting;
		return config.texts.progress
			.replace('{answers}', () => String(Number(progress.answers)))
			.replace('{wanted}', () => String(Number(progress.wanted)));
	}

	function readAnswer(text) {
		const answer = text.length > 10000 ? undefined : JSON.parse(text);
		const state = answer && answer.state;
		if (state !== 'waiting' && !Object.hasOwn(config.ends, state)) throw new Error('unknown');
		failures = refusals = 0;
		write('headline', waitingText(answer.progress));
		if (state === 'waiting') return;
		const name = typeof answer.name === 'string' ? answer.name.slice(0, 100) : '';
		const address = String(answer.redirectTo ?? '');
		finish(state, name, /^https?:\\/\\//.test(address) ? address : undefined);
	}

	async function ask() {
		const limit = new AbortController();
		const timer = setTimeout(() => limit.abort(), 10000);
		try {
			const response = await fetch(config.statusUrl, {
				cache: 'no-store',
				credentials: 'omit',
				redirect: 'error',
				referrerPolicy: 'no-referrer',
				signal: limit.signal,
			});
			const text = response.ok ? await response.text() : '';
			const isOver = /no action required/i.test(text) || [401, 404, 409, 410].includes(response.status);
			if (response.ok && !isOver) return readAnswer(text);
			if (!isOver) throw new Error('unavailable');
			refusals += 1;
			if (refusals >= 3) finish('gone');
		} finally {
			clearTimeout(timer);
		}
	}

	function pause() {
		const usual = elapsed() < 300000 ? 1500 : 2200;
		if (failures > 0) return Math.min(30000, 1500 * 2 ** failures);
		if (document.hidden) return Math.max(10000, usual);
		return left() < 5000 ? 1500 : usual;
	}

	async function poll() {
		if (hasEnded || isPolling) return;
		isPolling = true;
		clearTimeout(next);
		try {
			await ask();
		} catch {
			failures += 1;
			if (failures >= 2) write('headline', config.texts.offline);
		}
		isPolling = false;
		if (hasEnded) return;
		// An answer that was given in the last seconds may still be on its way.
		if (left() < -20000) return finish('expired');
		next = setTimeout(poll, pause() * (0.9 + Math.random() * 0.2));
	}

	function describe(milliseconds) {
		const seconds = Math.ceil(Math.max(0, milliseconds) / 1000);
		const inUnit = (value, unit) =>
			new Intl.NumberFormat(config.language, { style: 'unit', unit, unitDisplay: 'long' }).format(
				Math.round(value),
			);
		if (seconds >= 172800) return inUnit(seconds / 86400, 'day');
		if (seconds >= 6000) return inUnit(seconds / 3600, 'hour');
		return Math.floor(seconds / 60) + ':' + String(seconds % 60).padStart(2, '0');
	}

	function count() {
		if (hasEnded || left() === Infinity) return;
		write('countdown', config.texts.validFor.replace('{time}', () => describe(left())));
		setTimeout(count, 1000 - (Math.max(0, elapsed()) % 1000));
	}

	if (config.redirectTo) follow(config.redirectTo);
	if (hasEnded) return;
	count();
	next = setTimeout(poll, 1500);
	document.addEventListener('visibilitychange', () => {
		if (!document.hidden) void poll();
	});
	addEventListener('pageshow', (event) => {
		if (event.persisted) void poll();
	});
	addEventListener('online', () => void poll());
})();
`;
