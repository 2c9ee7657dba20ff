import { pseudonymOf } from '../../sandbox/address';
import { eventStream } from './support/event-stream';
import {
	requireAtOnce,
	bytes,
	datawallet,
	message,
	type RawAccount,
	type RawAnswer,
	RuleBench,
	SandboxBench,
	sandboxOf,
} from './support/raw-client';
import { uploadFile } from './support/upload';

/* docs/protocol/backbone-api.md 9.2, 12.3, 15.2, 16, 17 and 20: what is over, and who still sees it. */
const dayMs = 24 * 3_600_000;
const refusal = ({ status, code }: RawAnswer): string => `${status} ${code}`;
const notFound = '404 error.platform.recordNotFound';
const pseudonym = pseudonymOf('localhost');
const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();

let bench: RuleBench;

beforeEach(async () => {
	bench = await RuleBench.open();
});

afterEach(() => bench.close());

async function pass(days: number, ...accounts: RawAccount[]): Promise<void> {
	sandboxOf(bench).advanceClock(days * dayMs);
	await bench.call('POST', '/admin/jobs', {});
	for (const account of accounts) await account.logIn();
}

async function leave(by: RawAccount, id: string): Promise<void> {
	await by.call('PUT', `Relationships/${id}/Terminate`, {});
	expect((await by.call('PUT', `Relationships/${id}/Decompose`, {})).status).toBe(200);
}

describe('a message of a relationship that is left', () => {
	it('is hidden from the side that left, then permanently from both', async () => {
		requireAtOnce(bench);
		const { to, from, id } = await bench.active();
		const sent = String((await from.call('POST', 'Messages', message(to.address))).result['id']);
		const statuses = async () => [
			(await from.call('GET', `Messages/${sent}`)).status,
			(await to.call('GET', `Messages/${sent}`)).status,
			((await from.call('GET', 'Messages')).result as unknown as object[]).length,
			((await to.call('GET', `Messages?ids=${sent}`)).result as unknown as object[]).length,
		];
		expect(await statuses()).toEqual([200, 200, 1, 1]);
		await leave(from, id);
		expect(await statuses()).toEqual([404, 200, 0, 1]);
		await leave(to, id);
		expect(await statuses()).toEqual([404, 404, 0, 0]);
		await pass(31, to, from);
		expect(refusal(await to.call('GET', `Relationships/${id}`))).toBe(notFound);
		expect(await statuses()).toEqual([404, 404, 0, 0]);
	});

	it('shows a pseudonym to a sender who has left one of its recipients', async () => {
		await bench.close();
		bench = await SandboxBench.open({ maxMessageRecipients: 2 });
		const { to, from, id } = await bench.active();
		const other = await bench.account();
		const relationshipTemplateId = await other.template();
		const second = await from.call('POST', 'Relationships', { relationshipTemplateId });
		await other.call('PUT', `Relationships/${String(second.result['id'])}/Accept`, {});
		const body = message(to.address, other.address);
		const sent = String((await from.call('POST', 'Messages', body)).result['id']);
		await leave(from, id);
		const seen = (await from.call('GET', `Messages/${sent}`)).result['recipients'] as object[];
		expect(seen).toMatchObject([{ address: pseudonym }, { address: other.address }]);
		await leave(to, id);
		expect((await other.call('GET', `Messages/${sent}`)).result).toMatchObject({
			createdBy: from.address,
			recipients: [{ address: other.address }],
		});
	});

	it('that was never read does not count in the next relationship', async () => {
		requireAtOnce(bench);
		const { to, from, id } = await bench.active();
		const send = () => from.call('POST', 'Messages', message(to.address));
		for (let sent = 0; sent < 20; sent++) await send();
		expect((await send()).status).toBe(400);
		await leave(to, id);
		await leave(from, id);
		const relationshipTemplateId = await to.template();
		const next = await from.call('POST', 'Relationships', { relationshipTemplateId });
		await to.call('PUT', `Relationships/${String(next.result['id'])}/Accept`, {});
		expect((await send()).status).toBe(201);
	});

	it('is not offered any more to the side that left, not even in an open run', async () => {
		requireAtOnce(bench);
		const { to, from, id } = await bench.active();
		await from.call('POST', 'Messages', message(to.address));
		const run = await to.call('POST', 'SyncRuns', {}, datawallet);
		const { id: runId } = run.result['syncRun'] as { id: string };
		await leave(to, id);
		expect((await to.call('GET', `SyncRuns/${runId}/ExternalEvents`)).result).toEqual([]);
		await to.call('PUT', `SyncRuns/${runId}/FinalizeExternalEventSync`, {});
		expect(await to.sync()).toEqual([]);
	});
});

describe('a relationship that was reactivated', () => {
	it('releases what was held back, and a rejection drops it', async () => {
		requireAtOnce(bench);
		const { to, from, id } = await bench.active();
		await from.call('PUT', `Relationships/${id}/Terminate`, {});
		await to.sync();
		await from.call('POST', 'Messages', message(to.address));
		expect(await to.sync()).toEqual([]);
		await to.call('PUT', `Relationships/${id}/Reactivate`, {});
		await from.call('PUT', `Relationships/${id}/Reactivate/Accept`, {});
		expect((await to.sync()).map(({ type }) => type)).toEqual([
			'MessageReceived',
			'RelationshipReactivationCompleted',
		]);
		const pending = await bench.pending();
		await pending.to.sync();
		await pending.from.call('POST', 'Messages', message(pending.to.address));
		await pending.to.call('PUT', `Relationships/${pending.id}/Reject`, {});
		expect(await pending.to.sync()).toEqual([]);
	});
});

describe('an identity that was deleted', () => {
	it('leaves no file, token or template, and cannot be requested', async () => {
		const { to, from } = await bench.active();
		const file = String((await uploadFile(to)).result['id']);
		const { result } = await to.call('POST', 'Tokens', {
			...{ content: bytes(1), expiresAt: inMs(30 * dayMs) },
		});
		const template = await to.template();
		const spare = await from.template();
		await to.call('POST', 'Identities/Self/DeletionProcesses', {});
		expect(
			refusal(await from.call('POST', 'Relationships', { relationshipTemplateId: template })),
		).toBe('400 error.platform.validation.relationship.peerIsToBeDeleted');
		await pass(15, from);
		for (const path of [
			`Files/${file}`,
			`Files/${file}/metadata`,
			`Tokens/${String(result['id'])}`,
			`RelationshipTemplates/${template}`,
		]) {
			expect(refusal(await from.call('GET', path))).toBe(notFound);
		}
		expect(refusal(await from.call('POST', 'Messages', message(to.address)))).toBe(
			'400 error.platform.validation.message.noRelationshipToRecipientExists',
		);
		expect((await from.call('GET', `RelationshipTemplates/${spare}`)).status).toBe(200);
	});
});

describe('a file', () => {
	it('is answered to its uploader with the token, and without what it knows anyway', async () => {
		const owner = await bench.account();
		const { result } = await uploadFile(owner);
		expect(Object.keys(result).sort()).toEqual([
			...['cipherHash', 'cipherSize', 'createdAt', 'createdBy', 'createdByDevice', 'deletedAt'],
			...['deletedBy', 'expiresAt', 'id', 'modifiedAt', 'modifiedBy', 'owner', 'ownerSignature'],
			'ownershipToken',
		]);
		const seen = await owner.call('GET', `Files/${String(result['id'])}/metadata`);
		expect(Object.keys(seen.result).sort()).toEqual([
			...['cipherHash', 'cipherSize', 'createdAt', 'createdBy', 'createdByDevice', 'deletedAt'],
			...['deletedBy', 'deletedByDevice', 'encryptedProperties', 'expiresAt', 'id', 'modifiedAt'],
			...['modifiedBy', 'modifiedByDevice', 'owner', 'ownerSignature', 'ownershipIsLocked'],
		]);
	});

	it('that expired is not listed, and its date must be one', async () => {
		const owner = await bench.account();
		const { result } = await uploadFile(owner, { expiresAt: inMs(60_000) });
		const list = () => owner.call('GET', `Files?ids=${String(result['id'])}`);
		expect((await list()).result).toHaveLength(1);
		sandboxOf(bench).advanceClock(60_001);
		expect((await list()).result).toEqual([]);
		expect(refusal(await uploadFile(owner, { expiresAt: 'soon' }))).toBe(
			'400 error.platform.inputCannotBeParsed',
		);
	});

	it('may have 10 MiB and no byte more', async () => {
		const owner = await bench.account();
		const limit = 10 * 1024 * 1024;
		const { result } = await uploadFile(owner, {}, new Uint8Array(limit).fill(65));
		expect(result['cipherSize']).toBe(limit);
		expect((await owner.download(String(result['id']))).length).toBe(limit);
		expect(refusal(await uploadFile(owner, {}, new Uint8Array(limit + 1)))).toBe(
			'400 InclusiveBetweenValidator',
		);
	});

	it('with a token that is none is refused before anything else', async () => {
		const owner = await bench.account();
		const { id } = (await uploadFile(owner)).result;
		const claim = `Files/${String(id)}/ClaimOwnership`;
		expect(refusal(await owner.call('PATCH', claim, { ownershipToken: 'ä' }))).toBe(
			'400 error.platform.validation.invalidPropertyValue',
		);
	});
});

describe('a token', () => {
	it('is locked by 100 wrong passwords, and its creator is told', async () => {
		const [owner, other] = [await bench.account(), await bench.account()];
		const stream = await eventStream(owner);
		const body = { content: bytes(1), expiresAt: inMs(60_000), password: 'AAAA' };
		const path = `Tokens/${String((await owner.call('POST', 'Tokens', body)).result['id'])}`;
		const guess = () => other.call('GET', `${path}?password=BBBB`);
		for (let failures = 0; failures < 99; failures++) expect((await guess()).status).toBe(404);
		const locked = '400 error.platform.token.tooManyFailedPasswordAttempts';
		expect(refusal(await guess())).toBe(locked);
		expect(refusal(await other.call('GET', `${path}?password=AAAA`))).toBe(locked);
		expect((await owner.call('GET', path)).status).toBe(200);
		await stream.reaches('TokenLocked');
		expect(await owner.sync()).toMatchObject([{ type: 'TokenLocked' }]);
		await stream.close();
	});

	it('is not filled after its time, not even by an identity that has read it', async () => {
		const other = await bench.account();
		const { result } = await bench.call('POST', '/api/v2/Tokens', { expiresAt: inMs(60_000) });
		const path = `Tokens/${String(result['id'])}`;
		expect((await other.call('GET', path)).status).toBe(200);
		sandboxOf(bench).advanceClock(60_001);
		const fill = await other.call('POST', `${path}/UpdateContent`, { newContent: bytes(1) });
		expect(refusal(fill)).toBe(notFound);
	});

	it.each([
		[6, '400 error.platform.validation.invalidPropertyValue'],
		[7, '201 undefined'],
	] as const)(
		'of an identity may be empty from Backbone 7 on: %i',
		async (majorVersion, expected) => {
			await bench.close();
			bench = await RuleBench.open({ majorVersion });
			const account = await bench.account();
			for (const content of [undefined, null, '']) {
				const answer = await account.call('POST', 'Tokens', { content, expiresAt: inMs(60_000) });
				expect(refusal(answer)).toBe(expected);
				if (majorVersion === 6) continue;
				const path = `Tokens/${String(answer.result['id'])}`;
				expect((await account.call('GET', path)).result['content']).toBeNull();
				const fill = { newContent: bytes(1) };
				expect((await account.call('POST', `${path}/UpdateContent`, fill)).status).toBe(200);
			}
		},
	);
});
