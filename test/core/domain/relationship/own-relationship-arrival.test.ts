import { loosely } from '../../../support/loosely';
import type { WireRelationship } from '../../../../core/backbone/dto';
import { readBase64Form, writeBase64Form } from '../../../../core/crypto/wire-json';
import { beginCreation } from '../../../../core/domain/relationship/creation-intents';
import { failureOf, result } from '../../backbone/fixture-server';
import { id, RelationshipBench, templateId } from './relationship-bench';

let bench: RelationshipBench;
beforeEach(async () => {
	bench = await RelationshipBench.open();
});
afterEach(() => bench.close());

const receive = (wire: WireRelationship, wasKnown = false) =>
	bench.store.transact((tx) => bench.relationships.receive(tx, { wire, wasKnown }));

const missing = { code: 'error.transport.recordNotFound', facts: { relationshipId: id } };

const content = { '@type': 'ArbitraryRelationshipCreationContent', value: 'Hello' };

describe('a relationship that this account has created, without its answer', () => {
	/** Loses the answer to a creation; returns the relationship as the Backbone shows it. */
	async function loseAnswer(): Promise<WireRelationship> {
		await bench.addTemplate('peer');
		bench.answer('GET /CanCreate', result({ canCreate: true }));
		bench.answer('POST ', (_request, response) => void response.destroy());
		await failureOf(bench.creation.create({ templateId, creationContent: content }));
		const posted = bench.server.calls('/api/v2/Relationships').at(-1)?.body ?? '';
		const { creationContent } = JSON.parse(posted) as { creationContent: string };
		return bench.created({
			...{ from: bench.account.address, to: bench.peer.address, creationContent },
			auditLog: [bench.wireEntry('us', 'Creation')],
		});
	}

	const acceptance = (wire: WireRelationship, response?: string): WireRelationship => ({
		...wire,
		status: 'Active',
		auditLog: [...wire.auditLog, bench.wireEntry('peer', 'AcceptanceOfCreation', 1)],
		creationResponseContent: response ?? bench.response(wire.creationContent ?? ''),
	});

	const open = () => bench.store.read((tx) => tx.relationshipIntents.count());

	it('is found by its secrets, and ends their wait', async () => {
		const wire = await loseAnswer();
		await receive(wire);
		expect(await bench.record()).toMatchObject({
			...{ id, status: 'Pending', createdByUs: true, peer: bench.peer.address, templateId },
			...{ peerPublicKey: bench.peer.identityKeys.publicKey, creationContent: content },
			createdAt: bench.now,
		});
		expect(Object.keys((await bench.secrets()) ?? {}).sort()).toEqual(['request', 'template']);
		expect(await open()).toBe(0);
		expect(bench.notified).toEqual(['relationshipCreated REL1']);
		expect(await bench.published()).toEqual(['transport.relationshipChanged']);
	});

	it('is found although the Backbone does not name its template', async () => {
		await receive({ ...(await loseAnswer()), relationshipTemplateId: null });
		expect(await bench.record()).toMatchObject({ createdByUs: true, templateId });
	});

	it('has its keys at once if it was accepted', async () => {
		await receive(acceptance(await loseAnswer()));
		expect(Object.keys((await bench.secrets()) ?? {}).sort()).toEqual(['established', 'template']);
		expect(bench.notified).toEqual(['relationshipCreated REL1', 'relationshipAccepted REL1']);
	});

	it('gets its keys with the acceptance', async () => {
		const wire = await loseAnswer();
		await receive(wire);
		await receive(acceptance(wire), true);
		expect(await bench.record()).toMatchObject({ status: 'Active' });
		expect(Object.keys((await bench.secrets()) ?? {}).sort()).toEqual(['established', 'template']);
	});

	it('gets its keys although the acceptance was stored without them', async () => {
		const wire = await loseAnswer();
		await receive(wire);
		const record = await bench.record();
		const accepted = acceptance(wire);
		await bench.store.transact(async (tx) => {
			if (record !== undefined)
				await tx.relationships.update({
					...record,
					status: 'Active',
					auditLog: [...record.auditLog, bench.entry('peer', 'AcceptanceOfCreation', 1)],
				});
		});
		await receive(accepted, true);
		expect(await bench.secrets()).toHaveProperty('established');
		expect(await bench.published()).toEqual(['transport.relationshipChanged']);
	});

	it('has keys when the peer has left it after the acceptance', async () => {
		const wire = acceptance(await loseAnswer());
		const auditLog = [...wire.auditLog, bench.wireEntry('peer', 'Decomposition', 2)];
		await receive({ ...wire, status: 'DeletionProposed', auditLog });
		expect(await bench.secrets()).toHaveProperty('established');
	});

	it('gets its keys from an answer that is older than its stored state', async () => {
		const wire = await loseAnswer();
		await receive(wire);
		const record = await bench.record();
		if (record === undefined) throw new Error('There is no relationship');
		const auditLog = [
			...record.auditLog,
			bench.entry('peer', 'AcceptanceOfCreation', 1),
			bench.entry('peer', 'Termination', 2),
		];
		const later = { ...record, status: 'Terminated' as const, auditLog };
		await bench.store.transact((tx) => tx.relationships.update(later));
		await receive(acceptance(wire), true);
		expect(await bench.record()).toEqual(later);
		expect(await bench.secrets()).toHaveProperty('established');
	});

	it.each(['Active', 'Terminated'] as const)(
		'has keys when it is %s, whatever its audit log says',
		async (status) => {
			const wire = await loseAnswer();
			await receive({ ...acceptance(wire), status, auditLog: wire.auditLog });
			expect(await bench.secrets()).toHaveProperty('established');
		},
	);

	it('gets no keys from a rejection', async () => {
		const wire = await loseAnswer();
		const rejection = bench.wireEntry('peer', 'RejectionOfCreation', 1);
		await receive({
			...acceptance(wire),
			status: 'Rejected',
			auditLog: [...wire.auditLog, rejection],
		});
		expect(await bench.secrets()).not.toHaveProperty('established');
		expect(bench.notified).toEqual(['relationshipCreated REL1', 'relationshipEnded REL1']);
	});

	it('stays unchanged without the answer of the peer, or with one for another relationship', async () => {
		const wire = await loseAnswer();
		await receive(wire);
		const without = { ...acceptance(wire), creationResponseContent: null };
		expect(await failureOf(receive(without, true))).toMatchObject(missing);
		const other = bench.response(wire.creationContent ?? '', 'REL2');
		const error = await failureOf(receive(acceptance(wire, other), true));
		expect(error['code']).toBe('error.transport.signatureNotValid');
		expect(await bench.record()).toMatchObject({ status: 'Pending' });
	});

	it('cannot be opened without its content, its secrets, or its template', async () => {
		const wire = await loseAnswer();
		const noContent = { ...wire, creationContent: null };
		expect(await failureOf(receive(noContent))).toMatchObject(missing);
		const otherTemplate = { ...wire, relationshipTemplateId: 'RLT9' };
		expect(await failureOf(receive(otherTemplate))).toMatchObject(missing);
		await bench.store.transact((tx) => tx.templates.delete(templateId));
		expect(await failureOf(receive(wire))).toMatchObject(missing);
		expect(await open()).toBe(1);
	});

	it('is opened with its own secrets among those of other attempts', async () => {
		const wire = await loseAnswer();
		const [own] = await bench.store.read((tx) => tx.relationshipIntents.list());
		await bench.store.transact(async (tx) => {
			await tx.relationshipIntents.delete(own?.record.id ?? '');
		});
		await failureOf(
			bench.creation.create({ templateId, creationContent: { ...content, value: 'Other' } }),
		);
		await bench.store.transact((tx) =>
			beginCreation(
				tx,
				{
					id: 'own',
					templateId,
					creationContent: loosely(content),
					request: own?.secrets.request ?? {},
				},
				bench,
			),
		);
		await receive(wire);
		expect((await bench.record())?.creationContent).toEqual(content);
		expect(await open()).toBe(1);
	});

	it('cannot be opened if its content is not readable at all', async () => {
		const wire = await loseAnswer();
		const outer = readBase64Form(wire.creationContent ?? '', 'it') as Record<string, unknown>;
		const creationContent = writeBase64Form({ ...outer, cipher: 'none' });
		expect(await failureOf(receive({ ...wire, creationContent }))).toMatchObject(missing);
	});
});
