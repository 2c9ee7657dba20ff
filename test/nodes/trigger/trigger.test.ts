import { accountFile } from '../../support/accounts/account-file';
import { settle } from '../../support/gateways';
import type { IDataObject } from 'n8n-workflow';
import { EnmeshedTrigger } from '../../../nodes/Enmeshed/EnmeshedTrigger.node';
import { triggerFields } from '../../../nodes/Enmeshed/trigger/trigger-fields';
import { TriggerSession } from '../../../nodes/Enmeshed/trigger/trigger-session';
import { readTriggerSettings } from '../../../nodes/Enmeshed/trigger/trigger-settings';
import { defaultsOf, triggerFunctions, type TriggerStub } from '../../support/n8n/n8n-functions';
import { until } from '../../support/until';
import { NodeBench } from '../support/node-bench';

type Started = Awaited<ReturnType<EnmeshedTrigger['trigger']>>;

/** Drawing a QR code is slow inside the test runner. */
jest.setTimeout(60_000);

let bench: NodeBench;
const open: Started[] = [];

beforeAll(async () => {
	bench = await NodeBench.open();
});

afterEach(async () => {
	for (const trigger of open.splice(0)) await trigger.closeFunction?.();
	bench.network.backbone.faults.clear();
});

afterAll(async () => {
	await bench.close();
});

const stubFor = (
	parameters: IDataObject,
	options: Parameters<typeof triggerFunctions>[0] = {},
): TriggerStub =>
	triggerFunctions({
		credentials: bench.credential,
		...options,
		parameters: { ...defaultsOf(triggerFields), ...parameters },
	});

async function start(stub: TriggerStub): Promise<Started> {
	const started = await new EnmeshedTrigger().trigger.call(stub.functions);
	open.push(started);
	return started;
}

/** A cursor of its own for every test: the node's id is part of its name. */
const freshNode = (id: string) => ({ node: { id } });

const succeeding = (stub: TriggerStub): TriggerStub => {
	stub.onEmit = (emission) => emission.settle({ status: 'success' });
	return stub;
};

describe('a published trigger', () => {
	it('leaves no trace of a sync when n8n closes it and ends', async () => {
		const { count } = accountFile(bench.folder);
		const marks = (): number =>
			count("select count(*) as n from leases where name like 'sync-run:%'");
		const asked = bench.network.backbone.faults.onNext('POST', /SyncRuns$/);
		const started = await start(
			stubFor({ events: ['transport.messageReceived'] }, freshNode('traceless')),
		);
		await asked;
		await until(() => marks() === 1);
		await started.closeFunction?.();
		expect(marks()).toBe(0);
	});

	it('has its position among the events once n8n takes it for published', async () => {
		const { count } = accountFile(bench.folder);
		await start(stubFor({ events: ['any'] }, freshNode('prompt')));
		expect(count("select count(*) as n from consumers where name like '%:prompt'")).toBe(1);
	});

	it('starts the workflow when a peer wants to connect, not when it is accepted, and when it writes', async () => {
		const stub = succeeding(
			stubFor(
				{
					events: ['relationship.requested', 'transport.messageReceived'],
					filters: { messageTypes: ['Mail'] },
				},
				freshNode('first'),
			),
		);
		await start(stub);
		const { relationshipId, address } = await bench.connect();
		await until(() => stub.emissions.length === 1);
		expect(stub.emissions[0]?.items[0]?.json).toMatchObject({
			event: 'transport.relationshipChanged',
			id: expect.stringMatching(/^EVT\d{12}$/),
			peer: address,
			relationshipId,
			status: 'Pending',
			sharedAttributes: {},
		});

		await bench.run('relationship', 'accept', { relationship: relationshipId });
		await settle(bench.wallet);
		const ours = String((await bench.one('account', 'getIdentity'))['address']);
		await bench.wallet.messages.send({
			recipients: [ours],
			content: { '@type': 'Mail', to: [ours], subject: 'Hello', body: 'It is me.' },
		});
		// The push connection announces it: the interval is a minute.
		await until(() => stub.emissions.length === 2);
		expect(stub.emissions[1]?.items[0]?.json).toMatchObject({
			event: 'transport.messageReceived',
			peer: address,
			messageType: 'Mail',
			subject: 'Hello',
			body: 'It is me.',
		});
		expect(stub.failedExecutions).toEqual([]);
	});

	it('starts the workflow when the last peer that a template allows has opened it', async () => {
		const events = ['transport.relationshipTemplateAllocationsExhausted'];
		const create = () =>
			bench.one('relationshipTemplate', 'create', {
				contentMode: 'fields',
				title: 'One seat',
				requestItems: { items: [{ kind: 'askFor', valueType: 'GivenName', mustBeAccepted: true }] },
				options: { maxNumberOfAllocations: 1 },
			});
		const [other, template] = [await create(), await create()];
		const stub = succeeding(
			stubFor({ events, filters: { template: template['id'] } }, freshNode('used up')),
		);
		await start(stub);
		for (const { truncatedReference } of [other, template]) {
			await bench.wallet.templates.loadPeer({ reference: String(truncatedReference) });
		}
		await until(() => stub.emissions.length === 1);
		expect(stub.emissions[0]?.items[0]?.json).toEqual({
			event: events[0],
			eventName: 'Template Used Up',
			id: expect.stringMatching(/^EVT\d{12}$/),
			createdAt: expect.any(String),
			templateId: template['id'],
			templateTitle: 'One seat',
		});
	});

	it('goes on where it stopped', async () => {
		const parameters = { events: ['any'], options: { startFrom: 'oldest', push: false } };
		const first = succeeding(stubFor(parameters, freshNode('second')));
		const started = await start(first);
		await until(() => first.emissions.length >= 2);
		await started.closeFunction?.();
		const seen = first.emissions.length;
		const again = succeeding(stubFor(parameters, freshNode('second')));
		await start(again);
		await bench.run('attribute', 'create', { valueType: 'Surname', value: `After ${seen}` });
		await until(() => again.emissions.length === 1);
		expect(again.emissions[0]?.items[0]?.json['event']).toBe('consumption.attributeCreated');
	});

	it('accepts pending relationships when asked to', async () => {
		const folder = bench.network.newFolder();
		const credential = { ...bench.credential, options: { sqliteFolder: folder } };
		const stub = succeeding(
			stubFor(
				{
					events: ['transport.relationshipChanged'],
					filters: { statuses: ['Active'] },
					options: { acceptPendingRelationships: true },
				},
				{ credentials: credential },
			),
		);
		await start(stub);
		const content = '{ "@type": "ArbitraryRelationshipTemplateContent", "value": 1 }';
		const [template] = await bench.run(
			'relationshipTemplate',
			'create',
			{ contentMode: 'json', content },
			{ credentials: credential },
		);
		const loaded = await bench.wallet.templates.loadPeer({
			reference: String(template?.json['truncatedReference']),
		});
		await bench.wallet.relationships.create({
			templateId: loaded.id,
			creationContent: { '@type': 'ArbitraryRelationshipCreationContent', value: 1 },
		});
		await until(() => stub.emissions.length === 1);
		expect(stub.emissions[0]?.items[0]?.json).toMatchObject({ status: 'Active' });
	});

	it('starts although the Backbone is down, and opens the account when it is back', async () => {
		const credential = { ...bench.credential, accountName: 'late' };
		bench.network.backbone.faults.add({
			path: /./,
			times: 1_000,
			action: { kind: 'status', status: 503 },
		});
		const stub = succeeding(
			stubFor({ events: ['any'], options: { startFrom: 'oldest' } }, { credentials: credential }),
		);
		await start(stub);
		await until(() => stub.log.some(({ level }) => level === 'warn'));
		expect(stub.failedExecutions).toEqual([]);
		bench.network.backbone.faults.clear();
		await bench.run(
			'attribute',
			'create',
			{ valueType: 'Surname', value: 'Back' },
			{ credentials: credential },
		);
		await until(() => stub.emissions.length === 1);
	});

	it('reports a refused client once, as a failed execution, and goes on trying', async () => {
		const credential = { ...bench.credential, accountName: 'refused', clientSecret: 'not-the-one' };
		const stub = stubFor({ events: ['any'] }, { credentials: credential });
		await start(stub);
		const refusals = () => stub.log.filter(({ level }) => level === 'warn').length;
		await until(() => refusals() === 1);
		expect(stub.failedExecutions).toMatchObject([
			{ context: { code: 'error.transport.general.platformClientInvalid' } },
		]);
		expect(JSON.stringify([stub.failedExecutions, stub.log])).not.toContain('not-the-one');
	});

	it('reports in the log where the host cannot save failed executions', async () => {
		const credential = { ...bench.credential, accountName: 'refused', clientSecret: 'wrong' };
		const stub = stubFor({ events: ['any'] }, { credentials: credential, oldHost: true });
		await start(stub);
		await until(() => stub.log.some(({ level }) => level === 'warn'));
	});

	it('asks again soon while PostgreSQL is away, and reports nothing', async () => {
		const away = { storage: 'postgres', postgresHost: '127.0.0.1', postgresPort: 9 };
		const login = { postgresDatabase: 'd', postgresUser: 'u', storagePassphrase: 'words' };
		const credential = { ...bench.credential, ...away, ...login };
		const stub = stubFor({ events: ['any'] }, { credentials: credential });
		const settings = await readTriggerSettings(stub.functions);
		const session = new TriggerSession(stub.functions, settings, {
			firstBackoffMs: 600_000,
			longestBackoffMs: 600_000,
			storeBackoffMs: 10,
			credentialCheckMs: 600_000,
			graceMs: 1_000,
			openingMs: 0,
		});
		await session.start();
		open.push({ closeFunction: () => session.close() });
		const looks = () => stub.log.filter(({ message }) => /postgresUnreachable/.test(message));
		await until(() => looks().length >= 3);
		expect(stub.failedExecutions).toEqual([]);
	});

	describe('whose credential is changed', () => {
		/** Looks at the credential all the time, so that no test has to wait for the next look. */
		const watchful = {
			firstBackoffMs: 1,
			longestBackoffMs: 60_000,
			storeBackoffMs: 10,
			credentialCheckMs: 10,
			graceMs: 1_000,
			openingMs: 0,
		};
		const isTokenRequest = { method: 'POST', path: /connect\/token/ };
		const refuseTokens = () =>
			bench.network.backbone.faults.add({
				...isTokenRequest,
				times: 1_000,
				action: { kind: 'status', status: 401, body: { error: 'invalid_client' } },
			});
		const startWatchful = async (credential: IDataObject) => {
			const stub = succeeding(
				stubFor(
					{
						events: ['any'],
						options: { startFrom: 'oldest', syncIntervalSeconds: 1, push: false },
					},
					{ credentials: credential },
				),
			);
			const settings = await readTriggerSettings(stub.functions);
			const session = new TriggerSession(stub.functions, settings, watchful);
			await session.start();
			open.push({ closeFunction: () => session.close() });
			return stub;
		};
		const createSurname = (credential: IDataObject, value: string) =>
			bench.run(
				'attribute',
				'create',
				{ valueType: 'Surname', value },
				{ credentials: { ...credential } },
			);
		const surnames = ({ emissions }: TriggerStub) =>
			emissions.map(({ items }) => items[0]?.json['value']);

		it('takes it over when syncing was refused', async () => {
			const credential: IDataObject = { ...bench.credential, accountName: 'refused-later' };
			await createSurname(credential, 'Served');
			const stub = await startWatchful(credential);
			await until(() => stub.emissions.length === 1);
			refuseTokens();
			bench.network.backbone.revokeAccessTokens();
			await until(() => stub.failedExecutions.length === 1);
			bench.network.backbone.faults.clear();
			credential['accountName'] = 'corrected-later';
			await createSurname(credential, 'Moved');
			await until(() => stub.emissions.length === 2);
			expect(surnames(stub)[1]).toContain('Moved');
			expect(stub.failedExecutions).toHaveLength(1);
			expect(stub.log.filter(({ message }) => message.endsWith('is solved'))).toHaveLength(1);
		});

		it('takes it over when opening was refused', async () => {
			refuseTokens();
			const credential: IDataObject = { ...bench.credential, accountName: 'refused-first' };
			const stub = await startWatchful(credential);
			await until(() => stub.failedExecutions.length === 1);
			bench.network.backbone.faults.clear();
			credential['accountName'] = 'corrected-first';
			await createSurname(credential, 'Opened');
			await until(() => stub.emissions.length === 1);
			expect(surnames(stub)[0]).toContain('Opened');
		});

		it('takes it over although it was opening with the former one, or nothing was wrong', async () => {
			const credential: IDataObject = { ...bench.credential, accountName: 'former' };
			bench.network.backbone.faults.add({
				...isTokenRequest,
				times: 1,
				action: { kind: 'delay', durationMs: 300 },
			});
			const opening = bench.network.backbone.faults.onNext('POST', isTokenRequest.path);
			const stub = await startWatchful(credential);
			await opening;
			credential['accountName'] = 'latter';
			await createSurname(credential, 'Latter');
			await until(() => stub.emissions.length === 1);
			credential['accountName'] = 'last';
			await createSurname(credential, 'Last');
			await until(() => stub.emissions.length === 2);
			expect(surnames(stub)[1]).toContain('Last');
			expect(stub.failedExecutions).toEqual([]);
		});
	});

	it('closes twice without harm, and at once when nothing runs', async () => {
		const stub = stubFor({ events: ['any'] });
		const started = await start(stub);
		await Promise.all([started.closeFunction?.(), started.closeFunction?.()]);
		await started.closeFunction?.();
	});
});

describe('starting a trigger', () => {
	it('is refused without an event', async () => {
		await expect(start(stubFor({ events: [] }))).rejects.toMatchObject({
			message: 'No event is selected',
		});
	});

	it.each([
		[{ events: ['transport.messageRecieved'] }, 'Events', 'transport.messageRecieved'],
		[{ events: ['toString'] }, 'Events', 'toString'],
		[{ events: ['any'], filters: { statuses: ['active'] } }, 'Relationship Status', 'active'],
		[{ events: ['any'], filters: { requestStatuses: ['Done'] } }, 'Request Status', 'Done'],
	])('is refused with %j, which no event has', async (parameters, field, value) => {
		await expect(start(stubFor(parameters))).rejects.toMatchObject({
			message: `The field '${field}' is not valid`,
			description: expect.stringContaining(`'${value}'`),
			context: { code: 'error.runtime.validation.invalidPropertyValue' },
		});
	});

	it.each([
		[{ options: { batchSize: 0 } }, "The field 'Events per Execution' is not valid"],
		[{ options: { syncIntervalSeconds: 'x' } }, "The field 'Sync Interval' is not valid"],
	])('is refused with %j', async (parameters, message) => {
		await expect(start(stubFor({ events: ['any'], ...parameters }))).rejects.toThrow(message);
	});

	it('is refused with a credential that a person has to correct', async () => {
		const credential = { ...bench.credential, accountName: 'no/slashes' };
		await expect(
			start(stubFor({ events: ['any'] }, { credentials: credential })),
		).rejects.toMatchObject({ context: { code: 'error.gateway.configuration.invalid' } });
	});
});

describe('testing a trigger in the editor', () => {
	const manual = async (parameters: IDataObject, credentials = bench.credential) => {
		const stub = stubFor(parameters, { mode: 'manual', credentials });
		return { stub, started: await start(stub) };
	};

	it('shows the newest event that fits, without waiting', async () => {
		const { stub, started } = await manual({ events: ['transport.messageReceived'] });
		await started.manualTriggerFunction?.();
		expect(stub.emissions).toHaveLength(1);
		expect(stub.emissions[0]?.items[0]?.json).toMatchObject({ subject: 'Hello' });
	});

	it('waits for the first event where there is none yet, and takes it from no other consumer', async () => {
		const credential = { ...bench.credential, accountName: 'manual' };
		const parameters = { events: ['any'], options: { startFrom: 'oldest' } };
		const { stub, started } = await manual(parameters, credential);
		const waiting = started.manualTriggerFunction?.();
		const published = succeeding(stubFor(parameters, { credentials: credential }));
		await start(published);
		await bench.run(
			'attribute',
			'create',
			{ valueType: 'Surname', value: 'First' },
			{ credentials: credential },
		);
		await waiting;
		expect(stub.emissions.map(({ items }) => items[0]?.json['event'])).toEqual([
			'consumption.attributeCreated',
		]);
		await until(() => published.emissions.length === 1);
	});

	it('ends silently when it is stopped before an event came', async () => {
		const credential = { ...bench.credential, accountName: 'stopped' };
		const { stub, started } = await manual({ events: ['any'] }, credential);
		const waiting = started.manualTriggerFunction?.();
		await started.closeFunction?.();
		await waiting;
		expect(stub.emissions).toEqual([]);
	});

	it('says at once what is wrong', async () => {
		const credential = { ...bench.credential, accountName: 'wrong', clientSecret: 'wrong' };
		const { started } = await manual({ events: ['any'] }, credential);
		await expect(started.manualTriggerFunction?.()).rejects.toMatchObject({
			context: { code: 'error.transport.general.platformClientInvalid' },
		});
	});
});

/* Removing erases what earlier events told, so this comes last. */
describe('a published trigger, when a relationship is removed', () => {
	it('starts the workflow with nothing but its id', async () => {
		const stub = succeeding(
			stubFor({ events: ['transport.relationshipDecomposedBySelf'] }, freshNode('removed')),
		);
		await start(stub);
		const [active] = await bench.run('relationship', 'getAll', {
			filters: { statuses: ['Active'] },
		});
		const relationshipId = String(active?.json['id']);
		const relationship = { __rl: true, mode: 'id', value: relationshipId };
		await bench.run('relationship', 'end', { relationship, ending: 'terminate' });
		await bench.run('relationship', 'end', { relationship, ending: 'decompose' });
		await until(() => stub.emissions.length === 1);
		expect(stub.emissions[0]?.items[0]?.json).toEqual({
			event: 'transport.relationshipDecomposedBySelf',
			eventName: 'Relationship Decomposed',
			id: expect.stringMatching(/^EVT\d{12}$/),
			createdAt: expect.any(String),
			relationshipId,
			data: { relationshipId },
		});
		await settle(bench.wallet);
		await bench.wallet.relationships.decompose(relationshipId);
	});
});
