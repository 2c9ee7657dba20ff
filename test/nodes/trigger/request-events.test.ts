import { settle } from '../../support/gateways';
import type { IDataObject } from 'n8n-workflow';
import { EnmeshedTrigger } from '../../../nodes/Enmeshed/EnmeshedTrigger.node';
import { triggerFields } from '../../../nodes/Enmeshed/trigger/trigger-fields';
import { defaultsOf, triggerFunctions, type TriggerStub } from '../../support/n8n/n8n-functions';
import { until } from '../../support/until';
import { NodeBench } from '../support/node-bench';

jest.setTimeout(60_000);

let bench: NodeBench;
let own: string;
let peer: string;
const open: Array<{ closeFunction?: () => Promise<void> }> = [];

beforeAll(async () => {
	bench = await NodeBench.open();
	own = String((await bench.one('account', 'getIdentity'))['address']);
	peer = (await bench.wallet.account.getIdentity()).address;
});

afterEach(async () => {
	for (const trigger of open.splice(0)) await trigger.closeFunction?.();
});

afterAll(async () => {
	await bench?.close();
});

/** A trigger of its own that has already started, and succeeds with everything. */
async function listen(events: string[], filters: IDataObject = {}): Promise<TriggerStub> {
	const stub = triggerFunctions({
		credentials: bench.credential,
		node: { id: `${events.join()} ${JSON.stringify(filters)}` },
		parameters: { ...defaultsOf(triggerFields), events, filters },
	});
	stub.onEmit = (emission) => emission.settle({ status: 'success' });
	const started = await new EnmeshedTrigger().trigger.call(stub.functions);
	open.push(started as { closeFunction?: () => Promise<void> });
	return stub;
}

const emitted = (stub: TriggerStub): IDataObject[] =>
	stub.emissions.flatMap(({ items }) => items.map(({ json }) => json));

const share = (type: string, value: string) => ({
	accept: true,
	newAttribute: {
		'@type': 'IdentityAttribute' as const,
		owner: peer,
		value: { '@type': type, value },
	},
});

describe('the trigger', () => {
	it('gives the answers to a template, and each attribute that was shared with it', async () => {
		const answers = await listen(['peer.outgoingRequestAnswered']);
		const attributes = await listen(['peer.attributeShared'], { peer });
		const requested = await listen(['relationship.requested']);
		const template = await bench.one('relationshipTemplate', 'create', {
			title: 'Onboarding',
			requestItems: {
				items: [
					{ kind: 'askFor', valueType: 'GivenName' },
					{ kind: 'askFor', valueType: 'PhoneNumber', mustBeAccepted: false },
					{ kind: 'askForConsent', consent: 'I agree.' },
				],
			},
			options: { title: 'About you' },
		});
		await bench.wallet.templates.loadPeer({
			reference: String(template['truncatedReference']),
		});
		const [asked] = await bench.wallet.incomingRequests.list();
		const { id } = asked ?? { id: '' };
		await bench.wallet.incomingRequests.accept(id, {
			items: [share('GivenName', 'Ada'), { accept: false }, { accept: true }],
		});
		await bench.settle();
		await until(() => answers.emissions.length === 1 && attributes.emissions.length === 1);
		await until(() => requested.emissions.length === 1);
		const [relationship] = await bench.run('relationship', 'getAll');
		expect(emitted(requested)).toEqual([
			expect.objectContaining({
				event: 'transport.relationshipChanged',
				peerName: 'Ada',
				status: 'Pending',
				answers: { GivenName: 'Ada', PhoneNumber: null, Consent: true },
			}),
		]);
		expect(emitted(answers)).toEqual([
			expect.objectContaining({
				event: 'consumption.outgoingRequestCreatedAndCompleted',
				peer,
				peerName: 'Ada',
				requestId: id,
				requestTitle: 'About you',
				templateId: template['id'],
				relationshipId: relationship?.json['id'],
				status: 'Completed',
				result: 'Accepted',
				answers: { GivenName: 'Ada', PhoneNumber: null, Consent: true },
			}),
		]);
		expect(emitted(attributes)).toEqual([
			expect.objectContaining({
				event: 'consumption.attributeCreated',
				peer,
				attributeId: expect.stringMatching(/^ATT/),
				attributeType: 'GivenName',
				value: 'Ada',
			}),
		]);
	});

	it('gives the answers to a request that was sent, and nothing when it is sent', async () => {
		const [pending] = await bench.run('relationship', 'getAll');
		const relationship = { __rl: true, mode: 'id', value: pending?.json['id'] };
		await bench.run('relationship', 'accept', { relationship });
		await settle(bench.wallet);
		const answers = await listen(['peer.outgoingRequestAnswered', 'transport.messageSent']);
		const sent = await bench.one('message', 'sendRequest', {
			to: { __rl: true, mode: 'address', value: peer },
			requestItems: { items: [{ kind: 'freeText', freeText: 'How are you?' }] },
		});
		await settle(bench.wallet);
		await bench.wallet.incomingRequests.accept(String(sent['id']), {
			items: [{ accept: true, freeText: 'Fine' }],
		});
		await bench.settle();
		await until(() => answers.emissions.length === 2);
		expect(emitted(answers)).toMatchObject([
			{ event: 'transport.messageSent' },
			{
				event: 'consumption.outgoingRequestStatusChanged',
				peer,
				requestId: sent['id'],
				messageId: sent['messageId'],
				result: 'Accepted',
				answers: { FreeText: 'Fine' },
			},
		]);
	});

	it('tells when an answer does not count, and gives none with its message', async () => {
		const [answered] = await bench.run('outgoingRequest', 'getAll', {
			filters: { requestStatuses: ['Completed'] },
		});
		const { id: requestId, messageId, templateId } = answered?.json ?? {};
		const refused = await listen(['gateway.answerRefused']);
		const messages = await listen(['transport.messageReceived'], {
			messageTypes: ['ResponseWrapper'],
		});
		const item = { '@type': 'AcceptResponseItem' as const, result: 'Accepted' };
		await bench.wallet.messages.send({
			recipients: [own],
			content: {
				'@type': 'ResponseWrapper',
				requestId: String(requestId),
				requestSourceReference: String(messageId ?? templateId),
				requestSourceType: 'Message',
				response: { requestId: String(requestId), result: 'Accepted', items: [item] },
			},
		});
		await until(() => refused.emissions.length === 1 && messages.emissions.length === 1);
		expect(emitted(refused)).toMatchObject([
			{
				event: 'gateway.answerRefused',
				peer,
				peerName: 'Ada',
				requestId,
				data: { code: 'error.gateway.requests.answeredAlready' },
			},
		]);
		expect(emitted(messages)).toMatchObject([{ peer, requestId }]);
		expect(emitted(messages)[0]).not.toHaveProperty('result');
		expect(emitted(messages)[0]).not.toHaveProperty('answers');
	});

	it('tells when a peer asks, and what becomes of its request', async () => {
		const received = await listen(['consumption.incomingRequestReceived'], { peer });
		const decided = await listen(['consumption.incomingRequestStatusChanged'], {
			requestStatuses: ['Completed'],
		});
		const request = await bench.wallet.outgoingRequests.create({
			peer: own,
			content: {
				'@type': 'Request',
				title: 'Hello',
				items: [{ '@type': 'ConsentRequestItem', mustBeAccepted: true, consent: 'You agree.' }],
			},
		});
		await bench.wallet.messages.send({ recipients: [own], content: request.content });
		await until(() => received.emissions.length === 1);
		expect(emitted(received)).toMatchObject([
			{
				event: 'consumption.incomingRequestReceived',
				peer,
				requestId: request.id,
				requestTitle: 'Hello',
				messageId: expect.stringMatching(/^MSG/),
			},
		]);
		await bench.run('incomingRequest', 'accept', {
			request: { __rl: true, mode: 'id', value: request.id },
		});
		await until(() => decided.emissions.length === 1);
		expect(emitted(decided)).toMatchObject([
			{
				requestId: request.id,
				status: 'Completed',
				result: 'Accepted',
			},
		]);
		expect(emitted(decided)[0]).not.toHaveProperty('answers');
	});
});
