import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';

import { SandboxBackbone } from '../../sandbox/sandbox-backbone';
import { DemoWallet } from '../../sandbox/wallet/demo-wallet';
import { launchVisitorBrowser } from '../../scripts/screenshots/browser';
import { visit } from '../../scripts/screenshots/visitor';
import { exampleWorkflows, putExamples } from '../../scripts/start/example-workflows';
import { N8nHost } from '../support/n8n/n8n-host';
import { until } from '../support/until';
import { withChosenAttribute } from './support/chosen-attribute';
import { testsIn } from './support/n8n-test';
import { credentialFor } from './support/onboarded-host';
import { WalletPageCalls } from '../support/peer/wallet-page-calls';

jest.setTimeout(600_000);

const manualStart = 'When clicking ‘Execute workflow’';
const organisation = 'Example Organisation';

/** The README from its first step to its last, with what `npm start` puts in place. */
describe('the story of the README, with two people in one wallet', () => {
	let folder: string;
	let backbone: SandboxBackbone;
	let demoWallet: DemoWallet;
	let host: N8nHost;
	let browser: Browser;
	let ada: WalletPageCalls;
	let ben: WalletPageCalls;
	let credential: { id: string; name: string };
	let ids: Map<string, string>;
	const it = testsIn(() => host, 500_000);

	beforeAll(async () => {
		folder = mkdtempSync(join(tmpdir(), 'enmeshed-readme-'));
		backbone = await SandboxBackbone.open();
		const client = { clientId: 'test', clientSecret: 'test' };
		demoWallet = await DemoWallet.open({
			backbone: { baseUrl: backbone.baseUrl, ...client },
			folder,
			port: 0,
		});
		ada = await WalletPageCalls.open(demoWallet.url);
		ben = await WalletPageCalls.create(demoWallet.url, 'Ben');
		browser = await launchVisitorBrowser();
		host = await N8nHost.prepare();
		await host.start();
		const name = 'Sandbox Backbone';
		credential = { id: await host.createCredential(credentialFor(backbone), name), name };
		ids = await putExamples(host, credential);
	});

	afterAll(async () => {
		await browser?.close();
		await host?.dispose();
		await demoWallet?.close();
		await backbone?.close();
		rmSync(folder, { recursive: true, force: true });
	});

	const idOf = (name: string): string => ids.get(name) ?? '';

	/** Presses 'Execute workflow', and returns the link in the output of the node. */
	async function linkFrom(name: string): Promise<string> {
		await host.runManually(idOf(name), manualStart);
		let link: unknown;
		await host.until(async () => {
			const [execution] = await host.executions(idOf(name));
			const run = execution?.data.resultData.runData['Create QR code']?.[0];
			link = run?.data?.main[0]?.[0]?.json['link'];
			return link !== undefined;
		}, `done with ${name}`);
		return String(link);
	}

	async function runToEnd(name: string): Promise<void> {
		await host.runManually(idOf(name), manualStart);
		await host.until(async () => {
			const [execution] = await host.executions(idOf(name));
			return execution?.status === 'success';
		}, `done with ${name}`);
	}

	async function choose(name: string): Promise<void> {
		const found = exampleWorkflows(credential).find(({ workflow }) => workflow.name === name);
		const workflow = found?.workflow ?? { name, nodes: [], connections: {} };
		const label = `Display Name: ${organisation}`;
		const chosen = await withChosenAttribute(host, credential.id, workflow, label);
		await host.updateWorkflow(idOf(name), chosen);
	}

	async function untilMail(person: WalletPageCalls, subject: string): Promise<void> {
		const hasIt = async (): Promise<boolean> =>
			(await person.state()).mails.some((mail) => !mail.isOwn && mail.subject === subject);
		await host.until(hasIt, `sending '${subject}'`);
	}

	/** Rows of the table, by what their executions saved. */
	async function savedNames(): Promise<unknown[]> {
		const executions = await host.executions(idOf('13. New customers into a table'));
		const rows = executions.flatMap(
			({ data }) => data.resultData.runData['Save the customer']?.[0]?.data?.main[0] ?? [],
		);
		const names = new Map(rows.map(({ json }) => [json['id'], json['name']]));
		return [...names.values()];
	}

	it('connects the first person, answers mails, fills the table and writes to its rows', async () => {
		const values = { GivenName: 'Ada', EMailAddress: 'ada@example.com' };
		await ada.answer(await linkFrom('1. Show a QR code'), values);
		await untilMail(ada, 'Welcome, Ada');
		expect((await ada.state()).contacts).toMatchObject([{ isActive: true }]);
		await ada.writeMail('A question', 'When are you open?');
		await untilMail(ada, 'Re: A question');

		await host.until(async () => (await savedNames()).includes('Ada'), 'done with the table');
		const lookUp = '14. Look a customer up and write';
		await runToEnd(lookUp);
		await until(async () => (await ada.state()).requests.length > 0, 60_000);
		const [open] = (await ada.state()).requests;
		await ada.answerRequest(open?.id ?? '', {});
		const [contact] = (await ada.state()).contacts;
		const number = contact?.facts[0]?.text ?? '';
		await host.publish(idOf(lookUp));
		// The number is found once the gateway has the answer of the wallet.
		await until(async () => {
			const page = await visit(browser, `${host.url}/form/mail-to-a-customer`);
			await page.getByLabel('Customer number').fill(number);
			await page.getByLabel('Subject').fill('We are open');
			await page.getByLabel('Text').fill('Every day.');
			await page.getByRole('button', { name: 'Submit' }).click();
			const answer = page.getByText(/Sent to Ada|No such customer/);
			await answer.waitFor();
			return (await answer.textContent())?.startsWith('Sent') === true;
		}, 60_000);
		await untilMail(ada, 'We are open');
	});

	it('goes on without JSON: a name, a form for customers, and a new name for all', async () => {
		await runToEnd('6. Enter your name');
		await choose('7. Ask new customers');
		const link = await linkFrom('7. Ask new customers');
		await host.publish(idOf('8. Greet new customers'));
		await ben.answer(link, { GivenName: 'Ben', EMailAddress: 'ben@example.com' });
		await untilMail(ben, 'Welcome, Ben');
		expect((await ben.state()).contacts).toMatchObject([{ isActive: true, name: organisation }]);
		// A person who is connected already is not at a dead end.
		const mailsBefore = (await ada.state()).mails.length;
		await ada.answer(link, { GivenName: 'Ada', EMailAddress: 'ada@example.com' });
		await until(async () => (await ada.state()).mails.length > mailsBefore, 60_000);
		await host.until(async () => (await savedNames()).includes('Ben'), 'done with the table');

		await choose('5. Tell about a new name');
		await runToEnd('5. Tell about a new name');
		for (const person of [ada, ben]) {
			await until(async () => {
				const [contact] = (await person.state()).contacts;
				return contact?.name === `${organisation} International`;
			}, 60_000);
		}
	});
});
