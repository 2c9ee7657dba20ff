import { target } from '../support/backbone/backbone-target';
import { eventStream } from './support/event-stream';
import { type Api, message, RuleBench } from './support/raw-client';

/* docs/protocol/backbone-api.md 19 */
let bench: RuleBench;

beforeEach(async () => {
	bench = await RuleBench.open();
});

afterEach(() => bench.close());

describe.each(['v1', 'v2'] as const)('the push stream of %s', (api: Api) => {
	it('opens, and names what happened', async () => {
		const { to, from } = await bench.active(api);
		const stream = await eventStream(to);
		expect(stream.response.headers.get('content-type')).toBe('text/event-stream');
		await from.call('POST', 'Messages', message(to.address));
		await stream.reaches('ExternalEventCreated');
		expect(stream.events).toEqual(['ConnectionOpened', 'ExternalEventCreated']);
		await stream.close();
	});

	it('announces what a sync run then holds back, also to an identity that is to be deleted', async () => {
		const { to, from, id } = await bench.pending(api);
		await to.sync();
		const stream = await eventStream(to);
		await from.call('POST', 'Messages', message(to.address));
		expect(await to.sync()).toEqual([]);
		await to.call('PUT', `Relationships/${id}/Accept`, {});
		await to.call('POST', 'Identities/Self/DeletionProcesses', {});
		await stream.reaches('DeletionProcessStarted');
		await from.call('POST', 'Messages', message(to.address));
		const { result } = await to.call('GET', 'Identities/Self/DeletionProcesses');
		const [process] = result as unknown as Array<{ id: string }>;
		const path = `Identities/Self/DeletionProcesses/${process?.id ?? ''}/Cancel`;
		await to.call('PUT', path, {});
		await stream.reaches('DeletionProcessCancelledByOwner');
		expect(stream.events).toEqual([
			'ConnectionOpened',
			'ExternalEventCreated',
			'DeletionProcessStarted',
			// At a server of version 7, only until the deletion begins.
			...(target?.majorVersion === 7 ? [] : ['ExternalEventCreated']),
			'DeletionProcessCancelledByOwner',
		]);
		await stream.close();
	});
});

it('a second push stream of an identity is closed at once, and silences the first', async () => {
	const { to, from } = await bench.active();
	const first = await eventStream(to);
	const second = await eventStreamThatEnds();
	expect(second).toEqual([]);
	await from.call('POST', 'Messages', message(to.address));
	const third = await eventStream(to);
	await from.call('POST', 'Messages', message(to.address));
	await third.reaches('ExternalEventCreated');
	expect(first.events).toEqual(['ConnectionOpened']);
	await first.close();
	await third.close();

	async function eventStreamThatEnds(): Promise<string[]> {
		const response = await to.stream(new AbortController().signal);
		expect(response.status).toBe(200);
		return [...(await response.text()).matchAll(/event: (.+)/g)].map(([, name]) => name ?? '');
	}
});
