import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { hostFolder } from '../../scripts/n8n/host-folder.cjs';
import { referenceOf } from '../interop/contents';
import type { Execution, ExecutionItem } from '../support/n8n/n8n-host';
import { Peer } from '../support/peer/peer';
import { testsIn } from './support/n8n-test';
import { answerTemplate, credentialFor, OnboardedHost } from './support/onboarded-host';
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
} from './support/workflow-builder';
import { makeTemplate } from './support/workflows';

jest.setTimeout(300_000);

/** An address of the right form that does not exist. */
const stranger = 'did:e:localhost:dids:0000000000000000000000';

const announcement = {
	...{ severity: 'Low' as const, recipients: [], iqlQuery: null, actions: [], expiresAt: null },
	texts: { en: { title: 'Maintenance', body: 'Tonight.' } },
};

describe('the package in a real n8n', () => {
	let place: OnboardedHost;
	let credentialId: string;
	const it = testsIn(() => place?.host);

	beforeAll(async () => {
		place = await OnboardedHost.open();
		credentialId = place.credentialId;
	});

	afterAll(() => place?.close());

	it('is loaded with the node, its triggers, its variants for agents and the credential', async () => {
		const nodes = (await place.host.nodeTypes()).map(({ name }) => name);
		const ours = nodes.filter((name) => name.startsWith('n8n-nodes-enmeshed.'));
		expect(ours.sort()).toEqual([
			'n8n-nodes-enmeshed.enmeshed',
			'n8n-nodes-enmeshed.enmeshedHitlTool',
			'n8n-nodes-enmeshed.enmeshedPageTrigger',
			'n8n-nodes-enmeshed.enmeshedTool',
			'n8n-nodes-enmeshed.enmeshedTrigger',
		]);
		const credentials = (await place.host.credentialTypes()).map(({ name }) => name);
		expect(credentials).toContain('enmeshedBackboneApi');
	});

	it('stands beside the nodes of n8n, of which each can be loaded', async () => {
		const program = `
			const { join } = require('node:path');
			const failed = [];
			for (const name of ['n8n-nodes-base', '@n8n/n8n-nodes-langchain']) {
				const folder = join(process.cwd(), 'node_modules', name);
				for (const file of require(join(folder, 'package.json')).n8n.nodes) {
					try { require(join(folder, file)); } catch (error) { failed.push(file + ': ' + error.message); }
				}
			}
			process.stdout.write(JSON.stringify(failed), () => process.exit());`;
		const run = promisify(execFile);
		const { stdout } = await run(process.execPath, ['-e', program], { cwd: hostFolder() });
		expect(JSON.parse(stdout)).toEqual([]);
	});

	describe('tests the credential', () => {
		const good = (): object => credentialFor(place.backbone);
		const test = (changes: object) =>
			place.host.credentialTest({
				id: credentialId,
				name: 'Sandbox',
				type: 'enmeshedBackboneApi',
				data: { ...good(), ...changes },
			});

		it('and says who the gateway is', async () => {
			expect(await test({})).toEqual({
				status: 'OK',
				message: `Connected to Backbone 6 as ${place.gateway}`,
			});
		});

		const wrong: Array<[string, object, string]> = [
			['a wrong URL', { backboneUrl: 'http://localhost:9' }, 'Backbone URL'],
			['a wrong client ID', { clientId: 'stranger' }, 'Client ID or Client Secret'],
			['a wrong client secret', { clientSecret: 'not-it' }, 'Client ID or Client Secret'],
			['a missing client secret', { clientSecret: '' }, 'Client Secret'],
			['another account name', { accountName: 'no/slashes' }, 'Account Name'],
		];
		for (const [what, changes, field] of wrong) {
			it(`and names the field with ${what}`, async () => {
				const { status, message } = await test(changes);
				expect(status).toBe('Error');
				expect(message.slice(0, field.length + 2)).toBe(`${field}: `);
				expect(message).not.toContain('not-it');
			});
		}
	});

	const call = (name: string, resource: string, operation: string, fields: object = {}) =>
		enmeshedNode(name, credentialId, { resource, operation, ...fields }, { executeOnce: true });

	it('runs every operation that does not decide about a relationship', async () => {
		const attribute = byId("={{ $('Create Attribute').first().json.id }}");
		const template = byId("={{ $('Create Template').first().json.id }}");
		const file = byId("={{ $('Upload File').first().json.id }}");
		const message = byId("={{ $('Send Mail').first().json.id }}");
		const peer = byAddress("={{ $('Get Relationships').first().json.peer }}");
		place.backbone.operatorTexts.announce(announcement);
		const nodes = [
			webhook('every-operation'),
			call('Get Identity', 'account', 'getIdentity'),
			call('Sync', 'account', 'sync'),
			call('Create Attribute', 'attribute', 'create', { valueType: 'Surname', value: 'Byron' }),
			call('Get Attribute', 'attribute', 'get', { attribute }),
			call('Set Attribute', 'attribute', 'upsert', { valueType: 'Surname', value: 'Byron' }),
			call('Get Attributes', 'attribute', 'getAll', { returnAll: true }),
			call('Create Template', 'relationshipTemplate', 'create', {
				contentMode: 'fields',
				title: 'Every operation',
				requestItems: { items: [{ kind: 'share', attribute, mustBeAccepted: true }] },
				expires: 'afterDays',
				expiresInDays: 2,
			}),
			call('Create Letters', 'relationshipTemplate', 'createLetters', {
				link: "={{ $('Create Template').first().json.link }}",
				recipient: 'Ada Lovelace',
			}),
			call('Get Templates', 'relationshipTemplate', 'getAll', { returnAll: true }),
			call('Get Relationships', 'relationship', 'getAll', { returnAll: true }),
			call('Get Contacts', 'contact', 'getAll', { returnAll: true }),
			call('Get Contact', 'contact', 'get', { contact: byAddress('={{ $json.peer }}') }),
			call('Find Contact', 'contact', 'find', { findBy: 'name', name: 'AD' }),
			call('Get Template', 'relationshipTemplate', 'get', { template, drawQrCode: true }),
			call('Load Template', 'account', 'loadFromReference', {
				reference: "={{ $('Create Template').first().json.link }}",
			}),
			call('Upload File', 'file', 'upload', { source: 'text', text: 'Hello file' }),
			call('Get File', 'file', 'get', { file, drawQrCode: true }),
			call('Get Files', 'file', 'getAll', { returnAll: true }),
			call('Download File', 'file', 'download', { file }),
			call('Load File', 'account', 'loadFromReference', {
				reference: "={{ $('Get File').first().json.truncatedReference }}",
			}),
			call('Send Mail', 'message', 'sendMail', {
				to: byAddress("={{ $('Get Relationships').first().json.peer }}"),
				subject: 'every operation',
				body: 'text',
				additionalFields: {
					attachments: {
						files: [
							{
								fileSource: 'list',
								file: {
									__rl: true,
									mode: 'id',
									value: "={{ $('Upload File').first().json.id }}",
								},
							},
						],
					},
				},
			}),
			call('Get Messages', 'message', 'getAll', { returnAll: true }),
			call('Get Message', 'message', 'get', { message, markAsRead: true }),
			call('Download Attachment', 'message', 'downloadAttachment', { message }),
			call('Get Unanswered', 'relationshipTemplate', 'getUnanswered', { returnAll: true }),
			call('Delete Template', 'relationshipTemplate', 'delete', { template }),
			call('Send Notification', 'message', 'sendNotification', { to: peer, code: 'test' }),
			call('Get Announcements', 'account', 'getAnnouncements'),
			call('Note About Identity', 'account', 'identityMetadata', {
				handling: 'set',
				reference: peer,
				storedValue: '{ "level": 2 }',
			}),
			call('Challenge', 'account', 'challenge', { handling: 'create', challengeType: 'Identity' }),
			call('Delete Identity', 'account', 'deleteIdentity', { handling: 'status' }),
			call('Get History', 'contact', 'getHistory', { contact: peer }),
			call('Export Contact', 'contact', 'export', { contact: peer }),
			enmeshedNode(
				'Erase Contact',
				credentialId,
				{ resource: 'contact', operation: 'erase', contact: peer },
				{ executeOnce: true, onError: 'continueRegularOutput' },
			),
		];
		const execution = await run('every-operation', nodes);
		expect(endOf(execution)).toBe('success');
		const ofRelationships = lifeOperations.map((operation) => `relationship.${operation}`);
		const elsewhere = [
			...ofRelationships,
			...requestOperations,
			...problemOperations,
			...waitingOperations,
		];
		expect([...new Set(operationsOf(nodes)), ...elsewhere].sort()).toEqual(
			await offeredOperations(),
		);
		const identity = outputOf(execution, 'Get Identity')[0];
		expect(identity?.json['address']).toBe(place.gateway);
		expect(outputOf(execution, 'Get Attribute')[0]?.json).toMatchObject({ value: 'Byron' });
		for (const name of ['Get Template', 'Get File']) {
			expect(outputOf(execution, name)[0]?.binary?.['data']?.mimeType).toBe('image/png');
		}
		expect(outputOf(execution, 'Create Letters')[0]?.binary?.['data']?.mimeType).toBe(
			'application/pdf',
		);
		expect(outputOf(execution, 'Get Contact')[0]?.json).toMatchObject({
			status: 'Active',
			peer: place.wallet.address,
			peerName: 'Ada',
		});
		expect(outputOf(execution, 'Find Contact').map(({ json }) => json)).toMatchObject([
			{ peer: place.wallet.address, peerName: 'Ada', status: 'Active' },
		]);
		expect(outputOf(execution, 'Set Attribute')[0]?.json).toMatchObject({ result: 'unchanged' });
		expect(await place.mailsAtWallet()).toContain('every operation');
		for (const name of ['Download File', 'Download Attachment']) {
			expect(outputOf(execution, name)[0]?.binary?.['data']?.mimeType).toBe('text/plain');
		}
		for (const { name } of nodes) expect(outputOf(execution, name).length).toBeGreaterThan(0);
	});

	/** What `waiting.test` and `visitors.test` run. */
	const waitingOperations = [
		'message.sendAndWait',
		'outgoingRequest.sendAndWait',
		'relationshipTemplate.sendAndWait',
	];

	/** What `says that nothing waits for a person` runs. */
	const problemOperations = ['account.getProblems'];

	it('says that nothing waits for a person', async () => {
		const problems = (handling: string): object => ({
			resource: 'account',
			operation: 'getProblems',
			handling,
			...(handling === 'list' ? {} : { problem: byId('solved') }),
		});
		const goOn = { onError: 'continueRegularOutput' };
		const execution = await run('problems', [
			webhook('problems'),
			enmeshedNode('List', credentialId, problems('list'), { alwaysOutputData: true }),
			enmeshedNode('Retry', credentialId, problems('retry'), goOn),
			enmeshedNode('Discard', credentialId, problems('discard'), goOn),
		]);
		expect(endOf(execution)).toBe('success');
		expect(outputOf(execution, 'List').map(({ json }) => json)).toEqual([{}]);
		for (const name of ['Retry', 'Discard']) {
			expect(String(outputOf(execution, name)[0]?.json['error'])).toContain(
				'error.gateway.problems.unknown',
			);
		}
	});

	/** What `exchanges requests and attributes` runs. */
	const requestOperations = [
		'attribute.delete',
		'attribute.update',
		'incomingRequest.accept',
		'incomingRequest.get',
		'incomingRequest.getAll',
		'incomingRequest.reject',
		'message.sendRequest',
		'outgoingRequest.get',
		'outgoingRequest.getAll',
	];

	it('exchanges requests and attributes with the official runtime', async () => {
		const { wallet } = place;
		const peer = byAddress(wallet.address);
		const title = { kind: 'askFor', valueType: 'JobTitle' };
		const requestItems = {
			items: [title, { kind: 'askForConsent', consent: 'I agree.', mustBeAccepted: false }],
		};
		const first = [
			webhook('ask'),
			call('Create', 'attribute', 'create', { valueType: 'Website', value: 'example.org' }),
			call('Share', 'message', 'sendRequest', {
				to: peer,
				requestItems: { items: [{ kind: 'share', attribute: byId('={{ $json.id }}') }] },
			}),
			call('Validate', 'message', 'sendRequest', { to: peer, requestItems, onlyCheck: true }),
			call('Get Requests', 'outgoingRequest', 'getAll', { returnAll: true }),
			call('Ask', 'message', 'sendRequest', { to: peer, requestItems }),
		];
		const asked = await run('ask', first);
		expect(endOf(asked)).toBe('success');
		expect(outputOf(asked, 'Validate')[0]?.json).toMatchObject({ isSuccess: true });
		const idOf = (name: string): string => String(outputOf(asked, name)[0]?.json['id']);
		const value = { '@type': 'JobTitle', value: 'Countess' };
		const newAttribute = { '@type': 'IdentityAttribute', owner: wallet.address, value };
		await acceptAtWallet(idOf('Share'), [{ accept: true }]);
		await acceptAtWallet(idOf('Ask'), [{ accept: true, newAttribute }, { accept: false }]);

		const attribute = byId(idOf('Create'));
		const second = [
			webhook('answered'),
			call('Sync', 'account', 'sync'),
			call('Outcome', 'outgoingRequest', 'get', { request: byId(idOf('Ask')) }),
			call('Update', 'attribute', 'update', {
				attribute,
				valueType: 'Website',
				value: 'example.com',
				options: { notifyPeers: true },
			}),
			call('Versions', 'attribute', 'get', { attribute, versions: 'all' }),
			call('Copies', 'attribute', 'get', { attribute, versions: 'shared' }),
			call('Delete', 'attribute', 'delete', { attribute: byId('={{ $json.id }}') }),
		];
		const answered = await run('answered', second);
		expect(endOf(answered)).toBe('success');
		expect(outputOf(answered, 'Outcome')[0]?.json).toMatchObject({
			status: 'Completed',
			answers: { JobTitle: 'Countess', Consent: null },
		});
		expect(outputOf(answered, 'Update')[0]?.json).toMatchObject({
			notifiedPeers: [wallet.address],
		});
		expect(outputOf(answered, 'Versions')).toHaveLength(2);
		expect(outputOf(answered, 'Delete')[0]?.json).toMatchObject({ deleted: true });

		const accepted = await requestOfWallet('Are you Byron?');
		const request = byId(accepted);
		const answers = { mappingMode: 'defineBelow', value: { FreeText: 'Yes' } };
		const third = [
			webhook('decide-request'),
			call('Sync', 'account', 'sync'),
			call('Get All', 'incomingRequest', 'getAll', { returnAll: true }),
			call('Get', 'incomingRequest', 'get', { request }),
			call('Check', 'incomingRequest', 'accept', { request, answers, onlyCheck: true }),
			call('Accept', 'incomingRequest', 'accept', { request, answers }),
		];
		const decided = await run('decide-request', third);
		expect(endOf(decided)).toBe('success');
		expect(outputOf(decided, 'Check')[0]?.json).toMatchObject({ isSuccess: true, problems: [] });
		const rejected = await requestOfWallet('Are you Ada?');
		const fourth = [
			webhook('reject-request'),
			call('Sync', 'account', 'sync'),
			call('Reject', 'incomingRequest', 'reject', { request: byId(rejected) }),
		];
		expect(endOf(await run('reject-request', fourth))).toBe('success');
		await wallet.sync();
		for (const [id, result] of [
			[accepted, 'Accepted'],
			[rejected, 'Rejected'],
		]) {
			const own = await wallet.call('consumption.outgoingRequests', 'getRequest', { id });
			expect(own).toMatchObject({ response: { content: { result } } });
		}
		const all = [...first, ...second, ...third, ...fourth];
		const elsewhere = ['account.sync', 'attribute.create', 'attribute.get'];
		const played = new Set(operationsOf(all).filter((name) => !elsewhere.includes(name)));
		expect([...played].sort()).toEqual(requestOperations);
	});

	async function acceptAtWallet(id: string, items: readonly object[]): Promise<void> {
		await place.wallet.sync();
		await place.host.until(async () => {
			const requests = await place.wallet.incomingRequests({ id });
			return requests.some(({ status }) => status === 'ManualDecisionRequired');
		}, 'receiving the request');
		await place.wallet.acceptRequest(id, items);
		// The response leaves a moment after the decision.
		await place.host.until(async () => {
			const requests = await place.wallet.incomingRequests({ id });
			return requests.some(({ status }) => status === 'Completed');
		}, 'answering the request');
	}

	/** The wallet asks the gateway a question; the id of the request. */
	async function requestOfWallet(freeText: string): Promise<string> {
		const item = { '@type': 'FreeTextRequestItem', freeText, mustBeAccepted: true };
		const request = await place.wallet.call('consumption.outgoingRequests', 'create', {
			peer: place.gateway,
			content: { '@type': 'Request', items: [item] },
		});
		await place.wallet.send(place.gateway, request['content'] as object);
		return request.id;
	}

	/** What `the life of relationships` runs. */
	const lifeOperations = ['accept', 'end', 'reactivate', 'reject'];

	it('plays the life of relationships with the official runtime', async () => {
		const makeId = await place.host.createWorkflow(makeTemplate(credentialId, 'decide'));
		await place.host.publish(makeId);
		const wallet = await Peer.start(7, { baseUrl: place.backbone.baseUrl });
		try {
			const theirs = await wallet.createTemplate({
				'@type': 'ArbitraryRelationshipTemplateContent',
				value: {},
			});
			const asked = await run('ask-and-revoke', [
				webhook('ask-and-revoke'),
				call('Ask', 'account', 'loadFromReference', {
					reference: referenceOf(theirs).url,
					connect: true,
					creationContent: '{ "@type": "ArbitraryRelationshipCreationContent", "value": {} }',
				}),
				call('Revoke', 'relationship', 'end', {
					relationship: byId('={{ $json.relationship.id }}'),
					ending: 'revoke',
				}),
			]);
			const { relationship } = outputOf(asked, 'Ask')[0]?.json ?? {};
			expect(relationship).toMatchObject({ status: 'Pending' });
			expect(statusesOf(asked, ['Revoke'])).toEqual(['Revoked']);

			for (const [operation, status] of [
				['reject', 'Rejected'],
				['accept', 'Active'],
			] as const) {
				const templateId = await answerTemplate(place.host, 'decide', wallet);
				await wallet.relationshipWith(place.gateway, 'Pending');
				const filters = { template: byId(templateId), statuses: ['Pending'] };
				const execution = await run(operation, [
					webhook(operation),
					call('Sync', 'account', 'sync'),
					call('Get Pending', 'relationship', 'getAll', { returnAll: true, filters }),
					call('Decide', 'relationship', operation, { relationship: byId('={{ $json.id }}') }),
				]);
				expect(endOf(execution)).toBe('success');
				expect(outputOf(execution, 'Decide').map(({ json }) => json['status'])).toEqual([status]);
				await wallet.sync();
				await wallet.relationshipWith(place.gateway, status);
			}

			const { id } = await wallet.relationshipWith(place.gateway, 'Active');
			const end = (name: string, ending: string): TestNode =>
				call(name, 'relationship', 'end', { relationship: byId(id), ending });
			const reactivate = (name: string, step: string): TestNode =>
				call(name, 'relationship', 'reactivate', { relationship: byId(id), step });
			const sync = call('Sync', 'account', 'sync');
			const ended = await run('end', [
				webhook('end'),
				end('Terminate', 'terminate'),
				reactivate('Request', 'requestReactivation'),
				reactivate('Revoke', 'revokeReactivation'),
			]);
			expect(statusesOf(ended, ['Terminate', 'Request', 'Revoke'])).toEqual(
				Array.from({ length: 3 }, () => 'Terminated'),
			);
			for (const [step, status] of [
				['rejectReactivation', 'Terminated'],
				['acceptReactivation', 'Active'],
			] as const) {
				await wallet.sync();
				const request = { relationshipId: id };
				await wallet.call('transport.relationships', 'requestRelationshipReactivation', request);
				const decided = await run(step, [webhook(step), sync, reactivate('Decide', step)]);
				expect(statusesOf(decided, ['Decide'])).toEqual([status]);
			}
			const removed = await run('remove', [
				webhook('remove'),
				end('Terminate', 'terminate'),
				end('Decompose', 'decompose'),
			]);
			expect(outputOf(removed, 'Decompose').map(({ json }) => json)).toEqual([{ deleted: true }]);
		} finally {
			await wallet.stop();
		}
	});

	const statusesOf = (execution: Execution, names: readonly string[]): unknown[] =>
		names.map((name) => outputOf(execution, name)[0]?.json['status']);

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
		const sendings = (): number => place.backbone.calls.count('POST', messages);
		const before = sendings();
		// The first item is sent; the second one fails in a way that the gateway does not repeat.
		place.backbone.faults.add({
			method: 'POST',
			path: messages,
			nth: 2,
			action: { kind: 'status', status: 403 },
		});
		const execution = await run('again', [
			webhook('again'),
			items([{ subject: 'sent at once' }, { subject: 'sent at the second try' }]),
			sendMail(credentialId, place.wallet.address, '={{ $json.subject }}', {
				retryOnFail: true,
				maxTries: 3,
				waitBetweenTries: 100,
			}),
		]);
		expect(endOf(execution)).toBe('success');
		expect(outputOf(execution, 'Send')).toHaveLength(2);
		// Two tries of the node: the second one did not send the first item again.
		expect(sendings() - before).toBe(3);
		const received = await place.mailsAtWallet();
		for (const subject of ['sent at once', 'sent at the second try']) {
			expect(received.filter((other) => other === subject)).toHaveLength(1);
		}
	});

	it('stops the workflow when the last try fails too', async () => {
		const execution = await run('in-vain', [
			webhook('in-vain'),
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
		expect(failed?.json).toMatchObject({
			message: expect.stringContaining(stranger),
			description: expect.stringMatching(/\w+ \w+/),
			code: 'error.transport.messages.missingOrInactiveRelationship',
		});
		expect(third?.json).toMatchObject({ subject: 'third' });
		const found = outputOf(execution, 'Look Back').map(({ json }) => json['found']);
		expect(found).toEqual(['first', 'to a stranger', 'third']);
	});

	it('hands failed items, and only those, to the error output', async () => {
		const subject = "$('Items').item.json.subject";
		const good = { ...lookBack(subject), name: 'Good' };
		const bad = { ...lookBack(subject), name: 'Bad' };
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
		const found = (node: string): unknown[] =>
			outputOf(execution, node).map(({ json }) => json['found']);
		expect(found('Good')).toEqual(['first', 'third']);
		expect(found('Bad')).toEqual(['to a stranger']);
		expect(execution.data.resultData.runData['Send']?.[0]?.data?.main[1]?.[0]?.json).toMatchObject({
			to: stranger,
			subject: 'to a stranger',
			message: expect.stringContaining(stranger),
			description: expect.stringMatching(/\w+ \w+/),
			code: 'error.transport.messages.missingOrInactiveRelationship',
		});
	});

	it('stops its work when the execution is canceled', async () => {
		const { calls, faults } = place.backbone;
		const before = calls.count('POST', messages);
		faults.add({
			method: 'POST',
			path: messages,
			nth: 2,
			action: { kind: 'delay', durationMs: 6_000 },
		});
		const id = await publish('cancel', [
			webhook('cancel', 'onReceived'),
			items([{ n: 'one' }, { n: 'two' }, { n: 'three' }]),
			sendMail(credentialId, place.wallet.address, '=canceled {{ $json.n }}'),
		]);
		const first = faults.onNext('POST', messages);
		await place.host.webhook('cancel');
		await first;
		await faults.onNext('POST', messages);
		const [running = ''] = await place.host.runningExecutions(id);
		await place.host.stopExecution(running);
		const canceled = await ended(id);
		expect(canceled.status).toBe('canceled');
		expect(outputOf(canceled, 'Send')).toEqual([]);
		// Had the node waited for the answer, it would send the third mail now.
		await place.host.until(
			async () => calls.count('POST', messages) - before >= 2,
			'past the delayed answer',
		);
		const after = await run('after-cancel', [
			webhook('after-cancel'),
			sendMail(credentialId, place.wallet.address, 'after the cancellation'),
		]);
		expect(endOf(after)).toBe('success');
		const received = await place.mailsAtWallet();
		expect(received).toContain('canceled one');
		expect(received).toContain('after the cancellation');
		expect(received).not.toContain('canceled three');
		expect(calls.count('POST', messages) - before).toBe(3);
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

	/** As `resource.operation`, sorted: what the editor offers. */
	async function offeredOperations(): Promise<string[]> {
		const types = await place.host.nodeTypes();
		const node = types.find(({ name }) => name === 'n8n-nodes-enmeshed.enmeshed');
		const lists = node?.properties.filter(({ name }) => name === 'operation') ?? [];
		return lists
			.flatMap(({ displayOptions, options }) => {
				const [resource = ''] = displayOptions?.show?.resource ?? [];
				return (options ?? []).map(({ value }) => `${resource}.${String(value)}`);
			})
			.sort();
	}
});

const messages = /\/Messages(\?|$)/;

function operationsOf(nodes: readonly TestNode[]): string[] {
	return nodes
		.map(({ parameters }) => parameters as { resource?: string; operation?: string })
		.filter(({ resource }) => resource !== undefined)
		.map(({ resource, operation }) => `${resource}.${operation}`);
}

function endOf({ status, data }: Execution): string {
	return data.resultData.error?.message ?? status;
}

function outputOf({ data }: Execution, node: string): ExecutionItem[] {
	return data.resultData.runData[node]?.[0]?.data?.main.flatMap((output) => output ?? []) ?? [];
}
