import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';

import { SandboxBackbone } from '../../sandbox/sandbox-backbone';
import { launchVisitorBrowser } from '../../scripts/screenshots/browser';
import { answerLink, answerPage, submitForm, visit } from '../../scripts/screenshots/visitor';
import { exampleWorkflows, putExamples } from '../../scripts/start/example-workflows';
import { N8nHost, type Execution, type Workflow } from '../support/n8n/n8n-host';
import { Peer, type PeerObject } from '../support/peer/peer';
import { until } from '../support/until';
import { withChosenAttribute } from './support/chosen-attribute';
import { testsIn } from './support/n8n-test';
import { credentialFor } from './support/onboarded-host';

jest.setTimeout(600_000);

const folder = join(__dirname, '..', '..', 'docs', 'examples');

const manualStart = 'When clicking ‘Execute workflow’';
const organisation = 'Example Organisation';

/** All examples in one n8n, in the order in which the wallets meet them. */
describe('the examples, published together', () => {
	let backbone: SandboxBackbone;
	let host: N8nHost;
	let wallet: Peer;
	let guest: Peer;
	let customer: Peer;
	let browser: Browser;
	let credential: { id: string; name: string };
	let ids: Map<string, string>;
	const it = testsIn(() => host, 500_000);

	beforeAll(async () => {
		backbone = await SandboxBackbone.open();
		host = await N8nHost.prepare();
		const { baseUrl } = backbone;
		wallet = await Peer.start(6, { baseUrl });
		guest = await Peer.start(6, { baseUrl });
		customer = await Peer.start(6, { baseUrl });
		browser = await launchVisitorBrowser();
		await host.start();
		const name = 'Sandbox';
		credential = { id: await host.createCredential(credentialFor(backbone), name), name };
		ids = await putExamples(host, credential);
	});

	afterAll(async () => {
		await browser?.close();
		await host?.dispose();
		for (const person of [wallet, guest, customer]) await person?.stop();
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
		const isStarted = (node: object): boolean =>
			'type' in node &&
			/\.(enmeshedTrigger|enmeshedPageTrigger|formTrigger|webhook)$/.test(String(node.type));
		for (const { workflow, isPublished } of exampleWorkflows(credential)) {
			const canBePublished = !isPublished && workflow.nodes.some(isStarted);
			if (canBePublished) await host.publish(idOf(workflow.name));
		}
	});

	it('let a visitor log in, and greet no other person by that name', async () => {
		const page = await visit(browser, `${host.url}/webhook/log-in`);
		await answerPage(page, wallet);
		// The first execution and its continuation also load the package.
		await page.getByText('Welcome, Ada').waitFor({ timeout: 120_000 });
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
			await host.runManually(idOf(name), manualStart);
			const { id: request } = await openRequest(wallet);
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
		await host.runManually(idOf(lookUp), manualStart);
		const open = await openRequest(wallet);
		await wallet.acceptRequest(open.id, [{ accept: true }]);
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

	it('welcome one person, and greet customers who are new or come back', async () => {
		await answerLink(await linkFrom('1. Show a QR code'), guest);
		await endedWith('2. Welcome the person', 'Send welcome mail');

		await host.runManually(idOf('6. Enter your name'), manualStart);
		await endedWith('6. Enter your name', 'Our name');
		const name = '7. Ask new customers';
		const label = `Display Name: ${organisation}`;
		const workflow = exampleOf(name);
		const chosen = await withChosenAttribute(host, credential.id, workflow, label);
		await host.updateWorkflow(idOf(name), chosen);
		const link = await linkFrom(name);
		await answerLink(link, customer);
		await endedWith('8. Greet new customers', 'Send mail');
		await answerLink(link, guest);
		await endedWith('8. Greet new customers', 'Send mail', 2);
	});

	it('thank all who answer the two questions', async () => {
		await host.runManually(idOf('4. Ask connected people'), manualStart);
		for (const person of [wallet, guest, customer]) {
			const open = await openRequest(person);
			await person.acceptRequest(open.id, [{ accept: false }, { accept: true }, { accept: false }]);
		}
		await endedWith('4. Ask connected people', 'Say thank you', 3);
	});

	it('have not disturbed each other', async () => {
		const mails = async (person: Peer): Promise<unknown[]> => {
			await person.sync();
			const contents = await person.receivedContents();
			return contents.flatMap((content) => (content['@type'] === 'Mail' ? content['subject'] : []));
		};
		await host.until(async () => (await mails(wallet)).includes('Thank you'), 'writing');
		expect(await mails(wallet)).toEqual(['Our catalogue', 'Your visit', 'Thank you']);
		expect(await mails(guest)).toEqual(['Welcome, Ada', 'Welcome, Ada', 'Thank you']);
		expect(await mails(customer)).toEqual(['Welcome, Ada', 'Thank you']);
		// Peers of the items, by the nodes that only some of the people may reach.
		const reached = async (name: string, trigger: string, node: string): Promise<unknown[]> => {
			const executions = (await host.executions(idOf(name))).reverse();
			const through = executions.filter(({ data }) => node in data.resultData.runData);
			return through.map((one) => (outputOf(one, trigger) as { peer?: unknown }).peer);
		};
		expect(await reached('2. Welcome the person', 'A person wants to connect', 'Accept')).toEqual([
			guest.address,
		]);
		expect(await reached('8. Greet new customers', 'A customer has answered', 'Customer')).toEqual([
			customer.address,
			guest.address,
		]);
		for (const [name, id] of ids) {
			const statuses = (await host.executions(id)).map(({ status }) => status);
			expect([name, statuses.filter((status) => status !== 'success')]).toEqual([name, []]);
		}
	});

	/** Presses 'Execute workflow', and returns the link in the output of the node. */
	async function linkFrom(name: string): Promise<string> {
		await host.runManually(idOf(name), manualStart);
		const execution = await endedWith(name, 'Create QR code');
		return String((outputOf(execution, 'Create QR code') as { link?: unknown }).link);
	}

	/** Request that has come by message and waits for the person. */
	async function openRequest(person: Peer): Promise<PeerObject> {
		let open: PeerObject | undefined;
		await host.until(async () => {
			await person.sync();
			[open] = await person.incomingRequests({ status: 'ManualDecisionRequired' });
			return open !== undefined;
		}, 'asking a person');
		return open as PeerObject;
	}

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

	function exampleOf(name: string): Workflow {
		const found = exampleWorkflows(credential).find(({ workflow }) => workflow.name === name);
		return found?.workflow ?? { name, nodes: [], connections: {} };
	}

	/** The example with the wallet picked from the list of people. */
	function withWallet(name: string): Workflow {
		const text = JSON.stringify(exampleOf(name));
		return JSON.parse(text.replace('"value":""', `"value":"${wallet.address}"`)) as Workflow;
	}
});
