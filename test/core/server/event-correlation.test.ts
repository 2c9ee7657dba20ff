import { silentLogger } from '../../../core/base/logger';
import { modulesSchema } from '../../../core/server/config/modules-config';
import { startModules } from '../../../core/server';
import { arrivals, mailTo, relate, SandboxNetwork } from '../../support/gateways';
import { until } from '../../support/until';
import { Receiver } from '../publish/webhooks/support/receiver';
import { HttpGateway } from './support/http-gateway';

/* docs/protocol/http-api.md 11, 18.1 correlationId: from the request to the webhook. */
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
let network: SandboxNetwork;
let http: HttpGateway;
let receiver: Receiver;
let modules: { close(): Promise<void> };
let peer: Awaited<ReturnType<SandboxNetwork['gateway']>>;
let addressA: string;
let addressB: string;

beforeAll(async () => {
	network = await SandboxNetwork.open();
	http = await HttpGateway.open(network);
	peer = await network.gateway();
	({ addressA, addressB } = await relate(http.gateway, peer));
	receiver = await Receiver.open();
	modules = await startModules(
		{ facade: http.gateway, logger: silentLogger },
		modulesSchema.parse({
			webhooks: {
				enabled: true,
				webhooks: [{ triggers: ['**'], target: { url: receiver.url } }],
			},
		}),
	);
	// The start of the modules is an event as well, which belongs to no request.
	await until(() => receiver.received.length === 1);
});
afterAll(async () => {
	await modules.close();
	await http.close();
	await receiver.down();
	await network.close();
});

async function correlationOf(trigger: string, act: () => Promise<unknown>): Promise<unknown[]> {
	receiver.received.length = 0;
	await act();
	await until(() => receiver.received.some(({ body }) => body.trigger === trigger));
	return [...new Set(receiver.received.map(({ headers }) => headers['x-correlation-id']))];
}

const request = (): object => ({
	content: { items: [{ '@type': 'AuthenticationRequestItem', mustBeAccepted: false, title: 'x' }] },
	peer: addressB,
});

it('http-api 18.1: correlationId 2 | is the correlation id of the request which caused the event', async () => {
	const ids = await correlationOf('consumption.outgoingRequestCreated', () =>
		http.ask('POST /Requests/Outgoing', {
			json: request(),
			headers: { 'x-correlation-id': 'asked-for' },
		}),
	);
	expect(ids).toEqual(['asked-for']);
});

it('http-api 18.1: correlationId 1; interface 1: point 6 | is a fresh one when the request names none', async () => {
	const ids = await correlationOf('consumption.outgoingRequestCreated', () =>
		http.ask('POST /Requests/Outgoing', { json: request() }),
	);
	expect(ids).toEqual([expect.stringMatching(uuid)]);
});

it('is one for everything that a sync brings', async () => {
	await peer.messages.send(mailTo(addressA));
	const byItself = await correlationOf('consumption.messageProcessed', () =>
		arrivals(http.gateway),
	);
	expect(byItself).toEqual([expect.stringMatching(uuid)]);
	await peer.messages.send(mailTo(addressA));
	network.backbone.queues.deliverAll();
	const asked = await correlationOf('consumption.messageProcessed', () =>
		http.ask('POST /Account/Sync', { headers: { 'x-correlation-id': 'sync-now' } }),
	);
	expect(asked).toEqual(['sync-now']);
});
