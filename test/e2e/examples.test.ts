import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';

import { SandboxBackbone } from '../../sandbox/sandbox-backbone';
import { launchVisitorBrowser } from '../../scripts/screenshots/browser';
import { answerPage, submitForm, visit } from '../../scripts/screenshots/visitor';
import { exampleWorkflows, putExamples } from '../../scripts/start/example-workflows';
import { N8nHost, type Execution, type Workflow } from '../support/n8n/n8n-host';
import { Peer, type PeerObject } from '../support/peer/peer';
import { until } from '../support/until';
import { testsIn } from './support/n8n-test';
import { credentialFor } from './support/onboarded-host';

jest.setTimeout(600_000);

const folder = join(__dirname, '..', '..', 'docs', 'examples');

/** The examples as `npm start` puts them in place, in the order in which the wallet meets them. */
describe('the examples with a wallet', () => {
	let backbone: SandboxBackbone;
	let host: N8nHost;
	let wallet: Peer;
	let browser: Browser;
	let credential: { id: string; name: string };
	let ids: Map<string, string>;
	const it = testsIn(() => host, 500_000);

	beforeAll(async () => {
		backbone = await SandboxBackbone.open();
		host = await N8nHost.prepare();
		wallet = await Peer.start(6, { baseUrl: backbone.baseUrl });
		browser = await launchVisitorBrowser();
		await host.start();
		const name = 'Sandbox';
		credential = { id: await host.createCredential(credentialFor(backbone), name), name };
		ids = await putExamples(host, credential);
	});

	afterAll(async () => {
		await browser?.close();
		await host?.dispose();
		await wallet?.stop();
		await backbone?.close();
	});

	const idOf = (name: string): string => ids.get(name) ?? '';

	/** The execution that has ended with the node, newest first. */
	async function endedWith(name: string, node: string, count = 1): Promise<Execution> {
		let found: Execution[] = [];
		await host.until(async () => {
			const executions = await host.executions(idOf(name));
			found = executions.filter(
				({ status, data }) => status === 'success' && node in data.resultData.runData,
			);
			return found.length >= count;
		}, `done with ${node}`);
		return found[0] as Execution;
	}

	const outputOf = ({ data }: Execution, node: string): unknown =>
		data.resultData.runData[node]?.[0]?.data?.main[0]?.[0]?.json;

	it('are in place, together with all others', async () => {
		const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
		expect(ids.size).toBe(files.length);
		expect((await host.workflows()).size).toBe(files.length);
		// Their notes say so: it accepts everybody as well.
		await host.deactivate(idOf('2. Welcome the person'));
	});

	it('let a visitor log in, and greet nobody else by that name', async () => {
		await host.publish(idOf('9. Log in with the wallet'));
		const page = await visit(browser, `${host.url}/webhook/log-in`);
		await answerPage(page, wallet);
		await page.getByText('Welcome, Ada').waitFor();
		const other = await visit(
			browser,
			`${host.url}/webhook/log-in-welcome?request=REQ00000000000000001`,
		);
		await other.getByText('You are not logged in').waitFor();
		const without = await visit(browser, `${host.url}/webhook/log-in-welcome`);
		await without.getByText('You are not logged in').waitFor();
		const execution = await endedWith('9. Log in with the wallet', 'Your next steps');
		expect(outputOf(execution, 'Your next steps')).toMatchObject({
			peer: wallet.address,
			answers: { GivenName: 'Ada' },
			relationshipStatus: 'Active',
		});
	});

	it('save the visitor of a form as one row, also after a second visit', async () => {
		const name = '10. Onboarding form';
		await host.publish(idOf(name));
		const rows: unknown[] = [];
		for (const wish of ['Offers', 'Advice']) {
			const page = await visit(browser, `${host.url}/form/onboarding`);
			await submitForm(page, wish);
			await answerPage(page, wallet);
			await page.getByText('Thank you, Ada').waitFor();
			const execution = await endedWith(name, 'Save the customer', rows.length + 1);
			rows.push(outputOf(execution, 'Save the customer'));
		}
		const { address } = wallet;
		const row = { id: 1, address, name: 'Ada', email: 'ada@example.com' };
		expect(rows).toMatchObject([
			{ ...row, wish: 'Offers' },
			{ ...row, wish: 'Advice' },
		]);
	});

	for (const [verb, end] of [
		['acceptRequest', 'Send the catalogue'],
		['rejectRequest', 'Send nothing'],
	] as const) {
		it(`go on after ${verb} to the end '${end}'`, async () => {
			const name = '11. Ask for consent and go on';
			await host.updateWorkflow(idOf(name), withWallet(name));
			await host.runManually(idOf(name), 'When clicking ‘Execute workflow’');
			let request = '';
			await host.until(async () => {
				await wallet.sync();
				const open = await wallet.incomingRequests({ status: 'ManualDecisionRequired' });
				request = String(open[0]?.id ?? '');
				return request !== '';
			}, 'asking the wallet');
			await wallet[verb](request, [{ accept: verb === 'acceptRequest' }]);
			const execution = await endedWith(name, end);
			expect(Object.keys(execution.data.resultData.runData).at(-1)).toBe(end);
		});
	}

	it('keep customers in a table, and find and write to one by what is in it', async () => {
		const name = '13. New customers into a table';
		const saved = (email: string) => async (): Promise<boolean> => {
			const executions = await host.executions(idOf(name));
			return executions.some((one) => {
				const row = outputOf(one, 'Save the customer') as Record<string, unknown> | undefined;
				return row?.['address'] === wallet.address && row['id'] === 1 && row['email'] === email;
			});
		};
		await host.until(saved('ada@example.com'), 'done with what was shared later');
		await changeAttribute('ada@example.com', 'ada@company.example');
		await host.until(saved('ada@company.example'), 'done with the new value');

		const lookUp = '14. Look a customer up and write';
		await host.runManually(idOf(lookUp), 'When clicking ‘Execute workflow’');
		let open: PeerObject | undefined;
		await host.until(async () => {
			await wallet.sync();
			[open] = await wallet.incomingRequests({ status: 'ManualDecisionRequired' });
			return open !== undefined;
		}, 'giving the customer a number');
		await wallet.acceptRequest(String(open?.id), [{ accept: true }]);
		await host.publish(idOf(lookUp));
		const write = async (to: string): Promise<Page> => {
			const page = await visit(browser, `${host.url}/form/mail-to-a-customer`);
			await page.getByLabel('Customer number').fill(to);
			await page.getByLabel('Subject').fill('Your visit');
			await page.getByLabel('Text').fill('See you on Monday.');
			await page.getByRole('button', { name: 'Submit' }).click();
			return page;
		};
		const isNumber = ({ content }: PeerObject): boolean =>
			(content as { key?: unknown }).key === 'customerNumber';
		const numbered = (await wallet.attributes()).find(isNumber);
		const { value } = (numbered?.['content'] as { value: { value: string } }).value;
		await until(async () => {
			const page = await write(value);
			const answer = page.getByText(/Sent to Ada|No such customer/);
			await answer.waitFor();
			return (await answer.textContent())?.startsWith('Sent') === true;
		}, 60_000);
		await (await write('ada@company.example')).getByText('No such customer').waitFor();
		await wallet.sync();
		const mails = (await wallet.receivedContents()).filter(
			({ subject }) => subject === 'Your visit',
		);
		expect(mails).toMatchObject([{ body: 'See you on Monday.' }]);
	});

	/** The person changes a value, and the wallet tells the gateway. */
	async function changeAttribute(old: string, value: string): Promise<void> {
		const attributes = await wallet.attributes();
		const isOld = ({ content }: PeerObject): boolean =>
			(content as { value: { value: unknown } }).value.value === old;
		const own = attributes.find((one) => isOld(one) && one['shareInfo'] === undefined);
		const { successor } = await wallet.call<{ successor: PeerObject }>(
			'consumption.attributes',
			'succeedRepositoryAttribute',
			{
				predecessorId: own?.id,
				successorContent: { value: { '@type': 'EMailAddress', value } },
			},
		);
		const copy = attributes.find((one) => isOld(one) && one['shareInfo'] !== undefined);
		const { peer } = copy?.['shareInfo'] as { peer: string };
		await wallet.call('consumption.attributes', 'notifyPeerAboutRepositoryAttributeSuccession', {
			attributeId: successor.id,
			peer,
		});
	}

	/** The example with the wallet picked from the list of people. */
	function withWallet(name: string): Workflow {
		const found = exampleWorkflows(credential).find(({ workflow }) => workflow.name === name);
		const text = JSON.stringify(found?.workflow);
		return JSON.parse(text.replace('"value":""', `"value":"${wallet.address}"`)) as Workflow;
	}
});
