import { ownText } from '../../../core/model/json';
import type { Gateway } from '../../../core';
import { partsOf } from '../../../core/gateway/gateway-parts';
import { inOneHour, mailTo, relate, SandboxNetwork } from '../../support/gateways';
import { size } from '../../support/sizes';

/** mails that arrive, and events that do not */
const delivered = size({ quick: 600, full: 10_000 });
const lost = delivered / 10;
const lostShare = 0.1;
/** of each other kind */
const each = size({ quick: 1, full: 5 });

jest.setTimeout(1_800_000);

/** What a peer does of which no event comes. */
interface Unheard {
	/** of the relationship */
	readonly id: string;
	readonly act: () => Promise<unknown>;
	/** the relationship afterwards */
	readonly expected: object;
}

const last = (reason: string): unknown =>
	expect.arrayContaining([expect.objectContaining({ reason })]);

describe('events of all kinds that the Backbone has lost', () => {
	let network: SandboxNetwork;
	let own: Gateway;
	let address: string;

	beforeAll(async () => {
		network = await SandboxNetwork.open({ maxUnreceivedMessages: 100_000 });
		own = await network.gateway();
		({ address } = await own.account.getIdentity());
	});
	afterAll(() => network.close());

	/** Mails to the account, several at a time; answers their subjects. */
	async function sendMails(peer: Gateway, name: string, count: number): Promise<string[]> {
		const subjects = Array.from({ length: count }, (_, index) => `${name} ${index}`);
		const waiting = [...subjects];
		const sender = async (): Promise<void> => {
			for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
				await peer.messages.send(mailTo(address, next));
			}
		};
		await Promise.all(Array.from({ length: 8 }, sender));
		return subjects;
	}

	const received = async (): Promise<unknown[]> =>
		(await own.messages.list()).map(({ content }) => ownText(content, 'subject')).sort();

	const upload = (name: string) =>
		own.files.upload(
			{ filename: name, mimetype: 'text/plain', title: name, expiresAt: inOneHour() },
			Buffer.from(name),
		);

	const templateOf = (gateway: Gateway) =>
		gateway.templates.create({
			expiresAt: inOneHour(),
			maxNumberOfAllocations: 1,
			content: { '@type': 'ArbitraryRelationshipTemplateContent', value: {} },
		});

	const ask = async (gateway: Gateway, reference: string) =>
		await gateway.relationships.create({
			templateId: (await gateway.templates.loadPeer({ reference })).id,
			creationContent: { '@type': 'ArbitraryRelationshipCreationContent', value: {} },
		});

	const gateways = () => Promise.all(Array.from({ length: each }, () => network.gateway()));

	const settled = async (...peers: Gateway[]): Promise<void> => network.settle(own, ...peers);

	/** Relationships with new peers, and what each of these does unheard; the status that follows. */
	async function relationshipsOfAllKinds(): Promise<Unheard[]> {
		const unheard: Unheard[] = [];
		const connected = async (
			act: (peer: Gateway, id: string) => Promise<unknown>,
			expected: object,
			prepare: (peer: Gateway, id: string) => Promise<unknown> = () => Promise.resolve(),
		): Promise<void> => {
			for (const peer of await gateways()) {
				const { relationshipId: id } = await relate(own, peer);
				await prepare(peer, id);
				await settled();
				unheard.push({ id, act: () => act(peer, id), expected });
			}
		};
		const end = async (peer: Gateway, id: string): Promise<void> => {
			await own.relationships.terminate(id);
			await settled(peer);
		};
		await connected(({ relationships }, id) => relationships.terminate(id), {
			status: 'Terminated',
		});
		await connected(
			({ relationships }, id) => relationships.requestReactivation(id),
			{ auditLog: last('ReactivationRequested') },
			end,
		);
		await connected(
			({ relationships }, id) => relationships.acceptReactivation(id),
			{ status: 'Active', auditLog: last('AcceptanceOfReactivation') },
			async (peer, id) => {
				await end(peer, id);
				await own.relationships.requestReactivation(id);
				await settled(peer);
			},
		);
		await connected(
			({ relationships }, id) => relationships.decompose(id),
			{ status: 'DeletionProposed' },
			end,
		);
		await connected(({ identityDeletion }) => identityDeletion.initiate(), {
			peerDeletionInfo: expect.objectContaining({ deletionStatus: 'ToBeDeleted' }),
		});
		await connected(
			({ identityDeletion }) => identityDeletion.cancel(),
			{ peerDeletionInfo: undefined },
			({ identityDeletion }) => identityDeletion.initiate(),
		);
		await connected(
			async ({ identityDeletion }) => {
				await identityDeletion.initiate({ lengthOfGracePeriodInDays: 0 });
				network.backbone.advanceClock(1_000);
				network.backbone.runJobs();
			},
			{ peerDeletionInfo: expect.objectContaining({ deletionStatus: 'Deleted' }) },
		);
		for (const peer of await gateways()) {
			const { id } = await ask(own, (await templateOf(peer)).truncatedReference);
			await settled(peer);
			const act = () => peer.relationships.accept(id);
			unheard.push({ id, act, expected: { status: 'Active' } });
		}
		for (const peer of await gateways()) {
			const { id } = await ask(own, (await templateOf(peer)).truncatedReference);
			await settled(peer);
			const act = () => peer.relationships.reject(id);
			unheard.push({ id, act, expected: { status: 'Rejected' } });
		}
		for (const peer of await gateways()) {
			const { id } = await ask(peer, (await templateOf(own)).truncatedReference);
			await settled(peer);
			const act = () => peer.relationships.revoke(id);
			unheard.push({ id, act, expected: { status: 'Revoked' } });
		}
		return unheard;
	}

	it('are found by one run, and a run with nothing to find is cheap', async () => {
		const { queues, calls, deletions, state } = network.backbone;
		const unheard = await relationshipsOfAllKinds();
		const mailing = await network.gateway();
		await relate(own, mailing);
		const uploads = async (name: string) =>
			await Promise.all(Array.from({ length: each }, (_, index) => upload(`${name} ${index}`)));
		const [claimed, locked] = [await uploads('claimed'), await uploads('locked')];
		await settled();

		// The requests arrive, and a foreign one does not.
		queues.drop({ owner: address, type: 'RelationshipTemplateAllocationsExhausted' });
		for (const peer of await gateways()) {
			const { id } = await ask(peer, (await templateOf(own)).truncatedReference);
			await network.arrives(own, async () =>
				(await own.relationships.list()).some((one) => one.id === id),
			);
		}

		queues.drop({ owner: address });
		for (const { act } of unheard) await act();
		for (const { truncatedReference: reference, ownershipToken = '' } of claimed) {
			const { id } = await mailing.files.getOrLoad({ reference });
			await mailing.files.claimOwnership(id, ownershipToken);
		}
		for (const { truncatedReference: reference } of locked) {
			const { id } = await mailing.files.getOrLoad({ reference });
			await mailing.files.validateOwnershipToken(id, 'a-token-of-no-value');
		}
		const row = state.identities.get(address);
		if (row === undefined) throw new Error('The sandbox does not know the account');
		const planned = deletions.start(row, 'support');
		deletions.cancel(row, planned, 'support');
		queues.restore();

		queues.drop({ owner: address, type: 'MessageReceived', share: lostShare });
		const subjects: string[] = [];
		const isEnough = (): boolean =>
			queues.dropped.length >= lost && subjects.length - lostMails().length >= delivered;
		for (let batch = 0; !isEnough(); batch++) {
			subjects.push(...(await sendMails(mailing, `mail ${batch}`, 100)));
		}
		queues.restore();
		await settled();
		expect(await received()).toHaveLength(subjects.length - lostMails().length);

		calls.clear();
		const begun = Date.now();
		const report = await own.account.reconcile();
		const figures = {
			delivered: subjects.length - lostMails().length,
			dropped: queues.dropped.length,
			durationMs: Date.now() - begun,
			calls: calls.entries.length,
			report,
		};
		expect(await received()).toEqual([...subjects].sort());
		expect(report).toMatchObject({
			relationships: { found: unheard.length },
			messages: { found: lostMails().length },
			files: { found: claimed.length + locked.length },
			templates: { found: each },
			deletionProcesses: { found: 1 },
		});
		for (const { id, expected } of unheard) {
			const { auditLog, peerDeletionInfo, status } = await own.relationships.get(id);
			expect({ auditLog, peerDeletionInfo, status }).toMatchObject(expected);
		}
		for (const { id } of claimed) expect((await own.files.get(id)).isOwn).toBe(false);
		for (const { id } of locked) {
			expect(await own.files.get(id)).toMatchObject({ ownershipIsLocked: true });
		}
		expect((await own.identityDeletion.get(planned.id)).status).toBe('Cancelled');
		const told = await own.events.recent(
			{ names: ['transport.relationshipTemplateAllocationsExhausted'] },
			100,
		);
		// Those whose event was lost, and the ones of the requests that were withdrawn.
		expect(told).toHaveLength(2 * each);

		calls.clear();
		expect(await own.account.reconcile()).toMatchObject({
			relationships: { found: 0 },
			messages: { found: 0 },
			files: { found: 0 },
			templates: { found: 0 },
			deletionProcesses: { found: 0 },
		});
		expect(calls.entries.length).toBeLessThanOrEqual(10);
		const shown = { ...figures, callsOfTheNext: calls.entries.length };
		if (delivered > 1_000) process.stderr.write(`${JSON.stringify(shown)}\n`);
		expect((await own.account.getSyncStatus()).lastReconciliation?.completedAt).toBeDefined();
	});

	const lostMails = () =>
		network.backbone.queues.dropped.filter(({ type }) => type === 'MessageReceived');

	it('are looked for again daily, and a list without an answer does not end the sync', async () => {
		const { store } = partsOf(own);
		const { faults } = network.backbone;
		const setDue = () =>
			store.transact(async (tx) => {
				const state = (await tx.syncState.get('sync'))?.record;
				if (state?.reconciliation === undefined) throw new Error('nothing was compared');
				const reconciliation = { ...state.reconciliation, dueAt: '2020-01-01T00:00:00.000Z' };
				await tx.syncState.update({ ...state, reconciliation });
			});
		const before = (await own.account.getSyncStatus()).lastReconciliation;
		await setDue();
		const action = { kind: 'malformedBody' } as const;
		faults.add({ method: 'GET', path: /Messages\?/, times: 1_000, action });
		await own.account.sync();
		expect((await own.account.getSyncStatus()).lastReconciliation).toEqual(before);
		faults.clear();
		await setDue();
		await own.account.sync();
		expect((await own.account.getSyncStatus()).lastReconciliation).not.toEqual(before);
	});
});
