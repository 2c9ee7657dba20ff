import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import jsQR from 'jsqr';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { PNG } from 'pngjs';

import { renderQrCodeSvg } from '../../../core/domain/qr/reference-qr';
import { writeReferenceUrl } from '../../../core/model/reference';
import {
	renderStatus,
	type PageResponse,
	type PageState,
} from '../../../nodes/Enmeshed/waiting-page/page-state';
import { renderWaitingPage } from '../../../nodes/Enmeshed/waiting-page/waiting-page';
import { launchVisitorBrowser } from '../../../scripts/screenshots/browser';
import { until } from '../../support/until';
import { contrastsOf } from '../support/contrasts';

jest.setTimeout(120_000);

const pictures = join(__dirname, '..', '..', '..', '.tmp', 'waiting-page');
const reference = {
	id: 'RLTa1B2c3D4e5F6g7H8i',
	backboneBaseUrl: 'https://backbone.example.com',
	key: 'AbCdEfGh'.repeat(5) + 'IjK',
};
const link = writeReferenceUrl(reference);

/** A person's question, served as n8n serves the pages of waiting executions. */
interface Question {
	state: PageState;
	title: string;
	text: string;
	language: string;
	expiresInMs: number | undefined;
	/** answers the state's request in place of the state */
	failure: { status: number; body: string } | undefined;
	polls: number;
	readonly qrCodeSvg: string;
}

let question: Question;
let server: Server;
let origin: string;
let browser: Browser;
let context: BrowserContext;
/** requests to any other host */
let strangers: string[];
let complaints: string[];

beforeAll(async () => {
	mkdirSync(pictures, { recursive: true });
	server = createServer((request, response) => {
		const { statusCode, headers, body } = answer(request.url ?? '');
		response.writeHead(statusCode, headers).end(body);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	browser = await launchVisitorBrowser();
});

afterAll(async () => {
	await browser?.close();
	server?.closeAllConnections();
	server?.close();
});

beforeEach(async () => {
	strangers = [];
	complaints = [];
	question = {
		state: { state: 'waiting' },
		title: 'Log in at Example Organisation',
		text: 'Share your name and your email address.\nIt takes less than a minute.',
		language: 'en-GB',
		expiresInMs: 300_000,
		failure: undefined,
		polls: 0,
		qrCodeSvg: await renderQrCodeSvg(reference, 'link'),
	};
});

afterEach(async () => {
	await context?.close();
});

function answer(url: string): PageResponse {
	if (url.startsWith('/page?')) return renderQuestion();
	if (url !== '/page/status') return { statusCode: 200, headers: {}, body: 'Welcome' };
	question.polls += 1;
	const { failure, state } = question;
	if (failure === undefined) return renderStatus(state);
	return {
		statusCode: failure.status,
		headers: { 'access-control-allow-origin': '*' },
		body: failure.body,
	};
}

function renderQuestion(): PageResponse {
	const { title, text, language, state, qrCodeSvg, expiresInMs } = question;
	const now = Date.now();
	const expiresAt =
		expiresInMs === undefined ? undefined : new Date(now + expiresInMs).toISOString();
	const nonce = randomBytes(18).toString('base64');
	const invitation = { text, qrCodeSvg, link, expiresAt, statusUrl: '/page/status' };
	return renderWaitingPage({ title, language, state, now, nonce, invitation });
}

interface Options extends BrowserContextOptions {
	/** true for a clock that only {@link passTime} moves */
	readonly hasTestClock?: boolean;
}

async function open({ hasTestClock = false, ...options }: Options = {}): Promise<Page> {
	await context?.close();
	context = await browser.newContext({ viewport: { width: 390, height: 844 }, ...options });
	await context.route(
		(url) => url.hostname !== '127.0.0.1',
		async (route) => {
			strangers.push(route.request().url());
			await route.fulfill({ body: 'Welcome' });
		},
	);
	const page = await context.newPage();
	if (hasTestClock) await page.clock.install();
	page.on('console', (message) => complaints.push(message.text()));
	page.on('pageerror', (error) => complaints.push(String(error)));
	await page.goto(`${origin}/page?signature=s`);
	return page;
}

/** Moves the test clock in steps, each with time for a request, until the headline says this. */
async function passTime(page: Page, text: string): Promise<void> {
	await until(async () => {
		await page.clock.runFor(500);
		return (await headline(page).textContent())?.includes(text) ?? false;
	});
}

const headline = (page: Page) => page.locator('#headline');

/** Opening a dialog or setting this property is what hostile texts try. */
const wasAttacked = (page: Page): Promise<unknown> =>
	page.evaluate(() => (globalThis as { attacked?: unknown }).attacked);

describe('a visitor', () => {
	it('sees the answer by itself, without cookies and storage', async () => {
		const page = await open();
		await headline(page).getByText('Waiting for your answer').waitFor();
		const pageOrigin = await page.evaluate('origin');
		expect(pageOrigin).toBe('null');
		await until(() => question.polls >= 2);
		question.state = { state: 'answered', name: 'Anna' };
		await headline(page).getByText('Thank you, Anna').waitFor();
		expect(await page.title()).toBe('Thank you, Anna – Log in at Example Organisation');
		expect(await page.locator('#detail').textContent()).toContain('You can close this page.');
		expect(await page.locator('#invitation, #countdown').count()).toBe(0);
		expect(strangers).toEqual([]);
		expect(complaints).toEqual([]);
	});

	it('is led to the next page of the workflow', async () => {
		const page = await open();
		const redirectTo = 'https://shop.example.com/welcome?a=1';
		question.state = { state: 'answered', name: 'Anna', redirectTo };
		await page.getByText('You will be forwarded in a moment').waitFor();
		expect(await page.getByRole('link', { name: 'Continue' }).getAttribute('href')).toBe(
			redirectTo,
		);
		await page.waitForURL(redirectTo);
		expect(strangers).toEqual([redirectTo]);
	});

	it('who comes back after the answer is led there, too', async () => {
		const redirectTo = 'https://shop.example.com/welcome';
		question.state = { state: 'answered', redirectTo };
		const page = await open();
		await page.waitForURL(redirectTo);
	});

	it('without scripts sees the answer, and is led on', async () => {
		const page = await open({ javaScriptEnabled: false });
		await page.getByText(/^Valid until \d+ \w+ \d{4} at [\d:]+ UTC$/).waitFor();
		const redirectTo = 'https://shop.example.com/welcome';
		question.state = { state: 'answered', name: 'Anna', redirectTo };
		await page.waitForURL(redirectTo, { timeout: 60_000 });
		expect(question.polls).toBe(0);
	});

	it.each([
		['answered', 'Thank you'],
		['rejected', 'You have declined'],
		['expired', 'This code has expired'],
		['gone', 'This page is no longer active'],
	] as const)('learns that the question is %s, and polling stops', async (state, text) => {
		const page = await open({ hasTestClock: true });
		await passTime(page, 'Waiting for your answer');
		question.state = { state };
		await passTime(page, text);
		const { polls } = question;
		await page.clock.runFor(600_000);
		expect(question.polls).toBe(polls);
	});

	it.each([
		[401, 'Invalid token'],
		[404, '{"code":404,"message":"does not exist"}'],
		[409, '{"code":0,"message":"finished already"}'],
		[410, ''],
		[200, '<html><h1>No action required</h1></html>'],
	])(
		'learns that n8n has forgotten the question from status %i, and polling stops',
		async (status, body) => {
			const page = await open({ hasTestClock: true });
			question.failure = { status, body };
			await passTime(page, 'This page is no longer active');
			expect(question.polls).toBe(3);
			await page.clock.runFor(600_000);
			expect(question.polls).toBe(3);
		},
	);

	it.each([
		[503, 'Service Unavailable'],
		[200, '<html>Problem loading form</html>'],
		[200, '{"state":"constructor"}'],
		[200, `{"state":"answered","name":"${'x'.repeat(20_000)}"}`],
	])('waits while the answer is %i with an unexpected body', async (status, body) => {
		const page = await open({ hasTestClock: true });
		question.failure = { status, body };
		await passTime(page, 'No connection. Trying again');
		question.failure = undefined;
		question.state = { state: 'answered', name: 'Anna' };
		await passTime(page, 'Thank you, Anna');
	});

	it('sees an answer that arrives shortly after the expiry', async () => {
		question.expiresInMs = 0;
		const page = await open({ hasTestClock: true });
		await until(() => page.clock.runFor(500).then(() => question.polls >= 2));
		question.state = { state: 'answered', name: 'Anna' };
		await passTime(page, 'Thank you, Anna');
	});

	it('learns of the expiry also from a server that does not', async () => {
		question.expiresInMs = 0;
		const page = await open({ hasTestClock: true });
		await passTime(page, 'This code has expired');
		const { polls } = question;
		await page.clock.runFor(600_000);
		expect(question.polls).toBe(polls);
	});

	const setHidden = (value: boolean): string =>
		`Object.defineProperty(document, 'hidden', { value: ${value}, configurable: true })`;

	it('who takes an hour causes few requests, and sees the state on return', async () => {
		question.expiresInMs = 86_400_000;
		const page = await open({ hasTestClock: true });
		await page.clock.fastForward(3_600_000);
		await until(() => question.polls > 0);
		await page.getByText('Valid for 23 hours').waitFor();
		await page.evaluate(setHidden(true));
		const before = question.polls;
		await until(() => page.clock.runFor(500).then(() => question.polls > before));
		const { polls } = question;
		// A hidden page pauses for at least nine seconds after an answer.
		await page.clock.runFor(6_000);
		expect(question.polls).toBe(polls);
		await page.evaluate(setHidden(false));
		await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
		await until(() => question.polls > polls);
	});

	it.each([
		[299_000, 'en', /^Valid for 4:5\d$/],
		[40_000, 'de', /^Noch 0:[34]\d gültig$/],
		[5 * 3_600_000, 'de', /^Noch 5 Stunden gültig$/],
		[30 * 86_400_000, 'en', /^Valid for 30 days$/],
	])('sees that %i ms remain, in %s', async (expiresInMs, language, text) => {
		Object.assign(question, { expiresInMs, language });
		const page = await open();
		await page.getByText(text).waitFor();
	});

	it('sees no countdown without an expiry', async () => {
		question.expiresInMs = undefined;
		const page = await open();
		await headline(page).getByText('Waiting for your answer').waitFor();
		expect(await page.locator('#countdown').isVisible()).toBe(false);
	});

	it('sees hostile texts as text', async () => {
		const hostile = `</script><script>attacked=1</script><img src=x onerror="attacked=1">\u202E{name}`;
		Object.assign(question, { title: hostile, text: hostile });
		const page = await open();
		expect(await page.locator('h1').textContent()).toBe(hostile);
		expect(await page.locator('.text').textContent()).toBe(hostile);
		question.state = { state: 'answered', name: hostile };
		await headline(page).getByText('Thank you, </script>').waitFor();
		expect(await page.locator('#headline bdi').textContent()).not.toContain('\u202E');
		expect(await page.locator('script, img').count()).toBe(2);
		expect(await wasAttacked(page)).toBeUndefined();
		expect(complaints).toEqual([]);
	});
});

describe('the QR code', () => {
	it.each([
		[390, 844, 3],
		[1440, 900, 1],
		[320, 568, 2],
	])('is read from a screen of %i by %i pixels', async (width, height, deviceScaleFactor) => {
		const page = await open({
			viewport: { width, height },
			deviceScaleFactor,
			colorScheme: 'dark',
		});
		const { data, ...size } = PNG.sync.read(await page.screenshot());
		expect(jsQR(new Uint8ClampedArray(data), size.width, size.height)?.data).toBe(link);
	});
});

describe('accessibility', () => {
	it('names language, picture, state and button, in the order of the page', async () => {
		question.language = 'de';
		const page = await open();
		expect(await page.locator('html').getAttribute('lang')).toBe('de');
		await page.getByRole('heading', { level: 1, name: question.title }).waitFor();
		await page.getByRole('img', { name: 'QR-Code zum Scannen mit der Wallet-App' }).waitFor();
		await page.getByRole('main').waitFor();
		await page.getByRole('timer').waitFor();
		const status = page.getByRole('status');
		expect((await status.textContent())?.trim()).toBe('Wir warten auf Ihre Antwort');
		const button = page.getByRole('link', { name: 'In der App öffnen' });
		await page.keyboard.press('Tab');
		expect(await button.evaluate((link) => link.matches(':focus-visible'))).toBe(true);
		expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44);
		// The focus goes to the state when the button under it disappears.
		question.state = { state: 'answered', name: 'Anna' };
		await headline(page).getByText('Vielen Dank, Anna').waitFor();
		expect(await status.evaluate((element) => element.matches(':focus'))).toBe(true);
	});

	it.each(['light', 'dark'] as const)('has contrasts of at least 4.5 (%s)', async (colorScheme) => {
		for (const state of ['waiting', 'answered', 'rejected'] as const) {
			question.state = { state };
			const page = await open({ colorScheme });
			const contrasts = await contrastsOf(page);
			expect(Object.keys(contrasts).length).toBeGreaterThanOrEqual(state === 'waiting' ? 6 : 3);
			expect(Object.entries(contrasts).filter(([, ratio]) => ratio < 4.5)).toEqual([]);
		}
	});

	it.each([320, 390, 1440])('fits into %i pixels, also with long words', async (width) => {
		question.title = 'Rechtsschutzversicherungsgesellschaften'.repeat(3);
		const page = await open({ viewport: { width, height: 844 } });
		const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
		expect(overflow).toBeLessThanOrEqual(0);
	});
});

describe('pictures', () => {
	it.each([
		[390, 844, 'light'],
		[390, 844, 'dark'],
		[1440, 900, 'light'],
		[1440, 900, 'dark'],
	] as const)('are taken at %i by %i pixels, %s', async (width, height, colorScheme) => {
		const page = await open({
			viewport: { width, height },
			colorScheme,
			deviceScaleFactor: 2,
			isMobile: width < 600,
			hasTouch: width < 600,
		});
		const take = (name: string) =>
			page.screenshot({ path: join(pictures, `${name}-${width}-${colorScheme}.png`) });
		await page.getByText(/^Valid for/).waitFor();
		await take('waiting');
		question.state = { state: 'answered', name: 'Anna' };
		await headline(page).getByText('Thank you, Anna').waitFor();
		await take('answered');
	});
});
