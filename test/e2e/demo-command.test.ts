import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BrowserContext } from 'playwright-core';

import { examplesInOneWorkflow } from '../../scripts/cli/demo-examples';
import { hashOwnerPassword, n8nEnvironment } from '../../scripts/n8n/environment';
import { hostFolder } from '../../scripts/n8n/host-folder.cjs';
import { freePort } from '../../scripts/n8n/free-port';
import { packInto } from '../../scripts/n8n/install-package';
import { openBrowser } from '../../scripts/screenshots/browser';
import { N8nHost } from '../support/n8n/n8n-host';
import { until } from '../support/until';
import { DemoProgram } from './support/demo-program';
import { testsIn } from './support/n8n-test';
import { WalletPageCalls } from '../support/peer/wallet-page-calls';

jest.setTimeout(600_000);

const clickName = 'When clicking ‘Execute workflow’';

/**
 * n8n reaches the Backbone under an address that is neither the one of the wallet nor listened to by
 * default, as from a container.
 */
const publicHost = '127.0.0.2';

describe('the demo of the packed package, beside an n8n of its own', () => {
	let folder: string;
	let demo: DemoProgram;
	let host: N8nHost;
	let wallet: WalletPageCalls;
	let browser: BrowserContext | undefined;
	let workflowId: string;
	/** time of the command */
	let startedAt: number;
	const it = testsIn(() => host, 500_000);

	beforeAll(async () => {
		folder = mkdtempSync(join(tmpdir(), 'enmeshed-demo-command-'));
		writeFileSync(join(folder, 'package.json'), '{"private":true}');
		execFileSync('npm', ['install', '--no-audit', '--no-fund', packInto(folder)], {
			cwd: folder,
			stdio: 'pipe',
		});
		const place = {
			home: join(folder, 'n8n'),
			port: await freePort(),
			brokerPort: await freePort(),
			passwordHash: hashOwnerPassword(),
		};
		host = await N8nHost.prepare(place);
		await host.start();

		startedAt = Date.now();
		const url = `http://${publicHost}:${await freePort()}`;
		const words = ['--public-url', url, '--listen', publicHost, '--wallet-port', '0'];
		demo = await DemoProgram.start(folder, words);
		wallet = await WalletPageCalls.open(demo.value(/^ +(http:\/\/127\.0\.0\.1:\d+)$/m));
		await host.createCredential(printedCredential(), 'Sandbox Backbone');
		const file = demo.value(/^ +(\S+\.json)$/m);
		const program = join(hostFolder(), 'node_modules', 'n8n', 'bin', 'n8n');
		await promisify(execFile)(process.execPath, [program, 'import:workflow', `--input=${file}`], {
			env: n8nEnvironment({ ...place, brokerPort: await freePort() }),
		});
		workflowId = (await host.workflows()).get('Enmeshed examples') ?? '';
		await host.publish(workflowId);
	});

	afterAll(async () => {
		await browser?.browser()?.close();
		await host?.stop();
		await demo?.interrupt();
		rmSync(folder, { recursive: true, force: true });
	});

	/** Values of the form as the command has printed them. */
	function printedCredential(): object {
		return {
			backboneUrl: demo.value(/Backbone URL +(\S+)/),
			clientId: demo.value(/Client ID +(\S+)/),
			clientSecret: demo.value(/Client Secret +(\S+)/),
			// Addresses cannot contain a number as host name.
			options: { addressHostname: demo.value(/Address Hostname: (\S+)/) },
		};
	}

	/** First output of a node in the newest successful execution in which it has the members. */
	async function outputOf(node: string, members: object = {}): Promise<Record<string, unknown>> {
		let found: Record<string, unknown> | undefined;
		await host.until(async () => {
			const executions = await host.executions(workflowId);
			found = executions
				.filter(({ status }) => status === 'success')
				.map(({ data }) => data.resultData.runData[node]?.[0]?.data?.main[0]?.[0]?.json)
				.find((json) => json !== undefined && hasMembers(json, members));
			return found !== undefined;
		}, `done with ${node}`);
		return found ?? {};
	}

	it('warns that others can use the Backbone', async () => {
		expect(demo.text).toContain(`Warning: every program that reaches ${publicHost}`);
	});

	it('reaches the first accepted relationship by the imported examples', async () => {
		await host.runManually(workflowId, clickName);
		const { link } = await outputOf('Create QR code');
		const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1);
		process.stderr.write(`From the command to the QR code: ${seconds} s\n`);
		expect(link).toMatch(new RegExp(`^http://${publicHost}:`));
		await wallet.answer(String(link), { GivenName: 'Lin', EMailAddress: 'lin@example.com' });
		await until(async () => (await wallet.state()).mails.length > 0);
		const { contacts, mails } = await wallet.state();
		expect(contacts).toMatchObject([{ isActive: true }]);
		expect(mails).toMatchObject([{ isOwn: false, subject: 'Welcome, Lin' }]);
	});

	it('keeps the person in the table of customers, also after a change', async () => {
		const { address } = (await wallet.state()).person;
		const [old, changed] = ['lin@example.com', 'lin@company.example'];
		const row = { id: 1, address, name: 'Lin' };
		expect(await outputOf('Save the customer', { email: old })).toMatchObject(row);
		await wallet.changeData(old, 'EMailAddress', changed);
		expect(await outputOf('Save the customer', { email: changed })).toMatchObject(row);
	});

	it('imports the same file in the editor, with the credential in each node', async () => {
		browser = await openBrowser(host.url);
		const page = await browser.newPage();
		page.setDefaultTimeout(90_000);
		await page.goto(`${host.url}/workflow/new`);
		await page.getByTestId('canvas-plus-button').waitFor();
		await page
			.locator('input[type=file]')
			.first()
			.setInputFiles(demo.value(/^ +(\S+\.json)$/m));
		const { nodes } = examplesInOneWorkflow();
		const ours = nodes.filter(({ type }) => type.startsWith('n8n-nodes-enmeshed'));
		const nodeNamed = (name: string) =>
			page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
		for (const { name } of ours) await nodeNamed(name).waitFor();
		await nodeNamed(clickName).hover();
		await page.getByTestId(`execute-workflow-button-${clickName}`).click();
		await nodeNamed('Create QR code').getByTestId('canvas-node-status-success').waitFor();
		await nodeNamed('Create QR code').dblclick();
		await page.getByTestId('node-credentials-select').waitFor();
		const select = page.getByTestId('node-credentials-select').locator('input').first();
		await until(async () => (await select.inputValue()) === 'Sandbox Backbone', 60_000);
	});

	it('ends with Ctrl-C and leaves nothing but the examples', async () => {
		const before = readdirSync(tmpdir()).filter((name) =>
			name.includes('n8n-nodes-enmeshed-demo-'),
		);
		await demo.interrupt();
		const after = readdirSync(tmpdir()).filter((name) => name.includes('n8n-nodes-enmeshed-demo-'));
		expect(after.length).toBe(before.length - 1);
		expect(existsSync(join(folder, 'enmeshed-examples.json'))).toBe(true);
	});
});

function hasMembers(json: Record<string, unknown>, members: object): boolean {
	return Object.entries(members).every(([name, value]) => json[name] === value);
}
