import type { IDataObject } from 'n8n-workflow';
import type { GatewayFacade } from '../../../core';
import { EnmeshedTrigger } from '../../../nodes/Enmeshed/EnmeshedTrigger.node';
import { triggerFields } from '../../../nodes/Enmeshed/trigger/trigger-fields';
import { settle } from '../../support/gateways';
import { defaultsOf, triggerFunctions } from '../../support/n8n/n8n-functions';
import { until } from '../../support/until';
import { NodeBench } from '../support/node-bench';

jest.setTimeout(60_000);

let bench: NodeBench;
const open: Array<Awaited<ReturnType<EnmeshedTrigger['trigger']>>> = [];

beforeAll(async () => {
	bench = await NodeBench.open();
});

afterEach(async () => {
	for (const trigger of open.splice(0)) await trigger.closeFunction?.();
});

afterAll(() => bench.close());

it.each<[string, number, IDataObject, string[]]>([
	['Mail Received', 1.1, { events: ['peer.mailReceived'] }, ['Mail']],
	[
		'Message Received',
		1.1,
		{ events: ['transport.messageReceived'] },
		['Mail', 'ArbitraryMessageContent'],
	],
	[
		'both',
		1.1,
		{ events: ['peer.mailReceived', 'transport.messageReceived'] },
		['Mail', 'ArbitraryMessageContent'],
	],
	[
		'Message Received with its option',
		1.1,
		{
			events: ['transport.messageReceived'],
			options: { includeProtocolMessages: true },
		},
		['Request', 'ResponseWrapper', 'Mail', 'ArbitraryMessageContent'],
	],
	[
		'Message Received with a filter by type',
		1.1,
		{
			events: ['transport.messageReceived'],
			filters: { messageTypes: ['ResponseWrapper'] },
		},
		['ResponseWrapper'],
	],
	[
		'Message Received of a workflow that was published before',
		1,
		{ events: ['transport.messageReceived'] },
		['Request', 'ResponseWrapper', 'Mail', 'ArbitraryMessageContent'],
	],
	[
		'Any Event',
		1.1,
		{ events: ['any'] },
		['Request', 'ResponseWrapper', 'Mail', 'ArbitraryMessageContent'],
	],
])(
	'a trigger with %s, version %s, starts the workflow for %s: %s',
	async (_, typeVersion, chosen, types) => {
		const person = await bench.network.gateway();
		const { relationshipId, address } = await bench.connect(person);
		await bench.run('relationship', 'accept', { relationship: relationshipId });
		await settle(person);
		const ours = String((await bench.one('account', 'getIdentity'))['address']);
		const node = { id: `types ${JSON.stringify(chosen)} ${typeVersion}`, typeVersion };
		const stub = triggerFunctions({
			credentials: bench.credential,
			node,
			parameters: { ...defaultsOf(triggerFields), ...chosen },
		});
		stub.onEmit = (emission) => emission.settle({ status: 'success' });
		open.push(await new EnmeshedTrigger().trigger.call(stub.functions));

		const item = {
			'@type': 'ConsentRequestItem' as const,
			consent: 'May we?',
			mustBeAccepted: true,
		};
		const ask = async (from: GatewayFacade, peer: string) => {
			const { content } = await from.outgoingRequests.create({ content: { items: [item] }, peer });
			await from.messages.send({ recipients: [peer], content });
		};
		await ask(person, ours);
		const { gateway, release } = await bench.gateway();
		await ask(gateway, address);
		release();
		await settle(person);
		const [asked] = await person.incomingRequests.list();
		await person.incomingRequests.accept(asked?.id ?? '', { items: [{ accept: true }] });
		await bench.settle();
		const mail = { '@type': 'Mail' as const, to: [ours], subject: 'Hello', body: 'It is me.' };
		await person.messages.send({ recipients: [ours], content: mail });
		const value = { any: 'thing' };
		await person.messages.send({
			recipients: [ours],
			content: { '@type': 'ArbitraryMessageContent', value },
		});
		await bench.settle();
		const told = () =>
			stub.emissions
				.map(({ items }) => items[0]?.json ?? {})
				.filter(({ event }) => event === 'transport.messageReceived')
				.map(({ messageType }) => messageType);
		await until(() => told().length >= types.length);
		expect(told()).toEqual(types);
	},
);
