import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { datawallet, message, RawAccount, SandboxBench } from './support/raw-client';

/* A sandbox that keeps its state in a file. */
let folder: string;
let stateFile: string;
let bench: SandboxBench;

beforeEach(async () => {
	folder = mkdtempSync(join(tmpdir(), 'enmeshed-state-'));
	stateFile = join(folder, 'state.json');
	bench = await SandboxBench.open({ stateFile });
});

afterEach(async () => {
	await bench.close();
	rmSync(folder, { recursive: true, force: true });
});

async function restart(): Promise<void> {
	await bench.close();
	bench = await SandboxBench.open({ stateFile });
}

/** The same account at the sandbox that runs now. */
async function again({ api, address, username, keys }: RawAccount): Promise<RawAccount> {
	const account = new RawAccount(bench, api, address, username, keys);
	expect((await account.logIn()).status).toBe(200);
	return account;
}

describe('the state file of the sandbox', () => {
	it('keeps accounts, objects and events over a restart', async () => {
		const { to, from, id } = await bench.active();
		const template = await to.template({ maxNumberOfAllocations: 1 });
		expect((await from.call('GET', `RelationshipTemplates/${template}`)).status).toBe(200);
		const sent = (await from.call('POST', 'Messages', message(to.address))).result;
		await restart();

		const [toAgain, fromAgain] = [await again(to), await again(from)];
		expect((await toAgain.call('GET', `Relationships/${id}`)).result).toMatchObject({
			status: 'Active',
			from: from.address,
		});
		const events = await toAgain.sync();
		expect(events.map(({ type }) => type)).toEqual([
			'RelationshipTemplateAllocationsExhausted',
			'MessageReceived',
		]);
		const read = await toAgain.call('GET', `Messages/${String(sent['id'])}`);
		expect(read.result).toMatchObject({ createdBy: from.address });
		// The allocation and the relationship are still there.
		expect((await fromAgain.call('GET', `RelationshipTemplates/${template}`)).status).toBe(200);
		const third = await bench.account();
		expect((await third.call('GET', `RelationshipTemplates/${template}`)).code).toBe(
			'error.platform.validation.relationshipTemplate.maxNumberOfAllocationsExhausted',
		);
	});

	it('counts the events of a run that was open as failed, and offers them again', async () => {
		const { to } = await bench.pending();
		await to.call('POST', 'SyncRuns', {}, datawallet);
		await restart();
		const [event] = await (await again(to)).sync();
		expect(event).toMatchObject({ type: 'RelationshipStatusChanged', syncErrorCount: 1 });
	});

	it('keeps the number of unread messages and what was deleted', async () => {
		const { to, from } = await bench.active();
		for (let sent = 0; sent < 20; sent++) await from.call('POST', 'Messages', message(to.address));
		const gone = await bench.account();
		const start = { lengthOfGracePeriodInDays: 0 };
		await gone.call('POST', 'Identities/Self/DeletionProcesses', start);
		bench.sandbox.deletions.runJob();
		await restart();
		const fromAgain = await again(from);
		expect((await fromAgain.call('POST', 'Messages', message(to.address))).code).toBe(
			'error.platform.validation.message.maxNumberOfUnreceivedMessagesReached',
		);
		const path = `/api/v2/Identities/IsDeleted?username=${gone.username}`;
		expect((await bench.call('GET', path)).result).toMatchObject({ isDeleted: true });
	});

	it('is never half written: a draft takes its place', async () => {
		await bench.account();
		await restart();
		expect(readdirSync(folder)).toEqual(['state.json']);
		expect(JSON.parse(readFileSync(stateFile, 'utf8'))).toMatchObject({
			identities: [{ status: 'Active' }],
		});
	});
});
