import { GatewayError } from '../../../../core/base/errors';
import { RelationshipCreation } from '../../../../core/domain/relationship/relationship-creation';
import { openCreationContent } from '../../../../core/domain/relationship/relationship-envelope';
import { failureOf, empty, problem, result, type Responder } from '../../backbone/fixture-server';
import { id, RelationshipBench, templateId } from './relationship-bench';

let bench: RelationshipBench;
beforeEach(async () => {
	bench = await RelationshipBench.open();
	bench.answer('GET /CanCreate', result({ canCreate: true }));
	bench.answer('POST ', answerWith());
});
afterEach(() => bench.close());

const creationContent = { '@type': 'ArbitraryRelationshipCreationContent', value: 'Hello' };
const platform = 'error.platform.validation.relationship.';
const transport = 'error.transport.relationships.';

/** The Backbone's answer to a creation. */
const answerWith =
	(parts: object = {}): Responder =>
	(request, response) => {
		const { relationshipTemplateId } = JSON.parse(request.body) as Record<string, string>;
		const auditLog = [bench.wireEntry('us', 'Creation')];
		const createdAt = '2030-01-01T00:00:07.000Z';
		const metadata = { id, relationshipTemplateId, createdAt, status: 'Pending', auditLog };
		result({ ...metadata, ...parts }, 201)(request, response);
	};

const create = (input: object = { templateId, creationContent }) => bench.creation.create(input);
const canCreate = (input: object = { templateId }) => bench.creation.canCreate(input);
const posted = () => bench.called.filter((call) => call.startsWith('POST'));
const intents = () => bench.store.read((tx) => tx.relationshipIntents.count());

describe('creating a relationship', () => {
	beforeEach(() => bench.addTemplate('peer'));

	it('posts a creation that the owner of the template can open', async () => {
		await create();
		const [call] = bench.server.calls('/api/v2/Relationships');
		const body = JSON.parse(call?.body ?? '') as Record<string, string>;
		expect(Object.keys(body).sort()).toEqual(['creationContent', 'relationshipTemplateId']);
		expect(body['relationshipTemplateId']).toBe(templateId);
		const expected = { from: bench.account.address, templateId };
		expect(
			openCreationContent(body['creationContent'] ?? '', bench.templateKeys, expected),
		).toMatchObject({
			content: creationContent,
			identity: {
				address: bench.account.address,
				publicKey: bench.account.identityKeys.publicKey,
			},
		});
	});

	it('stores and publishes the relationship', async () => {
		const dto = await create();
		expect(dto).toMatchObject({
			...{ id, status: 'Pending', peer: bench.peer.address, creationContent },
			auditLog: [{ reason: 'Creation', createdBy: bench.account.address }],
		});
		expect(await bench.record()).toMatchObject({
			...{ createdByUs: true, templateId, createdAt: '2030-01-01T00:00:07.000Z' },
		});
		expect(await intents()).toBe(0);
		expect(await bench.published()).toEqual(['transport.relationshipChanged']);
		expect(bench.notified).toEqual(['relationshipCreated REL1']);
	});

	it('takes its time from the clock if the Backbone names none', async () => {
		bench.answer('POST ', answerWith({ createdAt: null }));
		await create();
		expect((await bench.record())?.createdAt).toBe(bench.now);
	});

	it('stores its secrets before the call, so that a sync can store the relationship first', async () => {
		let before = 0;
		bench.answer('POST ', (request, response) => {
			const { creationContent: sealed } = JSON.parse(request.body) as { creationContent: string };
			const auditLog = [bench.wireEntry('us', 'Creation')];
			const wire = bench.created({
				...{ from: bench.account.address, to: bench.peer.address, creationContent: sealed },
				auditLog: [...auditLog, bench.wireEntry('peer', 'AcceptanceOfCreation', 1)],
				...{ status: 'Active', creationResponseContent: bench.response(sealed) },
			});
			const sync = async (): Promise<void> => {
				before = await intents();
				await bench.store.transact((tx) =>
					bench.relationships.receive(tx, { wire, wasKnown: false }),
				);
			};
			void sync().then(() => answerWith()(request, response));
		});
		expect(await create()).toMatchObject({ status: 'Active' });
		expect(before).toBe(1);
		expect(await bench.published()).toEqual(['transport.relationshipChanged']);
		expect(bench.notified).toEqual(['relationshipCreated REL1', 'relationshipAccepted REL1']);
	});

	it('forgets the creation that the Backbone refuses, not one whose answer is lost', async () => {
		bench.answer('POST ', problem(400, `${platform}anything`));
		expect((await failureOf(create()))['code']).toBe(`${platform}anything`);
		expect(await intents()).toBe(0);
		bench.answer('POST ', empty(503));
		expect((await failureOf(create()))['kind']).toBe('unavailable');
		expect(await intents()).toBe(1);
		expect(await bench.record()).toBeUndefined();
	});

	it('keeps the creation whose call was aborted', async () => {
		const abort = new AbortController();
		bench.answer('POST ', () => abort.abort());
		const creating = bench.creation.create(
			{ templateId, creationContent },
			{ signal: abort.signal },
		);
		expect(await failureOf(creating)).toBe(abort.signal.reason);
		expect(await intents()).toBe(1);
	});

	it.each([
		['Pending', false],
		['Active', false],
		['Terminated', false],
		['DeletionProposed', false],
		['Rejected', true],
		['Revoked', true],
	] as const)('is possible beside a relationship that is %s: %s', async (status, isPossible) => {
		const parts = { status, auditLog: [bench.entry('us', 'Creation')] };
		await bench.add(parts);
		bench.answer('POST ', answerWith({ id: 'REL2' }));
		const { code } = {
			code: undefined,
			...(await create().catch((error: unknown) => error as object)),
		};
		expect(code).toBe(isPossible ? undefined : `${transport}relationshipCurrentlyExists`);
		expect(posted()).toHaveLength(isPossible ? 1 : 0);
	});

	it('names the relationship that exists', async () => {
		await bench.add();
		expect((await failureOf(create()))['facts']).toEqual({ relationshipId: id, status: 'Active' });
	});

	it.each([
		[
			`${platform}peerIsToBeDeleted`,
			false,
			'activeIdentityDeletionProcessOfOwnerOfRelationshipTemplate',
		],
		[`${platform}relationshipToTargetAlreadyExists`, false, 'relationshipNotYetDecomposedByPeer'],
		[`${platform}relationshipToTargetAlreadyExists`, true, 'relationshipNotYetDecomposedByPeer'],
	])('is refused as the Backbone says: %s, with a lost one: %s', async (code, isLost, refusal) => {
		if (isLost) {
			bench.answer('POST ', empty(503));
			await failureOf(create());
		}
		bench.answer('GET /CanCreate', result({ canCreate: false, code }));
		const error = await failureOf(create());
		expect(error['code']).toBe(`${transport}${refusal}`);
		expect(/answer was lost/.test(error.message)).toBe(isLost);
		expect(posted()).toHaveLength(isLost ? 1 : 0);
	});

	it.each([
		[{ code: `${platform}other` }, `${platform}other`],
		[{ code: null }, ''],
	])('is refused for a reason that only the Backbone knows: %j', async (parts, platformCode) => {
		bench.answer('GET /CanCreate', result({ canCreate: false, ...parts }));
		const error = await failureOf(create());
		expect(error['code']).toBe('error.gateway.relationships.refusedByBackbone');
		expect(error['facts']).toEqual({ platformCode });
	});

	it('asks the Backbone about the owner of the template', async () => {
		await create();
		const [asked] = bench.server.calls('/api/v2/Relationships/CanCreate');
		expect(asked?.query.get('peer')).toBe(bench.peer.address);
	});
});

describe('the template of a creation', () => {
	it.each([
		['is unknown', undefined],
		['is deleted', { deletedAt: '2029-12-31T00:00:00.000Z' }],
	])('is not found if it %s', async (_what, parts) => {
		if (parts !== undefined) await bench.addTemplate('peer', parts);
		const error = await failureOf(create());
		expect([error['code'], error['facts']]).toEqual([
			'error.runtime.recordNotFound',
			{ templateId },
		]);
	});

	it.each([
		['2029-12-31T23:59:59.999Z', false],
		['2030-01-01T00:00:01.000Z', true],
	])('that expires at %s can be used: %s', async (expiresAt, isPossible) => {
		await bench.addTemplate('peer', { expiresAt });
		const answer = await canCreate();
		expect(answer).toMatchObject(
			isPossible
				? { isSuccess: true }
				: { isSuccess: false, code: `${transport}relationshipTemplateIsExpired` },
		);
		if (!isPossible) {
			expect((await failureOf(create()))['facts']).toEqual({ templateId });
			expect(bench.called).toEqual([]);
		}
	});

	it('says which generation the wallet of the peer is of', async () => {
		await bench.addTemplate('peer', { generation: 6 });
		await create();
		expect((await bench.record())?.peerGeneration).toBe(6);
	});
});

describe('the input of a creation', () => {
	beforeEach(() => bench.addTemplate('peer'));

	it.each([
		[{ creationContent }, 'templateId'],
		[{ templateId: '', creationContent }, 'templateId'],
		[{ templateId: 'x'.repeat(101), creationContent }, 'templateId'],
		[{ templateId, creationContent, other: 1 }, ''],
	])('is checked: %j', async (input, field) => {
		for (const work of [create(input), canCreate(input)]) {
			const error = await failureOf(work);
			expect(error['code']).toBe('error.runtime.validation.invalidPropertyValue');
			expect(error['facts']).toMatchObject({ field });
		}
	});

	it('has an ID of a template of up to 100 characters', async () => {
		const error = await failureOf(create({ templateId: 'x'.repeat(100), creationContent }));
		expect(error['code']).toBe('error.runtime.recordNotFound');
	});

	it('has content that fits the template', async () => {
		const wrong = { '@type': 'RelationshipCreationContent', response: {} };
		await failureOf(create({ templateId, creationContent: wrong }));
		expect(posted()).toEqual([]);
		expect(await intents()).toBe(0);
	});
});

describe('whether a relationship can be created', () => {
	beforeEach(() => bench.addTemplate('peer'));

	it('is answered without creating it', async () => {
		expect(await canCreate()).toEqual({ isSuccess: true });
		expect(await canCreate({ templateId, creationContent })).toEqual({ isSuccess: true });
		expect(bench.called).toEqual(['GET /CanCreate', 'GET /CanCreate']);
	});

	it('is answered with the reason against it', async () => {
		bench.answer('GET /CanCreate', result({ canCreate: false, code: `${platform}x` }));
		expect(await canCreate()).toEqual({
			isSuccess: false,
			code: 'error.gateway.relationships.refusedByBackbone',
			message: expect.stringContaining(`${platform}x`),
		});
		bench.answer('GET /CanCreate', result({ canCreate: true }));
		const wrong = await canCreate({ templateId, creationContent: { '@type': 'Mail' } });
		expect(wrong).toMatchObject({ isSuccess: false });
	});

	it('is not known if the Backbone does not answer, or the question is aborted', async () => {
		bench.answer('GET /CanCreate', empty(503));
		expect((await failureOf(canCreate()))['kind']).toBe('unavailable');
		const abort = new AbortController();
		bench.answer('GET /CanCreate', () => abort.abort());
		const { signal } = abort;
		const asking = bench.creation.canCreate({ templateId }, { signal });
		expect(await failureOf(asking)).toBe(signal.reason);
	});

	it('depends on what answers to the template', async () => {
		const refusal = new GatewayError({
			code: 'error.runtime.unknown',
			kind: 'conflict',
			message: 'No.',
		});
		const asked: unknown[] = [];
		const creation = new RelationshipCreation(
			{
				...bench.context,
				checkCreationContent: (_tx, ...checked) => {
					asked.push(checked);
					return Promise.resolve(refusal);
				},
			},
			bench.relationships,
		);
		expect(await creation.canCreate({ templateId })).toEqual({ isSuccess: true });
		expect(await creation.canCreate({ templateId, creationContent })).toEqual({
			...{ isSuccess: false, code: 'error.runtime.unknown', message: 'No.' },
		});
		expect(await failureOf(creation.create({ templateId, creationContent }))).toBe(refusal);
		expect(asked).toEqual([
			[templateId, creationContent],
			[templateId, creationContent],
		]);
		expect(await intents()).toBe(0);
	});
});

describe('a creation whose answer was lost', () => {
	const dayMs = 24 * 3_600_000;

	beforeEach(async () => {
		await bench.addTemplate('peer');
		bench.answer('POST ', empty(503));
		await failureOf(create());
	});

	it('may be repeated two minutes after the Backbone has shown no trace of it', async () => {
		const waitMs = () => bench.creation.waitBeforeCreatingAgainMs(templateId, {});
		expect(await waitMs()).toBe(120_000);
		bench.clock.advance(120_000);
		expect(await waitMs()).toBe(0);
	});

	it('is forgotten by the housekeeping of the next day', async () => {
		bench.clock.advance(dayMs);
		await bench.creation.endLost({});
		expect(await intents()).toBe(0);
	});
});
