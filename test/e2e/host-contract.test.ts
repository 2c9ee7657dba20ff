import type { Execution, ExecutionItem } from '../support/n8n-host';
import { OnboardedHost } from './onboarded-host';
import {
	byAddress,
	byId,
	enmeshedNode,
	items,
	lookBack,
	sendMail,
	webhook,
	workflowOf,
	type TestNode,
} from './workflow-builder';

jest.setTimeout(600_000);

/** An address of the right form that nobody has. */
const stranger = 'did:e:localhost:dids:0000000000000000000000';

describe('the action node in a real n8n', () => {
	let place: OnboardedHost;
	let credentialId: string;

	beforeAll(async () => {
		place = await OnboardedHost.open();
		credentialId = place.credentialId;
	});

	afterAll(() => place.close());

	it('runs every operation', async () => {
		const once = { executeOnce: true };
		const call = (name: string, resource: string, operation: string, fields: object = {}) =>
			enmeshedNode(name, credentialId, { resource, operation, ...fields }, once);
		const attribute = byId("={{ $('Create Attribute').first().json.id }}");
		const template = byId("={{ $('Create Template').first().json.id }}");
		const relationship = byId("={{ $('Get Relationships').first().json.id }}");
		const nodes = [
			webhook('every-operation'),
			call('Get Identity', 'account', 'getIdentity'),
			call('Sync', 'account', 'sync'),
			call('Get Sync Status', 'account', 'getSyncStatus'),
			call('Create Attribute', 'attribute', 'create', { valueType: 'Surname', value: 'Byron' }),
			call('Get Attribute', 'attribute', 'get', { attribute }),
			call('Get Attributes', 'attribute', 'getAll', { returnAll: true }),
			call('Create Template', 'relationshipTemplate', 'create', {
				contentMode: 'fields',
				title: 'Every operation',
				share: {
					items: [{ attribute, mustBeAccepted: true }],
				},
				expires: 'afterDays',
				expiresInDays: 2,
			}),
			call('Get QR Code', 'relationshipTemplate', 'getQrCode', { template }),
			call('Get Templates', 'relationshipTemplate', 'getAll', { returnAll: true }),
			call('Get Relationships', 'relationship', 'getAll', { returnAll: true }),
			call('Get Relationship', 'relationship', 'get', { relationship }),
			call('Send Mail', 'message', 'sendMail', {
				to: byAddress("={{ $('Get Relationships').first().json.peer }}"),
				subject: 'every operation',
				body: 'text',
			}),
			call('Get Messages', 'message', 'getAll', { returnAll: true }),
		];
		const execution = await run('every-operation', nodes);
		expect(endOf(execution)).toBe('success');
		const identity = outputOf(execution, 'Get Identity')[0];
		expect(identity?.json['address']).toBe(place.gateway);
		expect(outputOf(execution, 'Get Attribute')[0]?.json).toMatchObject({ value: 'Byron' });
		expect(outputOf(execution, 'Get QR Code')[0]?.binary?.['data']?.mimeType).toBe('image/png');
		expect(outputOf(execution, 'Get Relationship')[0]?.json).toMatchObject({
			status: 'Active',
			peer: place.wallet.address,
			peerName: 'Ada',
		});
		expect(await place.mailsAtWallet()).toContain('every operation');
		for (const { name } of nodes) expect(outputOf(execution, name).length).toBeGreaterThan(0);
	});

	it('links each item to its input through a following node', async () => {
		const execution = await run('links', [
			webhook('links'),
			items([{ n: 'one' }, { n: 'two' }, { n: 'three' }]),
			sendMail(credentialId, place.wallet.address, '=link {{ $json.n }}'),
			lookBack("$('Items').item.json.n"),
		]);
		expect(endOf(execution)).toBe('success');
		const found = outputOf(execution, 'Look Back').map(({ json }) => json['found']);
		expect(found).toEqual(['one', 'two', 'three']);
	});

	it('sends once when n8n tries the node again', async () => {
		const execution = await run('again', [
			webhook('again'),
			items([
				{ to: place.wallet.address, subject: 'sent once' },
				{ to: stranger, subject: 'never sent' },
			]),
			sendMail(credentialId, '={{ $json.to }}', '={{ $json.subject }}', {
				retryOnFail: true,
				maxTries: 3,
				waitBetweenTries: 100,
			}),
		]);
		expect(execution.status).toBe('error');
		expect(endOf(execution)).toContain(stranger);
		const received = await place.mailsAtWallet();
		expect(received.filter((subject) => subject === 'sent once')).toHaveLength(1);
	});

	const threeMails = (): TestNode =>
		items([
			{ to: place.wallet.address, subject: 'first' },
			{ to: stranger, subject: 'to a stranger' },
			{ to: place.wallet.address, subject: 'third' },
		]);

	it('continues item by item when told so, with one error item for what failed', async () => {
		const execution = await run('continue', [
			webhook('continue'),
			threeMails(),
			sendMail(credentialId, '={{ $json.to }}', '={{ $json.subject }}', {
				onError: 'continueRegularOutput',
			}),
			lookBack("$('Items').item.json.subject"),
		]);
		expect(endOf(execution)).toBe('success');
		const [first, failed, third] = outputOf(execution, 'Send');
		expect(first?.json).toMatchObject({ subject: 'first' });
		expect(String(failed?.json['error'])).toContain(stranger);
		expect(third?.json).toMatchObject({ subject: 'third' });
		const found = outputOf(execution, 'Look Back').map(({ json }) => json['found']);
		expect(found).toEqual(['first', 'to a stranger', 'third']);
	});

	it('hands failed items, and only those, to the error output', async () => {
		const good = { ...lookBack("'good'"), name: 'Good' };
		const bad = { ...lookBack("'bad'"), name: 'Bad' };
		const execution = await run(
			'error-output',
			[
				webhook('error-output'),
				threeMails(),
				sendMail(credentialId, '={{ $json.to }}', '={{ $json.subject }}', {
					onError: 'continueErrorOutput',
				}),
				good,
				bad,
			],
			{ Send: ['Good', 'Bad'], Good: [] },
		);
		expect(endOf(execution)).toBe('success');
		expect(outputOf(execution, 'Good')).toHaveLength(2);
		expect(outputOf(execution, 'Bad')).toHaveLength(1);
	});

	it('stops its work when the execution is canceled', async () => {
		const withdraw = place.backbone.faults.add({
			method: 'POST',
			path: /\/RelationshipTemplates/,
			action: { kind: 'delay', durationMs: 120_000 },
		});
		const arrived = place.backbone.faults.onNext('POST', /\/RelationshipTemplates/);
		const id = await publish('cancel', [
			webhook('cancel', 'onReceived'),
			enmeshedNode('Template', credentialId, {
				resource: 'relationshipTemplate',
				operation: 'create',
				contentMode: 'fields',
				title: 'Canceled',
				expires: 'afterDays',
				expiresInDays: 2,
			}),
		]);
		await place.host.webhook('cancel');
		await arrived;
		const [running] = await place.host.executions(id);
		await place.host.stopExecution(running?.id ?? '');
		const canceled = await ended(id);
		withdraw();
		expect(canceled.status).toBe('canceled');
		expect(outputOf(canceled, 'Template')).toEqual([]);
	});

	async function publish(
		name: string,
		nodes: readonly TestNode[],
		branches?: Record<string, readonly string[]>,
	): Promise<string> {
		const id = await place.host.createWorkflow(workflowOf(name, nodes, branches));
		await place.host.publish(id);
		return id;
	}

	/** Runs the workflow once through its webhook, named like it, and returns how it went. */
	async function run(
		name: string,
		nodes: readonly TestNode[],
		branches?: Record<string, readonly string[]>,
	): Promise<Execution> {
		const id = await publish(name, nodes, branches);
		// A failed workflow answers 500: what counts is the execution.
		await place.host.webhook(name).catch(() => undefined);
		return await ended(id);
	}

	async function ended(workflowId: string): Promise<Execution> {
		let found: Execution | undefined;
		await place.host.until(async () => {
			[found] = await place.host.executions(workflowId);
			return found !== undefined && !['new', 'running', 'waiting'].includes(found.status);
		}, `done with ${workflowId}`);
		return found as Execution;
	}
});

function endOf({ status, data }: Execution): string {
	return data.resultData.error?.message ?? status;
}

function outputOf({ data }: Execution, node: string): ExecutionItem[] {
	return data.resultData.runData[node]?.[0]?.data?.main.flatMap((output) => output ?? []) ?? [];
}
