import { ownText } from '../../../../core/model/json';
import { asSecretKey } from '../../../../core/crypto/keys';
import type { ObserverTable } from '../../../../core/domain/observers';
import { hashPeerAddress, rememberLeftPeer } from '../../../../core/domain/left-peer';
import { empty, failureOf, problem, result, type Responder } from '../../backbone/fixture-server';
import { intentRecord, messageRecord, messageSecrets } from '../../../support/records';
import { own, peers, relationshipWith, SendBench, type SendingProcess } from './send-bench';

const [bob, carol] = peers as [string, string];

let bench: SendBench;
let started: SendingProcess;
let message: Responder;
let metadata: Responder;

beforeEach(async () => {
	message = problem(404, 'error.platform.recordNotFound');
	metadata = problem(404, 'error.platform.recordNotFound');
	const answerMetadata: Responder = (request, response) => metadata(request, response);
	bench = await SendBench.open({
		'GET /api/v2/Messages/MSG1': (request, response) => message(request, response),
		'GET /api/v2/Files/FIL1/metadata': answerMetadata,
		'GET /api/v2/Files/FIL2/metadata': answerMetadata,
	});
	started = await bench.start();
});
afterEach(() => bench.close());

const receive = (wire: ReturnType<SendBench['received']>) =>
	started.store.transact((tx) => started.messageReceipt.receive(tx, wire));

const stored = (id = 'MSG1') => started.store.read((tx) => tx.messages.get(id));

const decompose = (peer: string, leftAt: string) =>
	started.store.transact((tx) => rememberLeftPeer(tx, peer, leftAt, leftAt));

const relationshipOf = async (peer: string) => {
	const where = [{ field: 'peer', op: 'eq', value: peer }] as const;
	const entry = await started.store.read((tx) => tx.relationships.first({ where }));
	if (entry === undefined) throw new Error('There is no such relationship');
	return entry;
};

const deleteRelationship = async (peer: string): Promise<void> => {
	const { record } = await relationshipOf(peer);
	await started.store.transact((tx) => tx.relationships.delete(record.id));
};

describe('receiving a message', () => {
	it('stores and publishes it', async () => {
		const content = { '@type': 'ArbitraryMessageContent', value: 'Hello' };
		const wire = bench.received('MSG1', { content });
		await receive(wire);
		const { record: relationship } = await relationshipOf(bob);
		expect((await stored())?.record).toStrictEqual({
			...{ id: 'MSG1', isOwn: false, createdBy: bob, createdByDevice: 'DVCpeer' },
			createdAt: wire.createdAt,
			content,
			recipients: [{ address: own, relationshipId: relationship.id }],
			attachments: [],
			identity: expect.any(String),
			signedAt: expect.stringMatching(/Z$/),
		});
		expect(Object.keys((await stored())?.secrets ?? {})).toEqual(['messageKey']);
		const events = await started.store.read((tx) => tx.outbox.readAfter(0, 10));
		expect(events).toMatchObject([
			{ name: 'transport.messageReceived', peer: bob, subject: 'MSG1', data: { content } },
		]);
	});

	it('notes when and by which device it was received', async () => {
		const wire = bench.received('MSG1');
		const [recipient] = wire.recipients;
		const seen = { receivedAt: '2030-01-01T00:00:00.000Z', receivedByDevice: 'DVCown' };
		const entry = { ...(recipient as NonNullable<typeof recipient>), ...seen };
		const others = { ...entry, address: carol, receivedByDevice: 'DVCother' };
		await receive({ ...wire, recipients: [others, entry] });
		expect((await stored())?.record.recipients).toMatchObject([{ address: own, ...seen }]);
	});

	it('is observed', async () => {
		const observed: unknown[] = [];
		bench.observers.connect({
			messageReceived: [
				{
					messageReceived: (_tx: unknown, { id }: { readonly id: string }) => {
						observed.push(id);
						return Promise.resolve();
					},
				},
			],
		} as unknown as ObserverTable);
		await receive(bench.received('MSG1'));
		expect(observed).toEqual(['MSG1']);
	});

	it('changes nothing if the message is stored', async () => {
		for (const value of ['first', 'second']) {
			await receive(
				bench.received('MSG1', { content: { '@type': 'ArbitraryMessageContent', value } }),
			);
		}
		expect(ownText((await stored())?.record.content, 'value')).toBe('first');
		expect(await bench.published()).toEqual(['transport.messageReceived']);
	});

	it('keeps the keys of its attachments', async () => {
		const key = asSecretKey('A'.repeat(43));
		const attachments = [{ id: 'FIL1', key }];
		await receive({ ...bench.received('MSG1', { attachments }), attachments: [{ id: 'FIL1' }] });
		expect((await stored())?.record.attachments).toEqual(['FIL1']);
		expect((await stored())?.secrets.attachments).toEqual([{ id: 'FIL1', key }]);
	});
});

describe('a message of a decomposed relationship', () => {
	const at = '2029-12-31T12:00:00.000Z';
	const later = '2029-12-31T12:00:00.001Z';
	const earlier = '2029-12-31T11:59:59.999Z';

	it.each([
		['at', at],
		['before', later],
	])('that was sent %s the decomposition is discarded', async (_when, leftAt) => {
		await deleteRelationship(bob);
		await decompose(bob, leftAt);
		await receive(bench.received('MSG1'));
		expect(await stored()).toBeUndefined();
	});

	it('that was sent after the decomposition has no relationship yet', async () => {
		await deleteRelationship(bob);
		await decompose(bob, earlier);
		const error = await failureOf(receive(bench.received('MSG1')));
		expect(error['code']).toBe('error.transport.recordNotFound');
	});

	it('of a peer that was never left has no relationship yet', async () => {
		await deleteRelationship(bob);
		const error = await failureOf(receive(bench.received('MSG1')));
		expect(error['code']).toBe('error.transport.recordNotFound');
	});

	it.each([
		[later, true, false],
		[at, true, true],
		[later, false, true],
	])(
		'older than the current one of %s, with a decomposition: %s, is stored: %s',
		async (createdAt, hasLeft, isStored) => {
			const { record } = await relationshipOf(bob);
			await started.store.transact((tx) => tx.relationships.update({ ...record, createdAt }));
			// The decomposition itself may be older than the message by the clocks of several servers.
			if (hasLeft) await decompose(bob, earlier);
			await receive(bench.received('MSG1'));
			expect((await stored()) !== undefined).toBe(isStored);
		},
	);

	it('is recognised by the mark of its event', () => {
		const { messageReceipt: receipt } = started;
		const wire = bench.received('MSG1');
		expect(receipt.isFromDecomposedRelationship(wire, [hashPeerAddress(bob)])).toBe(true);
		expect(receipt.isFromDecomposedRelationship(wire, [hashPeerAddress(carol)])).toBe(false);
	});

	it('that the Backbone does not show any more is left out', async () => {
		const { messageReceipt: receipt } = started;
		const hidden = await failureOf(receipt.fetchIfShown('MSG1', [], {}));
		expect(hidden['code']).toBe('error.runtime.recordNotFound');
		expect(await receipt.fetchIfShown('MSG1', ['hash'], {})).toBeUndefined();
		await decompose(carol, at);
		expect(await receipt.fetchIfShown('MSG1', [], {})).toBeUndefined();
		message = empty(503);
		const away = await failureOf(receipt.fetchIfShown('MSG1', ['hash'], {}));
		expect(away['kind']).toBe('unavailable');
		const wire = bench.received('MSG1');
		message = result(wire);
		expect(await receipt.fetchIfShown('MSG1', [], {})).toMatchObject({ body: wire.body });
	});
});

describe('the keys for a received message', () => {
	it.each(['with other keys', 'without keys'])(
		'are the ones of a former relationship if the current one is %s',
		async (current) => {
			const former = await relationshipOf(bob);
			const { secrets } = await relationshipOf(carol);
			const createdAt = '2029-12-30T00:00:00.000Z';
			const template = { secretKey: '' };
			await started.store.transact((tx) =>
				tx.relationships.insert(
					{ ...relationshipWith('RELnew', bob), createdAt },
					current === 'without keys' ? { template } : { ...secrets, template },
				),
			);
			await receive(bench.received('MSG1'));
			expect((await stored())?.record.recipients).toEqual([
				{ address: own, relationshipId: former.record.id },
			]);
		},
	);

	it('may fit none of the relationships', async () => {
		const { secrets } = await relationshipOf(carol);
		const { record } = await relationshipOf(bob);
		await started.store.transact((tx) =>
			tx.relationships.insert(
				{ ...record, id: 'RELnew', createdAt: '2029-12-30T00:00:00.000Z' },
				secrets,
			),
		);
		const error = await failureOf(receive(bench.received('MSG1', { sender: 2, createdBy: bob })));
		expect(error['code']).toBe('error.crypto.encryption.decrypt');
	});

	it('are the ones of the first relationship that fits, after others that do not', async () => {
		const former = await relationshipOf(bob);
		const { secrets } = await relationshipOf(carol);
		await started.store.transact(async (tx) => {
			for (const [index, id] of ['RELnewer', 'RELnewest'].entries()) {
				const createdAt = `2029-12-30T00:00:0${index}.000Z`;
				await tx.relationships.insert({ ...relationshipWith(id, bob), createdAt }, secrets);
			}
		});
		await receive(bench.received('MSG1'));
		expect((await stored())?.record.recipients).toEqual([
			{ address: own, relationshipId: former.record.id },
		]);
	});

	it('show why a message of a former relationship cannot be opened', async () => {
		const { secrets } = await relationshipOf(carol);
		const createdAt = '2029-12-30T00:00:00.000Z';
		await started.store.transact((tx) =>
			tx.relationships.insert({ ...relationshipWith('RELnew', bob), createdAt }, secrets),
		);
		// The sender has signed it for another recipient.
		const error = await failureOf(receive(bench.received('MSG1', { sealedFor: carol })));
		expect(error['code']).toBe('error.transport.messages.signatureListMismatch');
	});

	it('are not searched for after another failure', async () => {
		const wire = bench.received('MSG1');
		const error = await failureOf(receive({ ...wire, recipients: [] }));
		expect(error['code']).toBe('error.transport.messages.ownAddressNotInList');
	});
});

describe('attachments of a received message', () => {
	const key = asSecretKey('A'.repeat(43));
	const withFiles = (listed: readonly string[], named: readonly string[]) => ({
		...bench.received('MSG1', { attachments: named.map((id) => ({ id, key })) as never }),
		attachments: listed.map((id) => ({ id })),
	});
	const calls = (): number[] => ['FIL1', 'FIL2'].map((id) => bench.callsTo(`Files/${id}/metadata`));
	const load = (wire: ReturnType<typeof withFiles>) =>
		started.messageReceipt.loadAttachments(wire, {});

	it('are loaded if the Backbone lists them, each once', async () => {
		expect(await load(withFiles(['FIL1'], ['FIL1', 'FIL1', 'FIL2']))).toEqual([]);
		expect(calls()).toEqual([1, 0]);
	});

	it('are not loaded for a message without any, or for a message that is stored or discarded', async () => {
		expect(await load(withFiles([], ['FIL1']))).toEqual([]);
		await receive(bench.received('MSG1'));
		expect(await load(withFiles(['FIL1'], ['FIL1']))).toEqual([]);
		await started.store.transact((tx) => tx.messages.delete('MSG1'));
		await deleteRelationship(bob);
		await decompose(bob, '2030-01-01T00:00:00.000Z');
		expect(await load(withFiles(['FIL1'], ['FIL1']))).toEqual([]);
		expect(calls()).toEqual([0, 0]);
	});

	it('that are gone do not hold up the others', async () => {
		expect(await load(withFiles(['FIL1', 'FIL2'], ['FIL1', 'FIL2']))).toEqual([]);
		expect(calls()).toEqual([1, 1]);
	});

	it('wait with the message if the Backbone does not answer', async () => {
		metadata = empty(503);
		const error = await failureOf(load(withFiles(['FIL1', 'FIL2'], ['FIL1', 'FIL2'])));
		expect(error['kind']).toBe('unavailable');
		expect(calls()[1]).toBe(0);
	});

	it('are unknown to a message that does not name them', async () => {
		await receive(withFiles(['FIL1'], ['FIL1']));
		const { messageAttachments: attachments } = started;
		const other = await failureOf(attachments.get('MSG1', 'FIL2'));
		expect([other['code'], other['facts']]).toEqual([
			'error.runtime.messages.fileNotFoundInMessage',
			{ messageId: 'MSG1', fileId: 'FIL2' },
		]);
		const gone = await failureOf(attachments.get('MSG1', 'FIL1'));
		expect(gone['code']).toBe('error.runtime.recordNotFound');
		expect(calls()).toEqual([1, 0]);
		const unknown = await failureOf(attachments.list('MSG9'));
		expect(unknown['facts']).toEqual({ messageId: 'MSG9' });
	});

	it('without a kept key cannot be loaded', async () => {
		const record = messageRecord('MSG1', { attachments: ['FIL1'] });
		await started.store.transact((tx) => tx.messages.insert(record, messageSecrets));
		const error = await failureOf(started.messageAttachments.get('MSG1', 'FIL1'));
		expect(error['code']).toBe('error.runtime.recordNotFound');
		expect(calls()).toEqual([0, 0]);
	});
});

describe('the delivery of a sent message', () => {
	const sent = messageRecord('MSG1', {
		isOwn: true,
		createdBy: own,
		recipients: [
			{ address: bob, relationshipId: 'REL1' },
			{ address: carol, relationshipId: 'REL2' },
		],
	});
	const wireOf = (
		createdBy: string,
		receivedAt: string | null,
		receivedByDevice: string | null,
	) => ({
		...bench.received('MSG1', { createdBy }),
		recipients: [
			{ address: bob, encryptedKey: 'A'.repeat(40), receivedAt, receivedByDevice },
			{ address: carol, encryptedKey: 'A'.repeat(40), receivedAt: null, receivedByDevice: null },
		],
	});
	const note = (wire: ReturnType<typeof wireOf>) =>
		started.store.transact((tx) => started.messageReceipt.noteDelivery(tx, wire));
	const add = (record = sent) =>
		started.store.transact((tx) => tx.messages.insert(record, messageSecrets));
	const at = '2030-01-01T00:00:00.000Z';

	it('is stored and published once', async () => {
		await add();
		for (let times = 0; times < 2; times++) await note(wireOf(own, at, 'DVCbob'));
		expect((await stored())?.record.recipients).toStrictEqual([
			{ address: bob, relationshipId: 'REL1', receivedAt: at, receivedByDevice: 'DVCbob' },
			{ address: carol, relationshipId: 'REL2' },
		]);
		expect(await bench.published()).toEqual(['transport.messageDelivered']);
	});

	it('changes nothing as long as no recipient has fetched it', async () => {
		await add();
		await note(wireOf(own, null, null));
		expect((await stored())?.record).toStrictEqual(sent);
		expect(await bench.published()).toEqual([]);
	});

	it('leaves received messages alone', async () => {
		const received = { ...sent, isOwn: false, createdBy: bob };
		await add(received);
		await note(wireOf(bob, at, 'DVCbob'));
		expect((await stored())?.record).toStrictEqual(received);
	});

	it('comes too early while a send is open, else it is about a decomposed relationship', async () => {
		await note(wireOf(own, at, null));
		const ended = intentRecord('SND0', { state: 'sent', idempotencyKey: 'once' });
		await started.store.transact((tx) => tx.sendIntents.insert(ended, messageSecrets));
		await note(wireOf(own, at, null));
		await started.store.transact((tx) =>
			tx.sendIntents.insert(intentRecord('SND1'), messageSecrets),
		);
		const error = await failureOf(note(wireOf(own, at, null)));
		expect([error['code'], error['facts']]).toEqual([
			'error.gateway.messages.deliveredTooEarly',
			{ messageId: 'MSG1' },
		]);
		await note(wireOf(bob, at, null));
		expect(await stored()).toBeUndefined();
	});
});
