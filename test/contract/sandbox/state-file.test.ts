import {
	appendFileSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SandboxState } from '../../../sandbox/state/sandbox-state';
import { StateFile } from '../../../sandbox/state/state-file';
import { SandboxProcess } from './sandbox-process';
import {
	bytes,
	datawallet,
	message,
	RawAccount,
	SandboxBench,
	strongPassword,
} from '../../sandbox/support/raw-client';
import { uploadFile } from '../../sandbox/support/upload';

/* A sandbox that keeps its state in a file. */
const hour = 3_600_000;
let folder: string;
let stateFile: string;
let bench: SandboxBench;
let processes: SandboxProcess[] = [];

beforeEach(async () => {
	folder = mkdtempSync(join(tmpdir(), 'enmeshed-state-'));
	stateFile = join(folder, 'state.json');
	bench = await SandboxBench.open({ stateFile });
});

afterEach(async () => {
	for (const one of processes) await one.kill();
	processes = [];
	await bench.close();
	rmSync(folder, { recursive: true, force: true });
});

async function start(file: string): Promise<SandboxProcess> {
	const started = await SandboxProcess.start(file);
	processes.push(started);
	return started;
}

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

const admin = (method: string, path: string, body: object = {}) =>
	bench.call(method, `/admin/${path}`, body);

describe('the state file of the sandbox', () => {
	it('keeps accounts, objects and events over a restart', async () => {
		const { to, from, id } = await bench.active();
		const template = await to.template({ maxNumberOfAllocations: 1 });
		expect((await from.call('GET', `RelationshipTemplates/${template}`)).status).toBe(200);
		const sent = (await from.call('POST', 'Messages', message(to.address))).result;
		const file = await uploadFile(to, {}, 'cipher');
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
		expect(await toAgain.download(String(file.result['id']))).toBe('cipher');
		// The allocation and the relationship are still there.
		expect((await fromAgain.call('GET', `RelationshipTemplates/${template}`)).status).toBe(200);
		const third = await bench.account();
		expect((await third.call('GET', `RelationshipTemplates/${template}`)).code).toBe(
			'error.platform.validation.relationshipTemplate.maxNumberOfAllocationsExhausted',
		);
	});

	it('keeps a run that was open: it goes on, and shuts out others until it expires', async () => {
		const { to } = await bench.pending();
		const run = await to.call('POST', 'SyncRuns', {}, datawallet);
		const { id } = run.result['syncRun'] as { id: string };
		await restart();
		const account = await again(to);
		const next = await account.call('POST', 'SyncRuns', {}, datawallet);
		expect(next.code).toBe(
			'error.platform.validation.syncRun.cannotStartSyncRunWhenAnotherSyncRunIsRunning',
		);
		const [event] = (await account.call('GET', `SyncRuns/${id}/ExternalEvents`))
			.result as unknown as Array<{ id: string; type: string }>;
		expect(event?.type).toBe('RelationshipStatusChanged');
		const ended = await account.call('PUT', `SyncRuns/${id}/FinalizeExternalEventSync`, {
			externalEventResults: [{ externalEventId: event?.id }],
		});
		expect(ended.status).toBe(200);
		expect((await account.call('GET', `SyncRuns/${id}`)).result).toMatchObject({ eventCount: 1 });
		expect(await account.sync()).toEqual([]);
	});

	it('keeps a run that expires meanwhile: its events have failed once', async () => {
		const { to } = await bench.pending();
		await to.call('POST', 'SyncRuns', {}, datawallet);
		await bench.close();
		bench = await SandboxBench.open({ stateFile, clockOffsetMs: 11_000 });
		const [event] = await (await again(to)).sync();
		expect(event).toMatchObject({ type: 'RelationshipStatusChanged', syncErrorCount: 1 });
	});

	it('keeps the number of unread messages and what was deleted', async () => {
		const { to, from } = await bench.active();
		for (let sent = 0; sent < 20; sent++) await from.call('POST', 'Messages', message(to.address));
		const gone = await bench.account();
		const start = { lengthOfGracePeriodInDays: 0 };
		await gone.call('POST', 'Identities/Self/DeletionProcesses', start);
		await admin('POST', 'jobs');
		await restart();
		const fromAgain = await again(from);
		expect((await fromAgain.call('POST', 'Messages', message(to.address))).code).toBe(
			'error.platform.validation.message.maxNumberOfUnreceivedMessagesReached',
		);
		const path = `/api/v2/Identities/IsDeleted?username=${gone.username}`;
		expect((await bench.call('GET', path)).result).toMatchObject({ isDeleted: true });
	});

	it('keeps what the operator says, and the time it is', async () => {
		const texts = { en: { title: 'Hello', body: 'World' } };
		const tags = { supportedLanguages: ['en'], tagsForAttributeValueTypes: {} };
		const references = [{ title: 'Shop', description: 'Buy', truncatedReference: 'abc' }];
		const quota = { metricKey: 'NumberOfTokens', period: 'Day', max: 3, address: null };
		await admin('POST', 'announcements', { texts });
		await admin('POST', 'notifications', { code: 'hello', texts });
		await admin('PUT', 'tags', tags);
		await admin('PUT', 'references', { references });
		await admin('PUT', 'quotas', { quotas: [quota] });
		await admin('POST', 'clock', { advanceMs: 24 * hour });
		await restart();
		const { to, from } = await bench.pending();
		const announced = (await to.call('GET', 'Announcements?language=en')).result;
		expect(announced).toMatchObject([{ title: 'Hello' }]);
		const notify = { recipients: [from.address], code: 'hello' };
		expect((await to.call('POST', 'Notifications', notify)).status).toBe(204);
		expect((await to.call('GET', 'Tags')).result).toEqual(tags);
		expect((await bench.call('GET', '/admin/quotas')).result).toEqual([quota]);
		expect(bench.sandbox.operatorTexts.publicReferences).toEqual(references);
		const date = Date.parse((await to.call('GET', 'Tags')).headers.get('date') ?? '');
		expect(date).toBeGreaterThan(Date.now() + 23 * hour);
	});

	it('is one file, whose torn end belongs to a call that was not answered', async () => {
		const account = await bench.account();
		await restart();
		expect(readdirSync(folder)).toEqual(['state.json']);
		await bench.close();
		appendFileSync(stateFile, '[["identities","did:e:torn');
		bench = await SandboxBench.open({ stateFile });
		await again(account);
		expect(readFileSync(stateFile, 'utf8')).not.toContain('torn');
	});

	it.each([
		['of another program', '{"identities":[]}\n'],
		['with a broken line in the middle', '{"enmeshed-sandbox":2}\nnonsense\n[]\n'],
		['that is empty', ''],
	])('%s is refused and left as it is', async (_, content) => {
		await bench.close();
		writeFileSync(stateFile, content);
		await expect(SandboxBench.open({ stateFile })).rejects.toThrow(
			/^error\.sandbox\.stateFileUnreadable: '.+state\.json'/,
		);
		expect(readFileSync(stateFile, 'utf8')).toBe(content);
		rmSync(stateFile);
		bench = await SandboxBench.open({ stateFile });
	});

	it('has all that was answered, after each call, whatever the call did', async () => {
		await bench.close();
		bench = await SandboxBench.open({ stateFile, hasDeletionApproval: true });
		const { state } = bench.sandbox;
		bench.onAnswer = () => {
			// What a sandbox that was killed now would find: nothing is closed.
			const copy = join(folder, 'copy.json');
			writeFileSync(copy, readFileSync(stateFile));
			const found = new SandboxState();
			StateFile.open(found, copy).close();
			expect(tablesOf(found)).toEqual(tablesOf(state));
			expect(indexesOf(found)).toEqual(indexesOf(state));
		};
		await liveThrough(bench);
	});

	it('loses nothing that a process had answered when it is killed', async () => {
		const file = join(folder, 'killed.json');
		const first = await start(file);
		const account = await first.bench.account();
		const ids: string[] = [];
		for (let count = 0; count < 20; count++) ids.push(await account.template());
		await first.kill();
		const second = await start(file);
		const back = new RawAccount(
			second.bench,
			account.api,
			account.address,
			account.username,
			account.keys,
		);
		await back.logIn();
		const query = ids.map((id) => `ids=${id}`).join('&');
		expect((await back.call('GET', `RelationshipTemplates?${query}`)).result).toHaveLength(20);
	});
});

/** Every call that changes something, so that none forgets to have it written. */
async function liveThrough(bench: SandboxBench): Promise<void> {
	const { to, from, id } = await bench.active();
	await changeDevice(to);
	await giveTokensAndFiles(bench, to, from);
	await pushToDatawallet(from);
	await from.call('POST', 'Notifications', { recipients: [to.address], code: 'test' });
	await syncBadly(bench, to, from);
	await leave(to, from, id);
	await deleteIdentities(bench);
}

async function changeDevice(account: RawAccount): Promise<void> {
	await account.logIn('wrong');
	await account.logIn();
	await account.call('PATCH', 'Identities/Self/FeatureFlags', { flag: true });
	await account.call('PUT', 'Devices/Self', { communicationLanguage: 'de' });
	const change = { oldPassword: strongPassword, newPassword: `${strongPassword}2` };
	await account.call('PUT', 'Devices/Self/Password', change);
	const push = { platform: 'dummy', handle: 'h'.repeat(10), appId: 'app' };
	await account.call('PUT', 'Devices/Self/PushNotifications', push);
	await account.call('DELETE', 'Devices/Self/PushNotifications');
}

async function giveTokensAndFiles(
	bench: SandboxBench,
	to: RawAccount,
	from: RawAccount,
): Promise<void> {
	const expiresAt = new Date(Date.now() + hour).toISOString();
	const locked = await to.call('POST', 'Tokens', {
		content: bytes(1),
		expiresAt,
		password: 'AAAA',
	});
	await from.call('GET', `Tokens/${String(locked.result['id'])}?password=BBBB`);
	await from.call('GET', `Tokens/${String(locked.result['id'])}?password=AAAA`);
	const empty = `Tokens/${String((await bench.call('POST', '/api/v2/Tokens', { expiresAt })).result['id'])}`;
	await to.call('POST', `${empty}/UpdateContent`, { newContent: bytes(9) });
	await to.call('DELETE', empty);
	const file = (await uploadFile(to)).result as { id: string; ownershipToken: string };
	await from.call('POST', `Files/${file.id}/ValidateOwnershipToken`, { ownershipToken: 'wrong' });
	const renewed = await to.call('PATCH', `Files/${file.id}/RegenerateOwnershipToken`);
	await from.call('PATCH', `Files/${file.id}/ClaimOwnership`, {
		ownershipToken: renewed.result['newOwnershipToken'],
	});
	await to.call('DELETE', `Files/${file.id}`);
	await to.call('DELETE', `RelationshipTemplates/${await to.template()}`);
}

async function pushToDatawallet(account: RawAccount): Promise<void> {
	const modifications = [
		{ type: 'Create', objectIdentifier: 'o', collection: 'c', datawalletVersion: 1 },
	];
	const body = { localIndex: -1, modifications };
	await account.call('POST', 'Datawallet/Modifications', body, datawallet);
}

/** Runs that fail, expire and start again, and an empty run. */
async function syncBadly(bench: SandboxBench, to: RawAccount, from: RawAccount): Promise<void> {
	const sent = await from.call('POST', 'Messages', message(to.address));
	await to.call('GET', `Messages/${String(sent.result['id'])}`);
	await from.call('POST', 'Messages', message(to.address));
	const { syncRun } = (await to.call('POST', 'SyncRuns', {}, datawallet)).result as {
		syncRun: { id: string };
	};
	await bench.call('POST', '/admin/clock', { advanceMs: 1_000 });
	await to.call('PUT', `SyncRuns/${syncRun.id}/RefreshExpirationTime`, {});
	await to.call('PUT', `SyncRuns/${syncRun.id}/FinalizeExternalEventSync`, {});
	await from.call('POST', 'SyncRuns', {}, datawallet);
	await from.sync();
	await from.call('POST', 'SyncRuns', { type: 'DatawalletVersionUpgrade' }, datawallet);
}

async function leave(to: RawAccount, from: RawAccount, id: string): Promise<void> {
	await from.call('PUT', `Relationships/${id}/Terminate`, {});
	await from.call('POST', 'Messages', message(to.address));
	await to.call('PUT', `Relationships/${id}/Reactivate`, {});
	await from.call('PUT', `Relationships/${id}/Reactivate/Accept`, {});
	await from.call('PUT', `Relationships/${id}/Terminate`, {});
	await to.call('POST', 'SyncRuns', { duration: 60 }, datawallet);
	await to.call('PUT', `Relationships/${id}/Decompose`, {});
	await from.call('PUT', `Relationships/${id}/Decompose`, {});
}

async function deleteIdentities(bench: SandboxBench): Promise<void> {
	const { to, from } = await bench.pending();
	await to.template({ forIdentity: from.address });
	await from.call('GET', `RelationshipTemplates/${await to.template()}`);
	await from.call('POST', 'Messages', message(to.address));
	const file = (await uploadFile(to)).result as { id: string; ownershipToken: string };
	await from.call('PATCH', `Files/${file.id}/ClaimOwnership`, file);
	const processes = 'Identities/Self/DeletionProcesses';
	const kept = await bench.account();
	const changed = await kept.call('POST', processes, {});
	await kept.call('PUT', `${processes}/${String(changed.result['id'])}/Cancel`, {});
	const own = await to.call('POST', processes, {});
	await to.call('PUT', `${processes}/${String(own.result['id'])}/Cancel`, {});
	const asked = { address: to.address };
	for (const verb of ['Reject', 'Approve']) {
		const process = await bench.call('POST', '/admin/deletions', asked);
		await to.call('PUT', `${processes}/${String(process.result['id'])}/${verb}`, {});
	}
	await bench.call('POST', '/admin/clock', { advanceMs: 3 * 24 * hour });
	await bench.call('POST', '/admin/jobs', {});
	await from.logIn();
	await from.call('POST', processes, { lengthOfGracePeriodInDays: 0 });
	await bench.call('POST', '/admin/jobs', {});
	await bench.call('POST', '/admin/clock', { advanceMs: 40 * 24 * hour });
	await bench.call('POST', '/admin/jobs', {});
}

function tablesOf(state: SandboxState): Record<string, unknown> {
	const tables = Object.entries(state as object).filter(
		(entry): entry is [string, Map<string, unknown>] =>
			entry[1] instanceof Map && !/Of$|By|open|unreceived|changes/.test(entry[0]),
	);
	return Object.fromEntries(
		tables.map(([name, rows]) => [name, Object.fromEntries([...rows].map(comparable))]),
	);
}

/** Events of a run that is over are of no use to any client. */
function comparable([key, row]: [string, unknown]): [string, unknown] {
	const isExpired = (row as { finalized?: boolean } | null)?.finalized === true;
	return [key, isExpired ? { ...(row as object), events: [] } : row];
}

/** Those that decide what identities that still exist are answered. */
function indexesOf(state: SandboxState): unknown[] {
	const ids = (rows: Iterable<{ id: string }> | undefined): string[] =>
		[...(rows ?? [])].map(({ id }) => id);
	return [...state.identities.keys()].sort().map((address) => ({
		address,
		relationships: ids(state.relationshipsOf.get(address)),
		messages: ids(state.messagesOf.get(address)),
		events: ids(state.openEvents.get(address)),
		run: state.openRun.get(address)?.id,
		templates: ids(state.templatesOf.get(address)),
		tokens: ids(state.tokensOf.get(address)),
		files: ids(state.filesOf.get(address)),
		devices: ids(state.devicesOf.get(address)),
		modifications: ids(state.modificationsOf.get(address)),
	}));
}
