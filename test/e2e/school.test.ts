import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { prepareForDemo } from '../../sandbox/demo-settings';
import { SandboxBackbone } from '../../sandbox/sandbox-backbone';
import { DemoWallet } from '../../sandbox/wallet/demo-wallet';
import type { ShownRequest } from '../../sandbox/wallet/shown/request';
import type { OpenedCode, ShownPerson, WalletState } from '../../sandbox/wallet/shown/state';
import { N8nHost, type Execution, type Workflow } from '../support/n8n/n8n-host';
import { testsIn } from './support/n8n-test';
import { credentialFor } from './support/onboarded-host';

jest.setTimeout(900_000);

const folder = join(__dirname, '..', '..', 'docs', 'examples', 'school');
const manualStart = 'When clicking ‘Execute workflow’';
const classSize = 30;

interface Student {
	readonly number: string;
	readonly name: string;
	readonly street: string;
	readonly city: string;
	readonly pin: string;
}

const students = Array.from({ length: classSize }, (_, index): Student => ({
	number: `5b-${String(index + 1).padStart(2, '0')}`,
	name: `Student ${index + 1}`,
	street: `${index + 1} Market Square`,
	city: '12345 Newtown',
	pin: String(100_000 + index),
}));

/** The last one never scans the letter. */
const scanning = students.slice(0, -1);

/** The workflows of the kit, one after the other, for a class whose wallets are the demo wallet. */
describe('the school, in a real n8n', () => {
	let backbone: SandboxBackbone;
	let wallet: DemoWallet;
	let host: N8nHost;
	let credential: { id: string; name: string };
	const ids = new Map<string, string>();
	const people = new Map<string, string>();
	const it = testsIn(() => host, 800_000);

	beforeAll(async () => {
		backbone = await SandboxBackbone.open({ maxUnreceivedMessages: 1_000 });
		host = await N8nHost.prepare();
		wallet = await DemoWallet.open({
			backbone: { baseUrl: backbone.baseUrl, clientId: 'test', clientSecret: 'test' },
			folder: join(host.home, 'demo-wallet'),
			port: 0,
		});
		prepareForDemo(backbone, wallet.url);
		await host.start();
		const name = 'Sandbox';
		credential = { id: await host.createCredential(credentialFor(backbone), name), name };
	});

	afterAll(async () => {
		await host?.dispose();
		await wallet?.close();
		await backbone?.close();
	});

	function read(file: string): Workflow {
		const workflow = JSON.parse(readFileSync(join(folder, `${file}.json`), 'utf8')) as Workflow;
		const nodes = workflow.nodes.map((node) => ({
			...node,
			...('credentials' in node ? { credentials: { enmeshedBackboneApi: credential } } : {}),
			...('name' in node && node.name === 'Class list'
				? { parameters: { mode: 'raw', jsonOutput: JSON.stringify({ students }), options: {} } }
				: {}),
		}));
		return { ...workflow, nodes };
	}

	async function put(file: string, isPublished = false): Promise<string> {
		const id = await host.createWorkflow(read(file));
		ids.set(file, id);
		if (isPublished) await host.publish(id);
		return id;
	}

	/** Output of a node of the newest execution, once so many have ended. */
	async function outputOf(
		file: string,
		node: string,
		count = 1,
	): Promise<Array<Record<string, unknown>>> {
		let newest: Execution | undefined;
		await host.until(async () => {
			const executions = await host.executions(ids.get(file) ?? '');
			const failed = executions.find(({ status }) => status === 'error');
			if (failed !== undefined) {
				throw new Error(JSON.stringify(failed.data.resultData.error).slice(0, 2_000));
			}
			const ended = executions.filter(({ status }) => status === 'success');
			[newest] = ended;
			return ended.length >= count;
		}, `done with ${file}`);
		const [run] = newest?.data.resultData.runData[node] ?? [];
		return (run?.data?.main[0] ?? []).map(({ json }) => json as Record<string, unknown>);
	}

	async function runByHand(file: string, node: string): Promise<Array<Record<string, unknown>>> {
		const { length } = await host.executions(ids.get(file) ?? '');
		await host.runManually(ids.get(file) ?? '', manualStart);
		return await outputOf(file, node, length + 1);
	}

	/** Fills in the form of a workflow, which has one field. */
	async function submit(path: string, value: string): Promise<void> {
		const body = new FormData();
		body.set('field-0', value);
		const { status } = await fetch(`${host.url}/form/${path}`, { method: 'POST', body });
		expect(status).toBe(200);
	}

	async function walletCall<Result>(path: string, body?: object): Promise<Result> {
		const response = await fetch(`${wallet.url}/api/people${path}`, {
			...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
			headers: { 'content-type': 'application/json', origin: wallet.url },
		});
		const answer: unknown = await response.json();
		if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`);
		return answer as Result;
	}

	const stateOf = ({ number }: Student): Promise<WalletState> =>
		walletCall<WalletState>(`/${people.get(number)}/state`);

	/** Shares the values that an item asks for, and agrees to all others. */
	async function answer(id: string, requestId: string, values: Record<string, string>) {
		const { groups } = await walletCall<ShownRequest>(`/${id}/requests/${requestId}`);
		const answers = groups
			.flatMap(({ items }) => items)
			.map(({ path, answer: asked }) => {
				const [form] = asked.kind === 'attribute' ? asked.forms : [];
				const type = form?.type ?? '';
				const value = { form: { type, values: { value: values[type] ?? '' } } };
				return [path, { accept: true, ...(form === undefined ? {} : value) }];
			});
		return await walletCall<{ errors: object }>(`/${id}/requests/${requestId}/accept`, {
			answers: Object.fromEntries(answers),
		});
	}

	it('makes a letter with a PIN for each student', async () => {
		await put('letters-for-a-class');
		const [letters] = await runByHand('letters-for-a-class', 'Letters');
		expect(letters).toEqual({ letters: classSize, pages: 2 * classSize });
	});

	it('accepts who scans a letter, and gives each the own number', async () => {
		await put('accept-students', true);
		const codes = await outputOf('letters-for-a-class', 'Create code');
		expect(codes).toHaveLength(classSize);
		for (const [index, student] of scanning.entries()) {
			const { id } = await walletCall<ShownPerson>('', { name: student.name });
			people.set(student.number, id);
			const reference = codes[index]?.['link'];
			const opened = await walletCall<OpenedCode>(`/${id}/codes`, {
				reference,
				password: student.pin,
			});
			const outcome = await answer(id, opened.requestId ?? '', {
				GivenName: student.name,
				Surname: 'Example',
			});
			expect(outcome).toEqual({ errors: {} });
		}
		await host.until(async () => {
			const states = await Promise.all(scanning.map((student) => stateOf(student)));
			return states.every(({ mails }) => mails.length === 1);
		}, 'welcoming all students');
		const [first] = scanning;
		const { contacts } = await stateOf(first as Student);
		expect(contacts[0]?.facts).toEqual([{ label: expect.any(String), text: '5b-01' }]);
	});

	it('hands a certificate over to each, and lists who has accepted', async () => {
		await put('send-certificates', true);
		await submit('school-certificates', 'Certificate 2026');
		expect(await outputOf('send-certificates', 'Notify')).toHaveLength(scanning.length);
		await host.until(async () => {
			const states = await Promise.all(scanning.map((student) => stateOf(student)));
			return states.every(({ requests }) => requests.length === 1);
		}, 'sending all certificates');
		const [first, second] = scanning as [Student, Student];
		for (const student of scanning.slice(2)) {
			const { requests } = await stateOf(student);
			await answer(people.get(student.number) ?? '', requests[0]?.id ?? '', {});
		}
		const { requests } = await stateOf(second);
		await walletCall(`/${people.get(second.number)}/requests/${requests[0]?.id}/reject`, {});
		await put('accepted-certificates');
		let rows: Array<Record<string, unknown>> = [];
		await host.until(async () => {
			rows = await runByHand('accepted-certificates', 'State');
			return rows.filter(({ State }) => State === 'not answered yet').length === 1;
		}, 'receiving the answers');
		const statesOf = (name: string) =>
			rows.filter(({ Student }) => String(Student).startsWith(name)).map(({ State }) => State);
		expect(statesOf(`${first.name} `)).toEqual(['not answered yet']);
		expect(statesOf(`${second.name} `)).toEqual(['Rejected']);
		expect(rows.filter(({ State }) => State === 'Accepted')).toHaveLength(scanning.length - 2);
		const { files } = await stateOf(scanning.at(-1) as Student);
		expect(files).toMatchObject([{ name: 'certificate.txt' }]);
	});

	it('sends no certificate twice, and another one to each', async () => {
		await submit('school-certificates', 'Certificate 2026');
		expect(await outputOf('send-certificates', 'Notify', 2)).toEqual([]);
		const titles = async () =>
			(await stateOf(scanning[0] as Student)).requests.map(({ title }) => title).sort();
		expect(await titles()).toEqual(['Certificate 2026']);
		await submit('school-certificates', 'Certificate 2027');
		await outputOf('send-certificates', 'Notify', 3);
		await host.until(async () => (await titles()).length > 1, 'sending another certificate');
		expect(await titles()).toEqual(['Certificate 2026', 'Certificate 2027']);
	});

	it('lists the history of a student', async () => {
		await put('history-of-a-student', true);
		await submit('school-history', '5b-03');
		const history = await outputOf('history-of-a-student', 'History');
		const kinds = new Set(history.map(({ kind }) => kind));
		expect([...kinds]).toEqual(expect.arrayContaining(['relationship', 'request', 'message']));
		const times = history.map(({ at }) => String(at));
		expect(times).toEqual([...times].sort().reverse());
	});

	it('exports, ends and erases a student who leaves', async () => {
		await put('offboarding', true);
		await submit('school-offboarding', '5b-03');
		const [receipt] = await outputOf('offboarding', 'Receipt');
		expect(receipt).toMatchObject({ peer: expect.any(String), erased: expect.any(Array) });
		const leaving = scanning[2] as Student;
		await host.until(async () => {
			const { contacts } = await stateOf(leaving);
			return contacts[0]?.isActive === false;
		}, 'telling the student');
		await submit('school-history', '5b-03');
		expect(await outputOf('history-of-a-student', 'History', 2)).toEqual([]);
	});
});
