import { renderQrCodeSvg } from '../../../core/domain/qr/reference-qr';
import { renderStatus, type PageState } from '../../../nodes/Enmeshed/waiting-page/page-state';
import {
	builtInTexts,
	chooseLanguage,
	textsFor,
	type PageTexts,
} from '../../../nodes/Enmeshed/waiting-page/page-texts';
import {
	renderWaitingPage,
	type Invitation,
	type WaitingPage,
} from '../../../nodes/Enmeshed/waiting-page/waiting-page';
import { readSvg } from '../../support/qr-codes';

const nonce = 'AAAAAAAAAAAAAAAAAAAAAA==';
const now = Date.parse('2026-11-23T12:00:00Z');
const reference = {
	id: 'RLTa1B2c3D4e5F6g7H8i',
	backboneBaseUrl: 'https://backbone.example.com',
	key: 'A'.repeat(43),
};
const link = 'https://backbone.example.com/r/RLTa1B2c3D4e5F6g7H8i#M3xB';

let qrCodeSvg: string;

beforeAll(async () => {
	qrCodeSvg = await renderQrCodeSvg(reference, 'link');
});

interface Changes extends Partial<Omit<WaitingPage, 'invitation'>> {
	readonly invitation?: Partial<Invitation>;
}

function render({ invitation, ...changes }: Changes = {}) {
	return renderWaitingPage({
		title: 'Example Organisation',
		state: { state: 'waiting' },
		language: 'en',
		nonce,
		now,
		...changes,
		invitation: {
			text: 'Scan to log in',
			qrCodeSvg,
			link,
			expiresAt: '2026-11-23T12:05:00Z',
			statusUrl: '/webhook-waiting/1/node?status=1&signature=s',
			...invitation,
		},
	});
}

function configOf(body: string): Record<string, unknown> {
	const [, json = ''] =
		/<script type="application\/json" id="config">(.*)<\/script>/.exec(body) ?? [];
	return JSON.parse(json) as Record<string, unknown>;
}

describe('the waiting page', () => {
	it('shows question, QR code, link, state and remaining time', () => {
		const { statusCode, body } = render();
		expect(statusCode).toBe(200);
		expect(body).toContain('<html lang="en" dir="ltr">');
		expect(body).toContain('<h1 dir="auto">Example Organisation</h1>');
		expect(body).toContain('Scan to log in');
		expect(body).toContain(`<a class="button" href="${link}">Open in the app</a>`);
		expect(body).toContain('<p id="headline">Waiting for your answer</p>');
		expect(body).toContain('Valid until November 23, 2026 at 12:05');
		expect(configOf(body)).toMatchObject({
			millisecondsLeft: 300_000,
			title: 'Example Organisation',
		});
	});

	it('draws the same QR code with whole pixels per module', () => {
		const { body } = render();
		const [, modules = '', lines = ''] =
			/viewBox="0 0 (\d+) \1".*?stroke="#000" d="([^"]*)"/.exec(body) ?? [];
		expect(qrCodeSvg).toContain(lines);
		expect(readSvg(qrCodeSvg).modules).toBe(Number(modules));
		const widths = [...body.matchAll(/\.code { width: (\d+)px; }/g)].map(([, width]) =>
			Number(width),
		);
		expect(widths).toHaveLength(3);
		for (const width of widths) expect(width % Number(modules)).toBe(0);
	});

	it('allows its own script and style, requests for its state, and nothing else', () => {
		const { headers } = render({ invitation: { statusUrl: 'https://n8n.example.com:8443/x?a=b' } });
		expect(headers).toEqual({
			'content-type': 'text/html; charset=utf-8',
			'content-security-policy': [
				'sandbox allow-scripts allow-top-navigation-by-user-activation allow-top-navigation-to-custom-protocols',
				"default-src 'none'",
				`script-src 'nonce-${nonce}'`,
				`style-src 'nonce-${nonce}'`,
				'img-src data:',
				'connect-src https://n8n.example.com:8443',
				"base-uri 'none'",
				"form-action 'none'",
			].join('; '),
			'cache-control': 'no-store',
			'referrer-policy': 'no-referrer',
			'x-content-type-options': 'nosniff',
			'x-robots-tag': 'noindex, nofollow',
		});
		expect(render().headers['content-security-policy']).toContain('connect-src http: https:;');
	});

	it('loads nothing', () => {
		const { body } = render();
		const addresses = [...body.matchAll(/(?:src|href|url\()=?["']([^"']+)/g)];
		expect(addresses.map(([, address]) => address)).toEqual(['data:,', link]);
		expect(Buffer.byteLength(body)).toBeLessThan(30_000);
	});

	it.each([
		[{ state: 'answered', name: 'Anna' }, 'Thank you, <bdi>Anna</bdi>', 200],
		[{ state: 'answered' }, 'Thank you', 200],
		[{ state: 'rejected' }, 'You have declined', 200],
		[{ state: 'expired' }, 'This code has expired', 200],
		[{ state: 'gone' }, 'This page is no longer active', 410],
	] as const)('shows the end %j without the question', (state, headline, status) => {
		const { statusCode, headers, body } = render({ state });
		expect(statusCode).toBe(status);
		expect(body).toContain(`<body data-state="${state.state}">`);
		expect(body).toContain(`<p id="headline">${headline}</p>`);
		expect(body).not.toContain('Scan to log in');
		expect(body).not.toContain(link);
		expect(body).not.toContain('signature');
		expect(configOf(body)).not.toHaveProperty('statusUrl');
		expect(headers['content-security-policy']).toContain("connect-src 'none'");
	});

	it('leads to the next page after an answer, also without scripts', () => {
		const redirectTo = 'https://shop.example.com/?a=1&b="2"';
		const { body } = render({ state: { state: 'answered', name: 'Anna', redirectTo } });
		const escaped = 'https://shop.example.com/?a=1&#38;b=%222%22';
		expect(body).toContain(`<a class="button" id="continue" href="${escaped}">Continue</a>`);
		expect(body).toContain(`<meta http-equiv="refresh" content="2; url=${escaped}">`);
		expect(body).toContain('You will be forwarded');
	});

	it.each([
		'http://shop.example.com/',
		'javascript:alert(1)',
		'https://user:password@shop.example.com/',
		'//shop.example.com/',
		`https://shop.example.com/${'a'.repeat(2_000)}`,
		'',
	])('does not lead to %s', (redirectTo) => {
		const { body } = render({ state: { state: 'answered', redirectTo } });
		expect(body).toContain('<a class="button" id="continue" hidden>');
		expect(body).toContain('You can close this page.');
		expect(body).not.toContain('http-equiv="refresh"');
	});

	it.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', ' ', '/r/x'])(
		'has no button for the link %j',
		(address) => {
			expect(render({ invitation: { link: address } }).body).not.toContain('class="button" href');
		},
	);

	it.each(['nmshd://tr#VE9L', 'enmeshed://tr#VE9L', 'http://localhost:5690/r/RLT1#x'])(
		'has a button for the link %s',
		(address) => {
			const { body } = render({ invitation: { link: address } });
			expect(body).toContain(`<a class="button" href="${address}">`);
		},
	);

	it('escapes everything that comes from outside', () => {
		const hostile = `</script><script>alert(1)</script><img src=x onerror="alert('1')">&`;
		const texts = Object.fromEntries(Object.keys(textsFor('en')).map((name) => [name, hostile]));
		for (const state of ['waiting', 'answered', 'rejected', 'expired', 'gone'] as const) {
			const { body } = render({
				title: hostile,
				texts,
				language: 'en"><script>',
				state: { state, name: hostile } as PageState,
				invitation: { text: hostile, link: `https://example.com/${hostile}`, expiresAt: undefined },
			});
			expect(body.match(/<script/g)).toHaveLength(2);
			expect(body).not.toContain('<img');
			expect(body).not.toContain('alert(1)</');
			expect(body).toContain('<html lang="en"');
			if (state === 'waiting') expect(configOf(body)).toMatchObject({ title: hostile });
		}
	});

	it.each([
		['another picture', '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'],
		['nothing', ''],
	])('refuses %s in place of a QR code', (_name, svg) => {
		expect(() => render({ invitation: { qrCodeSvg: svg } })).toThrow(TypeError);
	});

	it.each(['//evil.example.com', '/\\evil.example.com', 'javascript:1', 'status', "/x' *"])(
		'handles the address %j of its state',
		(statusUrl) => {
			if (statusUrl.startsWith('/x')) {
				const { headers } = render({ invitation: { statusUrl } });
				expect(headers['content-security-policy']).toContain('connect-src http: https:;');
			} else expect(() => render({ invitation: { statusUrl } })).toThrow(TypeError);
		},
	);

	it('refuses a nonce that is short or could end the policy', () => {
		expect(() => render({ nonce: 'short' })).toThrow(TypeError);
		expect(() => render({ nonce: `${nonce}'; script-src *` })).toThrow(TypeError);
		expect(() =>
			renderWaitingPage({ title: 'x', state: { state: 'waiting' }, language: 'en', nonce, now }),
		).toThrow(TypeError);
	});

	it('stays small whatever it is given', () => {
		const long = '<𝄞&'.repeat(100_000);
		const texts = Object.fromEntries(Object.keys(textsFor('en')).map((name) => [name, long]));
		const { body } = render({
			title: long,
			texts,
			invitation: { text: long, link: `https://example.com/?${long}` },
		});
		expect(Buffer.byteLength(body)).toBeLessThan(150_000);
		expect(body.isWellFormed()).toBe(true);
	});
});

describe('the languages of the page', () => {
	it('are German and English, with the same texts', () => {
		expect(Object.keys(builtInTexts)).toEqual(['de', 'en']);
		const names = Object.keys(textsFor('en')).sort();
		for (const texts of Object.values(builtInTexts)) {
			expect(Object.keys(texts).sort()).toEqual(names);
			for (const text of Object.values(texts) as string[]) expect(text.trim()).not.toBe('');
			expect(texts.thanks).toContain('{name}');
			expect(texts.validFor).toContain('{time}');
			expect(texts.validUntil).toContain('{time}');
		}
	});

	it.each([
		['de', 'In der App öffnen'],
		['de-AT', 'In der App öffnen'],
		['en-GB', 'Open in the app'],
		['fr', 'Open in the app'],
		['constructor', 'Open in the app'],
	])('are chosen by the tag %s', (language, open) => {
		expect(textsFor(language).open).toBe(open);
	});

	it('are the ones of the workflow where it has texts of its own', () => {
		const texts: Partial<PageTexts> = { open: 'Ouvrir', waiting: ' ' };
		const { body } = render({ language: 'fr-ca', texts });
		expect(body).toContain('<html lang="fr-CA" dir="ltr">');
		expect(body).toContain('>Ouvrir</a>');
		expect(body).toContain('Waiting for your answer');
		expect(render({ language: 'ar' }).body).toContain('<html lang="ar" dir="rtl">');
	});

	it.each([
		['de-DE,de;q=0.9,en;q=0.8', 'de'],
		['en;q=0.5, de;q=0.9', 'de'],
		['fr, en;q=0.5', 'en'],
		['fr', 'en'],
		['de;q=0, fr', 'en'],
		['pt', 'en'],
		['pt-br', 'pt-BR'],
		['*', 'en'],
		['', 'en'],
		[undefined, 'en'],
		[';;;q=,,', 'en'],
	])('are chosen by the header %j', (header, language) => {
		const available = header === 'pt-br' ? (['en', 'pt-BR'] as const) : (['en', 'de'] as const);
		expect(chooseLanguage(header, [...available] as [string, ...string[]])).toBe(language);
	});
});

describe('the answer to polling', () => {
	it('may be read by the sandboxed page and is not stored', () => {
		expect(renderStatus({ state: 'waiting' })).toEqual({
			statusCode: 200,
			headers: {
				'content-type': 'application/json; charset=utf-8',
				'access-control-allow-origin': '*',
				'cache-control': 'no-store',
				'x-content-type-options': 'nosniff',
			},
			body: '{"state":"waiting"}',
		});
	});

	it('contains nothing but state, name and next page', () => {
		const answered = {
			state: 'answered',
			name: 'Anna',
			redirectTo: 'https://shop.example.com',
			answers: { EMailAddress: 'anna@example.com' },
		} as const;
		expect(JSON.parse(renderStatus(answered).body)).toEqual({
			state: 'answered',
			name: 'Anna',
			redirectTo: 'https://shop.example.com/',
		});
		const rejected = { state: 'rejected', name: 'Anna' } as PageState;
		expect(renderStatus(rejected).body).toBe('{"state":"rejected"}');
	});

	it.each([
		['  Anna \n Maria ', 'Anna Maria'],
		['\u202Eanna\u0000\u2066', 'anna'],
		['a'.repeat(200), `${'a'.repeat(99)}…`],
		['😀'.repeat(60), `${'😀'.repeat(49)}…`],
		['\u200B \u2028', undefined],
	])('has the name %j as %j', (name, shown) => {
		const { body } = renderStatus({ state: 'answered', name });
		expect(JSON.parse(body)).toEqual({ state: 'answered', ...(shown && { name: shown }) });
	});

	it('leaves out a next page without https', () => {
		const redirectTo = 'http://shop.example.com';
		expect(renderStatus({ state: 'answered', redirectTo }).body).toBe('{"state":"answered"}');
	});

	it.each(['http://localhost:5678/webhook/in', 'http://127.0.0.1/', 'http://[::1]:5678/'])(
		'has the next page %s on the own computer',
		(redirectTo) => {
			const { body } = renderStatus({ state: 'answered', redirectTo });
			expect(JSON.parse(body)).toEqual({ state: 'answered', redirectTo });
		},
	);

	it.each(['http://localhost.example.com/', 'http://127.0.0.1.example.com/', 'http://10.0.0.1/'])(
		'leaves out %s, which is another computer',
		(redirectTo) => {
			expect(renderStatus({ state: 'answered', redirectTo }).body).toBe('{"state":"answered"}');
		},
	);
});
