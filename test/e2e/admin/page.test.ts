import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Gateway } from '../../../core';
import { shareName } from '../../scenario/contact-data/people';
import { SeveralAccounts, settingsFor } from '../../core/server/support/several-accounts';
import { apiKey } from '../../core/server/support/http-gateway';
import { SandboxNetwork } from '../../support/gateways';
import { until } from '../../support/until';
import { contrastsOf } from '../support/contrasts';
import {
	AdminBench,
	AdminBrowser,
	cardOf,
	openProxy,
	openTab,
	pageOptions,
	portOf,
} from './admin-bench';

jest.setTimeout(180_000);

const pictures = join(__dirname, '..', '..', '..', '.tmp', 'admin');
const attack = '<img src=x onerror="document.title=\'attacked\'">';
let browser: AdminBrowser;
let page: Page;

beforeAll(async () => {
	browser = await AdminBrowser.open();
});
afterEach(async () => {
	await page?.context().close();
	expect(browser.complaints.splice(0)).toEqual([]);
});
afterAll(() => browser.close());

describe('the page of one account', () => {
	let bench: AdminBench;
	let person: Gateway;

	beforeAll(async () => {
		bench = await AdminBench.open();
		person = bench.problems.peer;
		await shareName(bench.gateway, person, bench.problems.addressOfPeer, attack);
		await bench.problems.consume('webhook:crm');
		await bench.problems.refuse(1, attack);
		await bench.gateway.accessKeys.create({ name: 'crm', scopes: ['core:**'] });
		const url = bench.receiver.url.replace('127.0.0.1', 'crm.example.com');
		await bench.gateway.webhooks.create({ url, events: ['**'] });
	});
	afterAll(() => bench.close());

	const views = {
		Overview: 'overview',
		People: 'people',
		Problems: 'problems',
		Deliveries: 'deliveries',
		Keys: 'keys',
	} as const;

	/** Opens each view in turn, once it shows its records. */
	async function eachView(of: Page, look: (name: string) => Promise<void>): Promise<void> {
		for (const [name, view] of Object.entries(views)) {
			await of.goto(`${bench.url}#/default/${view}`);
			await of.getByRole('heading', { level: 1, name }).waitFor();
			await of.getByText('Loading …').first().waitFor({ state: 'detached' });
			await of.locator('.card').first().waitFor();
			await look(name);
		}
		await of.goto(`${bench.url}#/default/people/${bench.problems.addressOfPeer}`);
		await of.locator('.history li').first().waitFor();
		await look('Person');
	}

	it('shows a name that is a piece of HTML as text, in the list, the history and the search', async () => {
		page = await browser.signIn(`${bench.url}#/default/people`);
		await page.getByRole('link', { name: attack }).click();
		await page.getByRole('heading', { level: 1, name: attack }).waitFor();
		const history = page.getByRole('region', { name: 'History' });
		await history.getByText(attack).first().waitFor();
		await history.getByLabel('Show').selectOption('Messages');
		await history.getByText('Mail received').first().waitFor();
		await page.getByRole('searchbox', { name: 'Search accounts' }).fill('ONERROR');
		await page.getByRole('button', { name: 'Search' }).click();
		const found = page.getByRole('region', { name: 'People of Default account' });
		await found.getByRole('link', { name: attack }).waitFor();
		expect(await page.locator('img').count()).toBe(0);
		expect(await page.title()).toBe('Gateway administration');
	});

	it('has no button that changes anything for a person who may only look', async () => {
		const reader = { name: 'reader', scopes: ['page:read'] };
		const { key } = await bench.gateway.accessKeys.create(reader);
		page = await browser.signIn(bench.url, {}, key);
		const buttons = new Set<string>();
		await eachView(page, async () => {
			for (const one of await page.getByRole('button').allInnerTexts()) buttons.add(one);
		});
		expect([...buttons].sort()).toEqual(['Search', 'Show', 'Sign out']);
		expect(await page.getByRole('checkbox').count()).toBe(0);
	});

	it.each(['light', 'dark'] as const)(
		'fits a phone of 360 pixels, with readable colours when %s',
		async (colorScheme) => {
			const viewport = { width: 360, height: 740 };
			page = await browser.signIn(bench.url, { viewport, colorScheme });
			await eachView(page, async (name) => {
				const width = await page.evaluate<number>('document.documentElement.scrollWidth');
				expect([name, width]).toEqual([name, 360]);
				await page.screenshot({
					path: join(pictures, `${colorScheme}-${name}.png`),
					fullPage: true,
				});
				const faint = Object.entries(await contrastsOf(page)).filter(([, ratio]) => ratio < 4.5);
				expect([name, faint]).toEqual([name, []]);
			});
		},
	);

	it('works by keyboard: a dialog takes the focus, Escape closes it, the focus is seen', async () => {
		page = await browser.signIn(`${bench.url}#/default/keys`);
		await page.getByRole('button', { name: 'Create a key' }).focus();
		await page.keyboard.press('Enter');
		await page.getByRole('dialog').getByLabel('Name').waitFor();
		expect(await page.evaluate<boolean>("document.activeElement.closest('dialog') !== null")).toBe(
			true,
		);
		const outline = 'getComputedStyle(document.activeElement).outlineStyle';
		expect(await page.evaluate<string>(outline)).toBe('solid');
		await page.keyboard.press('Escape');
		await page.getByRole('dialog').waitFor({ state: 'detached' });
		const focused = 'document.activeElement.textContent';
		expect(await page.evaluate<string>(focused)).toBe('Create a key');
	});

	it('creates a key, shows its text once, gives it a new text, and revokes it', async () => {
		page = await browser.signIn(`${bench.url}#/default/keys`);
		await page.getByRole('button', { name: 'Create a key' }).click();
		const dialog = page.getByRole('dialog');
		await dialog.getByLabel('Name').fill('shop');
		await dialog.getByRole('button', { name: 'Create' }).click();
		const text = await dialog.getByLabel('Text').inputValue();
		await dialog.getByRole('button', { name: 'Copy' }).click();
		await dialog.getByText('Copied.').waitFor();
		await dialog.getByRole('button', { name: 'Close' }).click();
		expect(await page.content()).not.toContain(text);
		const asked = await fetch(`${bench.server.address}/api/v2/Account/IdentityInfo`, {
			headers: { 'x-api-key': text },
		});
		expect(asked.status).toBe(200);
		const card = cardOf(page, 'shop');
		await card.getByRole('button', { name: 'New text' }).click();
		await dialog.getByRole('button', { name: 'Create a new text' }).click();
		expect(await dialog.getByLabel('Text').inputValue()).not.toBe(text);
		await dialog.getByRole('button', { name: 'Close' }).click();
		await card.getByText('The text before is valid until').waitFor();
		await card.getByRole('button', { name: 'Revoke' }).click();
		await dialog.getByRole('button', { name: 'Revoke' }).click();
		await page.getByText('The key shop is revoked.').waitFor();
		await card.waitFor({ state: 'detached' });
	});

	it('creates, changes, tests and deletes a webhook', async () => {
		page = await browser.signIn(`${bench.url}#/default/deliveries`);
		await page.getByRole('button', { name: 'Create a webhook' }).click();
		const dialog = page.getByRole('dialog');
		await dialog.getByLabel('Address').fill('nonsense');
		await dialog.getByRole('button', { name: 'Create' }).click();
		await dialog.getByRole('alert').getByText('error.runtime.validation').waitFor();
		const url = 'http://shop.invalid/hook';
		await dialog.getByLabel('Address').fill(url);
		await dialog.getByRole('button', { name: 'Create' }).click();
		expect(await dialog.getByLabel('Text').inputValue()).toMatch(/^whsec_/);
		await dialog.getByRole('button', { name: 'Close' }).click();
		const card = cardOf(page, url);
		await card.getByRole('button', { name: 'Change' }).click();
		await dialog.getByLabel('Events', { exact: true }).fill('transport.*\nconsumption.*');
		await dialog.getByRole('button', { name: 'Save' }).click();
		await card.getByText('transport.*, consumption.*').waitFor();
		await card.getByRole('button', { name: 'Send a test' }).click();
		await page.getByText('The test failed:').waitFor();
		await card.getByRole('button', { name: 'Delete' }).click();
		await dialog.getByRole('button', { name: 'Delete' }).click();
		await page.getByText('The webhook is deleted.').waitFor();
		await card.waitFor({ state: 'detached' });
	});

	it('asks for the key again when the session has ended, and keeps the place', async () => {
		page = await browser.signIn(`${bench.url}#/default/keys`);
		await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
		await page.context().clearCookies();
		const field = page.getByLabel('Key', { exact: true });
		await field.fill('wrong');
		await page.getByRole('button', { name: 'Sign in' }).click();
		await page.getByRole('alert').getByText('error.connector.').waitFor();
		await field.fill(apiKey);
		await page.getByRole('button', { name: 'Sign in' }).click();
		await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
	});

	it('keeps what it shows while the gateway is away, and says so', async () => {
		page = await browser.signIn(`${bench.url}#/default/problems`);
		await page.getByText('answered 500').waitFor();
		await page.route('**/admin/api/**', (route) => route.abort());
		await page.getByRole('button', { name: 'Try again' }).click();
		await page.getByText('The gateway does not answer.').first().waitFor();
		await page.getByText('answered 500').waitFor();
		await page.unroute('**/admin/api/**');
		await page.getByRole('button', { name: 'Read again' }).click();
		await page.getByRole('button', { name: 'Read again' }).waitFor({ state: 'detached' });
	});

	it('works below a path of a proxy', async () => {
		const proxy = await openProxy(Number(new URL(bench.server.address).port), '/tools/gateway');
		const url = `http://127.0.0.1:${portOf(proxy)}/tools/gateway/admin/`;
		page = await browser.signIn(`${url}#/default/problems`);
		await page.getByText('answered 500').waitFor();
		await openTab(page, 'People');
		await page.getByRole('link', { name: attack }).waitFor();
		proxy.closeAllConnections();
		proxy.close();
	});
});

describe('the page of several accounts', () => {
	let network: SandboxNetwork;
	let several: SeveralAccounts;
	let url: string;

	beforeAll(async () => {
		network = await SandboxNetwork.open();
		const keys = { operator: { key: apiKey, accounts: ['*'] } };
		const httpServer = { port: 0, authentication: { apiKey: { keys } } };
		several = await SeveralAccounts.open(
			settingsFor(network, { infrastructure: { httpServer } }),
			pageOptions,
		);
		url = `${several.server.address}/admin/`;
	});
	afterAll(async () => {
		await several?.close();
		await network?.close();
	});

	it('creates an account, pauses and resumes it, and deletes it when its name is typed', async () => {
		page = await browser.signIn(url);
		await page.getByRole('button', { name: 'Create an account' }).click();
		const dialog = page.getByRole('dialog');
		await dialog.getByLabel('Name', { exact: true }).fill('school');
		await dialog.getByRole('button', { name: 'Create' }).click();
		const card = cardOf(page, 'school');
		await card.getByText('Running').waitFor();
		await card.getByRole('link', { name: 'school' }).click();
		await openTab(page, 'People');
		await page.getByText('No people found.').waitFor();
		await page.getByRole('link', { name: '‹ Accounts' }).click();
		await card.getByRole('button', { name: 'Pause' }).click();
		await card.getByText('Paused').waitFor();
		await card.getByRole('button', { name: 'Resume' }).click();
		await card.getByText('Running').waitFor();
		await card.getByRole('button', { name: 'Delete' }).click();
		const forGood = dialog.getByRole('button', { name: 'Delete for good' });
		expect(await forGood.isDisabled()).toBe(true);
		await dialog.getByLabel('Type school').fill('school');
		await forGood.click();
		await card.waitFor({ state: 'detached' });
	});

	it('tells the slower of two administrators that an account is gone', async () => {
		await several.accounts.create('north', {});
		page = await browser.signIn(url);
		const card = cardOf(page, 'north');
		await card.getByRole('button', { name: 'Delete' }).click();
		await several.accounts.delete('north', 'north');
		await until(async () => (await several.accounts.list()).length === 0);
		const dialog = page.getByRole('dialog');
		await dialog.getByLabel('Type north').fill('north');
		await dialog.getByRole('button', { name: 'Delete for good' }).click();
		await dialog.getByText('Perhaps another administrator was faster.').waitFor();
		await dialog.getByRole('button', { name: 'Cancel' }).click();
		await card.waitFor({ state: 'detached' });
	});

	it('begins with the account that a stored key opens, and shows no other one', async () => {
		await several.accounts.create('south', {});
		await several.reaches('south', 'running');
		page = await browser.signIn(url, {}, await several.keyOf('south'));
		await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
		await page.getByText('There are no problems.').waitFor();
		await page.getByRole('navigation', { name: 'Account' }).getByText('south').waitFor();
		expect(await page.getByRole('link', { name: '‹ Accounts' }).count()).toBe(0);
		await page.getByRole('searchbox', { name: 'Search accounts' }).fill('SOUTH');
		await page.getByRole('button', { name: 'Search' }).click();
		await page.getByRole('link', { name: 'south', exact: true }).click();
		await openTab(page, 'Keys');
		await cardOf(page, 'tests').waitFor();
	});
});
