import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';

import { launchVisitorBrowser } from '../../scripts/screenshots/browser';
import { SandboxProgram } from '../../scripts/served/sandbox-program';
import { apiKey, ServedGateway } from '../../scripts/served/served-gateway';

jest.setTimeout(120_000);

const dist = join(__dirname, '..', '..', 'dist');

describe('the page of the HTTP API in a browser', () => {
	let sandbox: SandboxProgram;
	let served: ServedGateway;
	let browser: Browser;
	let page: Page;
	const complaints: string[] = [];
	const hosts = new Set<string>();

	beforeAll(async () => {
		sandbox = await SandboxProgram.start(dist);
		const environment = { modules__coreHttpApi__docs__enabled: 'true' };
		served = await ServedGateway.start({ dist, backboneUrl: sandbox.url, environment });
		browser = await launchVisitorBrowser();
		page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
		page.on('pageerror', ({ message }) => complaints.push(message));
		page.on('console', (said) => complaints.push(said.text()));
		page.on('request', (request) => hosts.add(new URL(request.url()).origin));
		await page.goto(`${served.address}/docs/rapidoc`);
		await page.getByText('/api/v2/Attributes', { exact: true }).first().waitFor();
	});

	afterAll(async () => {
		await browser?.close();
		await served?.stop();
		await sandbox?.stop();
	});

	afterEach(() => {
		expect(complaints).toEqual([]);
		expect([...hosts]).toEqual([served.address]);
	});

	it('shows what a call takes and answers, and that it needs a key', async () => {
		await page.goto(`${served.address}/docs/rapidoc#get-/api/v2/Account/IdentityInfo`);
		await page.locator('.main-content').getByText('API Key (X-API-KEY)').waitFor();
		await page.locator('api-response').getByText('publicKey').waitFor();
		await page.locator('api-response').getByText('default', { exact: true }).click();
		await page.locator('api-response').getByText('"code"').waitFor();
	});

	it('calls with the key that is typed in', async () => {
		await page.goto(`${served.address}/docs/rapidoc#auth`);
		const scheme = page.locator('#security-scheme-ApiKey');
		await scheme.locator('input').fill(apiKey);
		await scheme.getByRole('button', { name: 'SET' }).click();
		await page.goto(`${served.address}/docs/rapidoc#get-/api/v2/Account/IdentityInfo`);
		await page.getByRole('button', { name: 'TRY' }).click();
		await page.getByText('Response Status: OK:200').waitFor();
		await page.locator('api-request').getByText('did:e:').waitFor();
	});
});
