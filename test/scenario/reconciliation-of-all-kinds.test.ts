import type { Gateway } from '../../core';
import { inOneHour, mailTo, relate, SandboxNetwork } from '../support/gateways';

const isFull = process.env['ENMESHED_TEST_FULL'] !== undefined;
const size = isFull ? 10_000 : 600;
const lostShare = 0.1;

jest.setTimeout(isFull ? 1_800_000 : 120_000);

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
		(await own.messages.list()).map(({ content }) => content['subject']).sort();

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

	it('are found by one run, and a run with nothing to find is cheap', async () => {
		const { queues, calls } = network.backbone;
		const [leaving, returning, mailing, accepting, asking] = await Promise.all(
			Array.from({ length: 5 }, () => network.gateway()),
		);
		if (!leaving || !returning || !mailing || !accepting || !asking) throw new Error('no gateways');
		const left = await relate(own, leaving);
		const back = await relate(own, returning);
		await relate(own, mailing);
		const { truncatedReference: toAccept } = await templateOf(accepting);
		const accepted = await ask(own, toAccept);
		await network.settle(accepting);
		const [claimed, locked] = [await upload('claimed'), await upload('locked')];
		const usedUp = await templateOf(own);
		await network.settle(own);

		queues.drop({ owner: address, type: 'RelationshipTemplateAllocationsExhausted' });
		const asked = await ask(asking, usedUp.truncatedReference);
		await network.settle(own);
		expect((await own.relationships.get(asked.id)).status).toBe('Pending');

		queues.drop({ owner: address });
		await leaving.relationships.terminate(left.relationshipId);
		await returning.relationships.terminate(back.relationshipId);
		await returning.relationships.requestReactivation(back.relationshipId);
		await accepting.relationships.accept(accepted.id);
		const loaded = await mailing.files.getOrLoad({ reference: claimed.truncatedReference });
		await mailing.files.claimOwnership(loaded.id, claimed.ownershipToken ?? '');
		await mailing.files.getOrLoad({ reference: locked.truncatedReference });
		await mailing.files.validateOwnershipToken(locked.id, 'a-token-of-no-value');
		queues.restore();

		queues.drop({ owner: address, type: 'MessageReceived', share: lostShare });
		const subjects = await sendMails(mailing, 'mail', size);
		queues.restore();
		await network.settle(own);
		const lost = queues.dropped.length;
		expect(lost).toBeGreaterThan((size * lostShare) / 2);
		expect((await received()).length).toBeLessThan(size);

		const begun = Date.now();
		const report = await own.account.reconcile();
		if (isFull) {
			const durationMs = Date.now() - begun;
			process.stderr.write(`${JSON.stringify({ lost, durationMs, report })}\n`);
		}
		expect(await received()).toEqual([...subjects].sort());
		expect(report.messages.found).toBe(
			queues.dropped.filter(({ type }) => type === 'MessageReceived').length,
		);
		const statusOf = async (id: string) => (await own.relationships.get(id)).status;
		expect(await statusOf(left.relationshipId)).toBe('Terminated');
		expect(await statusOf(accepted.id)).toBe('Active');
		expect((await own.relationships.get(back.relationshipId)).auditLog.at(-1)?.reason).toBe(
			'ReactivationRequested',
		);
		expect(report).toMatchObject({
			relationships: { found: 3 },
			files: { found: 2 },
			templates: { found: 1 },
		});
		expect(await own.files.get(locked.id)).toMatchObject({ ownershipIsLocked: true });
		expect((await own.files.get(claimed.id)).isOwn).toBe(false);
		const told = await own.events.recent(
			{ names: ['transport.relationshipTemplateAllocationsExhausted'] },
			10,
		);
		expect(told).toHaveLength(1);

		calls.clear();
		expect(await own.account.reconcile()).toMatchObject({
			relationships: { found: 0 },
			messages: { found: 0 },
			files: { found: 0 },
			templates: { found: 0 },
		});
		expect(calls.entries.length).toBeLessThanOrEqual(10);
		expect((await own.account.getSyncStatus()).lastReconciliation?.completedAt).toBeDefined();
	});

	it('are looked for again daily, and a list without an answer does not end the sync', async () => {
		const { store } = own['parts'];
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
