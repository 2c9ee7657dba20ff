import { GatewayError } from '../../../core/base/errors';
import type { InboxEvent } from '../../../core/model/record/sync';
import type { WriteTransaction } from '../../../core/store/store';
import { prepareStep } from '../../../core/sync/steps';
import type { ChangedIds, StepServices } from '../../../core/sync/steps/step';

const tx = {} as WriteTransaction;
const { signal } = new AbortController();

/** Calls of the services, in order. */
let calls: unknown[][];
beforeEach(() => {
	calls = [];
});

/** A service whose calls are noted, and which answers with the given values. */
const service = (name: string, answers: Readonly<Record<string, unknown>>): object =>
	Object.fromEntries(
		Object.entries(answers).map(([method, answer]) => [
			method,
			(...given: unknown[]) => {
				calls.push([`${name}.${method}`, ...given]);
				return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
			},
		]),
	);

const eventOf = (type: string, payload: InboxEvent['payload']): InboxEvent => ({
	...{ id: 'SYI1', runId: 'SYR1', type, index: 0, createdAt: '2030-01-01T00:00:00.000Z' },
	...{ payload, state: 'pending', attempts: 0 },
});

const apply = async (
	type: string,
	payload: InboxEvent['payload'],
	services: Record<string, object>,
): Promise<ChangedIds> => {
	const given = services as unknown as StepServices;
	const prefetched = { messages: new Map(), reviewedSenders: new Set<string>() };
	const step = await prepareStep(eventOf(type, payload), given, prefetched, { signal });
	return await step(tx);
};

const failure = (code: GatewayError['code']): GatewayError =>
	new GatewayError({ code, kind: 'notFound', message: 'Failed.' });

describe('an event of a relationship', () => {
	const payload = { relationshipId: 'REL1' };
	const fetched = { wire: { id: 'REL1' } };

	it.each([
		['RelationshipStatusChanged', undefined],
		['RelationshipReactivationRequested', 'transport.relationshipReactivationRequested'],
		['RelationshipReactivationCompleted', 'transport.relationshipReactivationCompleted'],
	])('of the type %s applies its state, and publishes first: %s', async (type, published) => {
		const relationships = service('relationships', { fetch: fetched, receive: undefined });
		expect(await apply(type, payload, { relationships })).toEqual(payload);
		expect(calls).toEqual([
			['relationships.fetch', 'REL1', { signal }],
			['relationships.receive', tx, fetched, published],
		]);
	});

	it('changes nothing after the relationship was decomposed', async () => {
		const fetch = failure('error.platform.validation.relationship.relationshipAlreadyDecomposed');
		const relationships = service('relationships', { fetch, receive: undefined });
		expect(await apply('RelationshipStatusChanged', payload, { relationships })).toEqual({});
		expect(calls).toHaveLength(1);
	});

	it('fails if the relationship cannot be fetched', async () => {
		const fetch = failure('error.runtime.recordNotFound');
		const relationships = service('relationships', { fetch });
		await expect(apply('RelationshipStatusChanged', payload, { relationships })).rejects.toBe(
			fetch,
		);
	});
});

describe('an event of the deletion of a peer', () => {
	const deletionDate = '2030-02-01T00:00:00.000Z';
	const payload = { relationshipId: 'REL1', deletionDate };
	const planned = { deletionStatus: 'ToBeDeleted', deletionDate };
	const deleted = { deletionStatus: 'Deleted', deletionDate };

	const applied = async (type: string, isPeerToBeDeleted: boolean | undefined) => {
		const answers = { isPeerToBeDeleted, applyPeerDeletion: undefined };
		const relationships = service('relationships', answers);
		expect(await apply(type, payload, { relationships })).toEqual({ relationshipId: 'REL1' });
		return calls.filter(([name]) => name === 'relationships.applyPeerDeletion');
	};
	const call = (info: unknown) => ['relationships.applyPeerDeletion', tx, 'REL1', info];

	it.each([
		['PeerToBeDeleted', true, planned],
		['PeerToBeDeleted', undefined, planned],
		['PeerDeletionCancelled', false, undefined],
		['PeerDeletionCancelled', undefined, undefined],
	])('of the type %s is applied if the Backbone says %s', async (type, answer, info) => {
		expect(await applied(type, answer)).toStrictEqual([call(info)]);
		expect(calls[0]).toEqual(['relationships.isPeerToBeDeleted', 'REL1', { signal }]);
	});

	it.each([
		['PeerToBeDeleted', false],
		['PeerDeletionCancelled', true],
	])('of the type %s is outdated if the Backbone says %s', async (type, answer) => {
		expect(await applied(type, answer)).toEqual([]);
	});

	it('that is complete needs no answer of the Backbone', async () => {
		expect(await applied('PeerDeleted', true)).toEqual([call(deleted)]);
		expect(calls).toHaveLength(1);
	});

	it('that is cancelled needs no date', async () => {
		const answers = { isPeerToBeDeleted: false, applyPeerDeletion: undefined };
		const relationships = service('relationships', answers);
		await apply('PeerDeletionCancelled', { relationshipId: 'REL1' }, { relationships });
		expect(calls[1]).toStrictEqual(call(undefined));
	});
});

describe('an event of the deletion of the own identity', () => {
	const payload = { deletionProcessId: 'IDP1' };
	const types = ['IdentityDeletionProcessStarted', 'IdentityDeletionProcessStatusChanged'];

	it.each(types)('of the type %s applies the process', async (type) => {
		const process = { id: 'IDP1' };
		const identityDeletion = service('deletion', { fetch: process, receive: undefined });
		expect(await apply(type, payload, { identityDeletion })).toEqual(payload);
		expect(calls).toEqual([
			['deletion.fetch', 'IDP1', { signal }],
			['deletion.receive', tx, process],
		]);
	});

	it('changes nothing if the Backbone has removed the process', async () => {
		const fetch = failure('error.runtime.recordNotFound');
		const identityDeletion = service('deletion', { fetch });
		expect(await apply(types[0] ?? '', payload, { identityDeletion })).toEqual({});
	});

	it('fails for other reasons', async () => {
		const fetch = failure('error.platform.forbidden');
		const identityDeletion = service('deletion', { fetch });
		await expect(apply(types[0] ?? '', payload, { identityDeletion })).rejects.toBe(fetch);
	});
});

describe('an event of another object', () => {
	it('applies the lock of a file', async () => {
		const fileOwnership = service('files', { applyLock: undefined });
		const payload = { fileId: 'FIL1' };
		expect(await apply('FileOwnershipLocked', payload, { fileOwnership })).toEqual(payload);
		expect(calls).toEqual([['files.applyLock', tx, 'FIL1']]);
	});

	it('applies the transfer of a file to the owner that the Backbone names', async () => {
		const answers = { ownerAfterClaim: 'did:e:current', applyClaim: undefined };
		const fileOwnership = service('files', answers);
		const payload = { fileId: 'FIL1', newOwnerAddress: 'did:e:new' };
		expect(await apply('FileOwnershipClaimed', payload, { fileOwnership })).toEqual({
			fileId: 'FIL1',
		});
		expect(calls).toEqual([
			['files.ownerAfterClaim', 'FIL1', 'did:e:new', { signal }],
			['files.applyClaim', tx, 'FIL1', 'did:e:current'],
		]);
	});

	it('publishes that a template was used for the last time', async () => {
		const templates = service('templates', { publishExhausted: undefined });
		const payload = { relationshipTemplateId: 'RLT1' };
		const type = 'RelationshipTemplateAllocationsExhausted';
		expect(await apply(type, payload, { templates })).toEqual({});
		expect(calls).toEqual([['templates.publishExhausted', tx, 'RLT1']]);
	});

	it('reads the delivery of an own message', async () => {
		const wire = { id: 'MSG1' };
		const receipt = service('receipt', { fetch: wire, noteDelivery: undefined });
		expect(await apply('MessageDelivered', { id: 'MSG1' }, { messages: { receipt } })).toEqual({
			messageId: 'MSG1',
		});
		expect(calls).toEqual([
			['receipt.fetch', 'MSG1', { signal }],
			['receipt.noteDelivery', tx, wire],
		]);
	});

	it('of an unknown type changes nothing', async () => {
		expect(await apply('KindOfLater', {}, {})).toEqual({});
	});
});

describe('an event that cannot be read', () => {
	it.each([
		['', {}, { eventId: 'SYI1' }],
		['PeerDeleted', { relationshipId: 'REL1' }, { eventId: 'SYI1', type: 'PeerDeleted' }],
	])('of the type "%s" fails with its facts', async (type, payload, facts) => {
		await expect(apply(type, payload, {})).rejects.toMatchObject({
			...{ code: 'error.transport.unknown', facts },
		});
	});
});
