import type { WireRelationship } from '../../../../core/backbone/dto';
import { generateExchangeKeyPair } from '../../../../core/crypto/exchange-keys';
import { systemRandom } from '../../../../core/base/random';
import { failureOf } from '../../backbone/fixture-server';
import { id, RelationshipBench, templateId } from './relationship-bench';

let bench: RelationshipBench;
beforeEach(async () => {
	bench = await RelationshipBench.open();
});
afterEach(() => bench.close());

const receive = (wire: WireRelationship, wasKnown = false) =>
	bench.store.transact((tx) => bench.relationships.receive(tx, { wire, wasKnown }));

const missing = { code: 'error.transport.recordNotFound', facts: { relationshipId: id } };
const unknownTemplate = {
	code: 'error.gateway.relationships.unknownTemplate',
	facts: { relationshipId: id },
};
const forged = { code: 'error.transport.signatureNotValid', facts: { relationshipId: 'REL2' } };

const content = { '@type': 'ArbitraryRelationshipCreationContent', value: 'Hello' };

describe('a relationship that a peer has created', () => {
	it('is stored with its template, and published', async () => {
		await bench.addTemplate('us');
		await receive(bench.created());
		expect(await bench.record()).toMatchObject({
			...{ id, status: 'Pending', createdByUs: false, creationContent: content, templateId },
			...{ peer: bench.peer.address, peerPublicKey: bench.peer.identityKeys.publicKey },
			createdAt: bench.now,
			template: { id: templateId },
		});
		expect(await bench.record()).not.toHaveProperty('peerGeneration');
		const secrets = await bench.secrets();
		expect(Object.keys(secrets ?? {}).sort()).toEqual(['established', 'template']);
		expect(secrets?.template).toEqual({ secretKey: 'A'.repeat(43) });
		expect(await bench.published()).toEqual(['transport.relationshipChanged']);
		expect(bench.notified).toEqual(['relationshipArrived REL1']);
	});

	it('is observed as accepted too if it was accepted before it arrived', async () => {
		await bench.addTemplate('us');
		const auditLog = [
			bench.wireEntry('peer', 'Creation'),
			bench.wireEntry('us', 'AcceptanceOfCreation', 1),
		];
		await receive(bench.created({ status: 'Active', auditLog }));
		expect(bench.notified).toEqual(['relationshipArrived REL1', 'relationshipAccepted REL1']);
	});

	it('tells that the identity of the peer is deleted already', async () => {
		await bench.addTemplate('us');
		const auditLog = [
			bench.wireEntry('peer', 'Creation'),
			bench.wireEntry('peer', 'DecompositionDueToIdentityDeletion', 1),
		];
		await receive(bench.created({ status: 'DeletionProposed', auditLog }));
		expect(await bench.record()).toMatchObject({ peerDeletionInfo: { deletionStatus: 'Deleted' } });
	});

	it.each<[string, Partial<WireRelationship>, object]>([
		['the template', { relationshipTemplateId: 'RLT9' }, unknownTemplate],
		[
			'the deleted template',
			{ relationshipTemplateId: null, creationContent: null },
			unknownTemplate,
		],
		['the creation content', { creationContent: null }, missing],
	])('cannot be opened without %s', async (_what, parts, failure) => {
		await bench.addTemplate('us');
		expect(await failureOf(receive(bench.created(parts)))).toMatchObject(failure);
		expect(await bench.record()).toBeUndefined();
	});

	it('cannot be opened without the private key of its template', async () => {
		await bench.addTemplate('peer');
		expect(await failureOf(receive(bench.created()))).toMatchObject(missing);
	});

	it('is refused when it repeats another one', async () => {
		await bench.addTemplate('us');
		const wire = bench.created();
		await receive(wire);
		expect(await failureOf(receive({ ...wire, id: 'REL2' }))).toMatchObject(forged);
		expect(bench.notified).toEqual(['relationshipArrived REL1']);
	});

	it('may be another one of a peer whom this account has asked before', async () => {
		await bench.addTemplate('us');
		const createdByUs = { id: 'REL9', status: 'Rejected', createdByUs: true } as const;
		await bench.add(createdByUs, { established: undefined, request: {} });
		await receive(bench.created());
		expect(bench.notified).toEqual(['relationshipArrived REL1']);
	});

	it('tells the generation of the wallet that wrote its content', async () => {
		await bench.addTemplate('us');
		const response = {
			...{ '@type': 'Response', result: 'Accepted', requestId: 'REQ1' },
			items: [
				{
					...{ '@type': 'ReadAttributeAcceptResponseItem', result: 'Accepted' },
					...{ attributeId: 'ATT1', initialAttributePeer: bench.peer.address },
					attribute: {
						...{ '@type': 'IdentityAttribute', owner: bench.peer.address },
						value: { '@type': 'DisplayName', value: 'Name' },
					},
				},
			],
		};
		await receive(bench.created({}, { '@type': 'RelationshipCreationContent', response }));
		expect((await bench.record())?.peerGeneration).toBe(7);
	});

	it('may be another one of the same peer', async () => {
		await bench.addTemplate('us');
		await receive(bench.created());
		await receive(bench.created({ id: 'REL2' }));
		expect(bench.notified).toEqual(['relationshipArrived REL1', 'relationshipArrived REL2']);
	});

	it('is refused when another peer repeats it', async () => {
		await bench.addTemplate('us');
		const error = await failureOf(receive(bench.created({ from: bench.account.address + 'x' })));
		expect(error['code']).toBe('error.transport.signatureNotValid');
	});
});

describe('a relationship whose template the Backbone has deleted', () => {
	const newer = '2030-06-01T00:00:00.000Z';

	/** Stores other templates of this account that are newer. */
	const addOthers = async (count: number, withKey: boolean, isOwn = true): Promise<void> => {
		const { privateKey: templatePrivateKey } = generateExchangeKeyPair(systemRandom);
		await bench.store.transact(async (tx) => {
			const [known] = await tx.templates.list();
			if (known === undefined) throw new Error('There is no template');
			for (let index = 0; index < count; index++) {
				const record = { ...known.record, id: `RLTother${index}`, createdAt: newer, isOwn };
				const { secretKey } = known.secrets;
				await tx.templates.insert(record, {
					secretKey,
					...(withKey ? { templatePrivateKey } : {}),
				});
			}
		});
	};

	it.each([99, 100, 150])(
		'is opened with the template that fits among %i newer ones',
		async (count) => {
			await bench.addTemplate('us');
			await addOthers(count, true);
			await receive(bench.created({ relationshipTemplateId: null }));
			expect(await bench.record()).toMatchObject({ templateId });
		},
	);

	it.each([
		[1_999, true],
		[2_000, false],
	])(
		'is searched among the newest 2,000 only: %i newer ones, found: %s',
		async (count, isFound) => {
			await bench.addTemplate('us');
			await addOthers(count, false);
			await receive(bench.created({ relationshipTemplateId: null })).catch(() => undefined);
			expect((await bench.record()) !== undefined).toBe(isFound);
		},
	);

	it('is found beside any number of templates of peers', async () => {
		await bench.addTemplate('us');
		await addOthers(2_000, false, false);
		await receive(bench.created({ relationshipTemplateId: null }));
		expect(await bench.record()).toMatchObject({ templateId });
	});

	it('cannot be opened when none of the templates fits', async () => {
		await bench.addTemplate('us');
		await addOthers(99, true);
		await bench.store.transact((tx) => tx.templates.delete(templateId));
		const wire = bench.created({ relationshipTemplateId: null });
		expect(await failureOf(receive(wire))).toMatchObject(unknownTemplate);
	});

	it('is not opened with templates of peers, or without a key', async () => {
		await bench.addTemplate('peer');
		const wire = bench.created({ relationshipTemplateId: null });
		expect(await failureOf(receive(wire))).toMatchObject(unknownTemplate);
		await bench.store.transact(async (tx) => {
			const entry = await tx.templates.get(templateId);
			if (entry !== undefined) await tx.templates.update({ ...entry.record, isOwn: true });
		});
		expect(await failureOf(receive(wire))).toMatchObject(unknownTemplate);
	});
});
