import { silentLogger } from '../../../../core/base/logger';
import { backboneErrors } from '../../../../core/backbone/backbone-errors';
import { storeErrors } from '../../../../core/store/store-errors';
import type { Cancellable } from '../../../../core/base/abort';
import type { ReconciliationState } from '../../../../core/model/record/reconciliation';
import type { InboxEvent, SyncState } from '../../../../core/model/record/sync';
import { Reconciliation } from '../../../../core/sync/reconciliation/reconciliation';
import { messageRecord, messageSecrets, templateRecord } from '../../../support/records';
import {
	empty,
	failureOf,
	json,
	messageBody,
	problem,
	relationshipBody,
	result,
	type Responder,
} from '../../backbone/fixture-server';
import {
	address,
	ComparisonBench,
	otherAddress,
	ownFile,
	relationshipRecord,
} from './comparison-bench';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const none = { compared: 0, found: 0 };

let bench: ComparisonBench;
let routes: Record<string, Responder>;
/** Received messages that the Backbone has, oldest first. */
let messages: object[];
/** lines of the log about what was found */
let infos: string[];
let refreshDeletion: (options: Cancellable) => Promise<string[]>;

const living = result({ canCreate: false, code: 'error.platform.validation.other' });
const planned = result({
	canCreate: false,
	code: 'error.platform.validation.relationship.peerIsToBeDeleted',
});

const unknown = problem(404, 'error.platform.recordNotFound');

const page: Responder = (request, response) => {
	const [pageNumber, pageSize] = ['pageNumber', 'pageSize'].map((name) =>
		Number(request.query.get(name)),
	) as [number, number];
	const pagination = {
		...{ pageNumber, pageSize, totalRecords: messages.length },
		totalPages: Math.ceil(messages.length / pageSize),
	};
	const items = messages.slice((pageNumber - 1) * pageSize, pageNumber * pageSize);
	json(200, { result: items, pagination })(request, response);
};

beforeEach(async () => {
	[messages, infos] = [[], []];
	routes = {
		Relationships: result([]),
		'Relationships/CanCreate': living,
		Messages: page,
		Files: result([]),
		'Files/FIL1/metadata': unknown,
		'Files/FIL2/metadata': unknown,
	};
	refreshDeletion = () => Promise.resolve([]);
	const entries = Object.keys(routes).map((name): [string, Responder] => [
		`GET /api/v2/${name}`,
		(request, response) => routes[name]?.(request, response),
	]);
	bench = await ComparisonBench.open(Object.fromEntries(entries));
	await bench.addIdentity();
});
afterEach(() => bench.close());

const run = (options: Cancellable = {}) => {
	const { store, backbone, clock } = bench;
	const reconciliation = new Reconciliation({
		...{ store, backbone, clock, logger: { ...silentLogger, info: (text) => infos.push(text) } },
		refreshDeletion: (given) => refreshDeletion(given),
	});
	return reconciliation.run(options);
};

const at = (passedMs: number): string => new Date(bench.clock.now() + passedMs).toISOString();

const begin = async (
	reconciliation: ReconciliationState = { dueAt: '' },
	more: Partial<SyncState> = {},
): Promise<void> => {
	const state = { id: 'sync', phase: 'idle', reconciliationNeeded: true } as const;
	await bench.store.transact((tx) =>
		tx.syncState.insert({ ...state, reconciliation, ...more }, undefined),
	);
};

const stored = async (): Promise<SyncState | undefined> =>
	(await bench.store.read((tx) => tx.syncState.get('sync')))?.record;

const reconciliationState = async () => (await stored())?.reconciliation;

const inbox = async (): Promise<InboxEvent[]> =>
	(await bench.store.read((tx) => tx.inbox.list())).map(({ record }) => record);

const names = async (): Promise<unknown[]> => (await inbox()).map(({ type }) => type).sort();

/** Requests by path below the root, with the pages of messages. */
const requests = (): string[] =>
	bench.server.seen
		.filter(({ path }) => path.startsWith('/api/v2/') && !path.endsWith('/Version'))
		.map(({ path, query }) => {
			const { pageNumber, pageSize } = Object.fromEntries(query);
			const suffix = pageNumber === undefined ? '' : ` ${pageNumber}/${pageSize}`;
			return path.slice('/api/v2/'.length) + suffix;
		});

const receive = (count: number): void => {
	messages = Array.from({ length: count }, (_, index) => ({
		...messageBody(`MSG${index}`),
		createdBy: otherAddress,
		createdAt: new Date(Date.parse('2029-12-01T00:00:00.000Z') + index * 1_000).toISOString(),
	}));
};

const createdAtOf = (index: number): unknown =>
	(messages[index] as { createdAt: string }).createdAt;

const wireRelationship = (id: string, status = 'Active') => ({
	...relationshipBody,
	...{ id, status, auditLog: [] },
});

const wireFile = (id: string, parts: object = {}) => ({
	id,
	createdAt: '2029-12-01T00:00:00.000Z',
	createdBy: address,
	createdByDevice: 'DVC1',
	owner: address,
	cipherHash: 'aGFzaA',
	expiresAt: '2040-01-01T00:00:00.000Z',
	encryptedProperties: 'eyJhIjoxfQ',
	...parts,
});

describe('a comparison with the Backbone', () => {
	it('adds what it finds of each kind to the inbox, and reports it', async () => {
		await bench.addRelationships(
			relationshipRecord('REL1'),
			relationshipRecord('REL2', { status: 'Revoked' }),
		);
		routes['Relationships'] = result([wireRelationship('REL1', 'Terminated')]);
		receive(2);
		await bench.addFiles(ownFile('FIL1'));
		routes['Files'] = result([wireFile('FIL1', { ownershipIsLocked: true })]);
		await bench.store.transact((tx) =>
			tx.templates.insert(templateRecord('RLT1', { maxNumberOfAllocations: 1 }), {
				secretKey: 'k',
			}),
		);
		routes['Relationships/CanCreate'] = planned;
		refreshDeletion = () => Promise.resolve(['IDP1', 'IDP2']);
		await begin();
		expect(await run()).toStrictEqual([
			{ deletionProcessId: 'IDP1' },
			{ deletionProcessId: 'IDP2' },
		]);
		expect(infos).toHaveLength(5);
		expect(await names()).toEqual([
			'FileOwnershipLocked',
			'MessageReceived',
			'MessageReceived',
			'PeerToBeDeleted',
			'RelationshipStatusChanged',
			'RelationshipTemplateAllocationsExhausted',
		]);
		expect(await stored()).toStrictEqual({
			id: 'sync',
			phase: 'idle',
			reconciliationNeeded: false,
			reconciliation: {
				dueAt: at(dayMs),
				messages: { surplus: 0, comparedTo: createdAtOf(1) },
				last: {
					startedAt: at(0),
					completedAt: at(0),
					isFull: false,
					relationships: { compared: 2, found: 2 },
					messages: { compared: 2, found: 2 },
					files: { compared: 1, found: 1 },
					templates: { compared: 1, found: 1 },
					deletionProcesses: { compared: 2, found: 2 },
				},
			},
		});
	});

	it('of an account that never synced does nothing', async () => {
		expect(await run()).toStrictEqual([]);
		expect(await stored()).toBeUndefined();
		expect(requests()).toEqual([]);
	});

	it('without anything to find takes two calls, and notes whom it asked', async () => {
		await begin();
		expect(await run()).toStrictEqual([]);
		expect(requests()).toEqual(['Messages 1/1']);
		expect(infos).toEqual([]);
		expect(await reconciliationState()).toStrictEqual({
			dueAt: at(dayMs),
			askedTo: { files: 0, peers: 0 },
			messages: { surplus: 0 },
			last: {
				...{ startedAt: at(0), completedAt: at(0), isFull: false },
				...{ relationships: none, messages: none, files: none, templates: none },
				deletionProcesses: none,
			},
		});
	});

	it('adds nothing that the inbox has already, or that failed before under another id', async () => {
		receive(3);
		const event: InboxEvent = {
			id: 'recovered:MSG0',
			runId: 'SYR1',
			type: 'MessageReceived',
			index: 0,
			createdAt: at(0),
			payload: { id: 'MSG0' },
			state: 'done',
			attempts: 1,
		};
		await bench.store.transact(async (tx) => {
			await tx.inbox.insert(event, undefined);
			const failed = { id: 'SYI1', payload: { id: 'MSG1' }, state: 'parked' } as const;
			await tx.inbox.insert({ ...event, ...failed }, undefined);
			const untried = { id: 'SYI2', payload: { id: 'MSG2' }, state: 'pending' } as const;
			await tx.inbox.insert({ ...event, ...untried, attempts: 0 }, undefined);
		});
		await begin();
		await run();
		expect((await inbox()).map(({ id }) => id).sort()).toEqual([
			'SYI1',
			'SYI2',
			'recovered:MSG0',
			'recovered:MSG2',
		]);
		expect((await reconciliationState())?.last?.messages).toEqual({ compared: 3, found: 1 });
		expect((await reconciliationState())?.messages?.surplus).toBe(2);
	});

	it('looks at all peers and files once it has found a loss, else at a few in turn', async () => {
		const relationships = ['REL1', 'REL2', 'REL3'].map((id) =>
			relationshipRecord(id, { peer: `peer-of-${id}` }),
		);
		await bench.addRelationships(...relationships);
		await bench.addFiles(ownFile('FIL1'), ownFile('FIL2'));
		routes['Files/FIL1/metadata'] = result(wireFile('FIL1'));
		await begin();
		await run();
		const asked = (): string[] => requests().filter((path) => /CanCreate|metadata/.test(path));
		expect(asked()).toEqual([
			'Files/FIL1/metadata',
			'Relationships/CanCreate',
			'Relationships/CanCreate',
		]);
		const { askedTo } = (await reconciliationState()) ?? {};
		expect(askedTo).toEqual({ files: expect.any(Number), peers: expect.any(Number) });
		expect(Math.min(askedTo?.files ?? 0, askedTo?.peers ?? 0)).toBeGreaterThan(0);
		bench.server.seen.length = 0;
		await run();
		expect(asked()).toEqual(['Files/FIL2/metadata', 'Relationships/CanCreate']);
		expect((await reconciliationState())?.askedTo).toEqual({ files: 0, peers: 0 });
		bench.server.seen.length = 0;
		receive(1);
		await run();
		expect(asked()).toHaveLength(5);
		expect((await reconciliationState())?.askedTo).toEqual({ files: 0, peers: 0 });
	});

	it('asks for one file that no list shows, also with several groups of files', async () => {
		await bench.addFiles(...Array.from({ length: 110 }, (_, index) => ownFile(`FIL${index + 1}`)));
		routes['Files/FIL1/metadata'] = result(wireFile('FIL1'));
		await begin();
		await run();
		expect(requests().filter((path) => path.startsWith('Files/'))).toEqual(['Files/FIL1/metadata']);
		expect((await reconciliationState())?.last?.files).toEqual({ compared: 1, found: 0 });
	});
});

describe('a comparison of many messages', () => {
	it('is stored after each page, and continues with the next one', async () => {
		receive(250);
		await begin();
		routes['Messages'] = (request, response) =>
			(request.query.get('pageNumber') === '2' ? empty(503) : page)(request, response);
		expect(await run()).toStrictEqual([]);
		expect(await inbox()).toHaveLength(50);
		const paused = await reconciliationState();
		expect(paused).toStrictEqual({
			dueAt: at(60_000),
			failure: { code: 'error.platform.unexpected', message: expect.any(String) },
			progress: {
				startedAt: at(0),
				isFull: false,
				kind: 'messages',
				counts: { relationships: none, messages: { compared: 50, found: 50 } },
				position: 2,
				balance: { total: 250, known: 0 },
				newestAt: createdAtOf(249),
				absent: 50,
				surplus: 200,
			},
		});
		routes['Messages'] = page;
		bench.server.seen.length = 0;
		bench.clock.advance(60_000);
		await run();
		expect(requests().filter((path) => path.startsWith('Messages'))).toEqual([
			'Messages 2/100',
			'Messages 1/100',
		]);
		expect(await inbox()).toHaveLength(250);
		expect(await reconciliationState()).toMatchObject({
			messages: { surplus: 0, comparedTo: createdAtOf(249) },
			last: { startedAt: at(-60_000), messages: { compared: 250, found: 250 } },
		});
		expect((await reconciliationState())?.failure).toBeUndefined();
	});

	it('reads the newest page only while no message is missing, and keeps its mark', async () => {
		receive(150);
		const mark = { surplus: 100, comparedTo: '2029-11-01T00:00:00.000Z' };
		await bench.store.transact(async (tx) => {
			for (let index = 100; index < 150; index++)
				await tx.messages.insert(messageRecord(`MSG${index}`), messageSecrets);
		});
		await begin({ dueAt: '', messages: mark });
		await run();
		expect(requests().filter((path) => path.startsWith('Messages'))).toEqual([
			'Messages 1/1',
			'Messages 2/100',
		]);
		expect((await reconciliationState())?.messages).toStrictEqual(mark);
	});

	it('ends at the messages compared before, after all that are missing were found', async () => {
		receive(250);
		const comparedTo = at(0);
		await begin({ dueAt: '', messages: { surplus: 199, comparedTo } });
		await run();
		// 51 are missing: one more than the newest page has.
		expect(requests()).toEqual(['Messages 1/1', 'Messages 3/100', 'Messages 2/100']);
		expect((await reconciliationState())?.messages).toStrictEqual({
			surplus: 100,
			comparedTo: createdAtOf(249),
		});
	});

	it('reads all pages if it is a full one', async () => {
		receive(250);
		messages = messages.map((message) => ({ ...message, createdBy: address }));
		await begin({ dueAt: '', isFullWanted: true, messages: { surplus: 250, comparedTo: at(0) } });
		await run();
		expect(requests()).toEqual([
			'Messages 1/1',
			'Messages 3/100',
			'Messages 2/100',
			'Messages 1/100',
		]);
		expect((await reconciliationState())?.last?.isFull).toBe(true);
	});

	it('counts the messages that are stored', async () => {
		receive(150);
		await bench.store.transact(async (tx) => {
			for (let index = 0; index < 149; index++)
				await tx.messages.insert(messageRecord(`MSG${index}`), messageSecrets);
		});
		await begin({ dueAt: '', messages: { surplus: 1, comparedTo: at(0) } });
		await run();
		expect(requests()).toEqual(['Messages 1/1', 'Messages 2/100']);
		expect((await reconciliationState())?.messages?.surplus).toBe(0);
	});

	it('forgets its mark when the Backbone has no messages', async () => {
		await begin({ dueAt: '', messages: { surplus: 0, comparedTo: at(0) } });
		await run();
		expect((await reconciliationState())?.messages).toStrictEqual({ surplus: 0 });
	});

	it('ends when the account is erased meanwhile', async () => {
		await begin();
		routes['Messages'] = (request, response) => {
			const erase = bench.store.transact((tx) => tx.syncState.delete('sync'));
			void erase.then(() => page(request, response));
		};
		expect(await run()).toStrictEqual([]);
		expect(await stored()).toBeUndefined();
		expect(requests()).toEqual(['Messages 1/1']);
	});

	it('asks for the page of the only message', async () => {
		receive(1);
		await begin();
		await run();
		expect(requests()).toEqual(['Messages 1/1', 'Messages 1/100']);
	});
});

describe('a comparison that was started before', () => {
	const progress = (startedAt: string) => ({
		...{ startedAt, isFull: true, kind: 'templates' as const },
		counts: { messages: { compared: 7, found: 3 } },
	});

	it('goes on with its kind if it is recent', async () => {
		await begin({ dueAt: '', progress: progress(at(1 - dayMs)) }, { reconciliationNeeded: false });
		await run();
		expect(requests()).toEqual([]);
		expect(await reconciliationState()).toMatchObject({
			dueAt: at(dayMs),
			last: { startedAt: at(1 - dayMs), isFull: true, messages: { compared: 7, found: 3 } },
		});
	});

	it('is followed by another one if events may have been lost meanwhile', async () => {
		await begin({ dueAt: '', progress: progress(at(-hourMs)) });
		await run();
		expect(await stored()).toMatchObject({
			reconciliationNeeded: false,
			reconciliation: { dueAt: at(0), isAgainWanted: true },
		});
	});

	it('is begun anew after a day', async () => {
		await begin({ dueAt: '', progress: progress(at(-dayMs)) });
		await run();
		expect(requests()).toEqual(['Messages 1/1']);
		expect((await reconciliationState())?.last).toMatchObject({
			...{ startedAt: at(0), isFull: false },
			messages: none,
		});
	});
});

describe('a comparison that fails', () => {
	it('at one list goes on with the others, and is repeated after an hour', async () => {
		const last = {
			...{ startedAt: at(-dayMs), completedAt: at(-dayMs), isFull: false },
			...{ relationships: none, messages: none, files: none, templates: none },
			deletionProcesses: none,
		};
		await bench.addRelationships(relationshipRecord('REL1'));
		routes['Relationships'] = result('no list');
		receive(1);
		await begin({ dueAt: '', last, isFullWanted: true });
		expect(await run()).toStrictEqual([]);
		expect(await names()).toEqual(['MessageReceived']);
		expect(await reconciliationState()).toStrictEqual({
			dueAt: at(hourMs),
			isFullWanted: true,
			failure: {
				code: 'error.gateway.backbone.unexpectedAnswer',
				message: expect.any(String),
			},
			messages: { surplus: 0, comparedTo: createdAtOf(0) },
			last,
		});
	});

	it('because the store is away fails', async () => {
		await begin();
		const away = storeErrors.create('postgresUnreachable', { message: 'Away.' });
		refreshDeletion = () => Promise.reject(away);
		expect(await failureOf(run())).toBe(away);
	});

	it('because of a refusal fails', async () => {
		await begin();
		const refusal = backboneErrors.create('forbidden', { message: 'Refused.' });
		refreshDeletion = () => Promise.reject(refusal);
		expect(await failureOf(run())).toBe(refusal);
	});

	it('because of a defect fails', async () => {
		await begin();
		const defect = new TypeError('A defect');
		refreshDeletion = () => Promise.reject(defect);
		expect(await failureOf(run())).toBe(defect);
	});

	it('because it is aborted fails, and goes on later', async () => {
		receive(1);
		await begin();
		const abort = new AbortController();
		routes['Messages'] = () => abort.abort();
		expect(await failureOf(run({ signal: abort.signal }))).toBe(abort.signal.reason);
		expect(await reconciliationState()).toMatchObject({ progress: { kind: 'messages' } });
		expect((await reconciliationState())?.failure).toBeUndefined();
	});
});
