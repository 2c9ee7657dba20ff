import { until } from '../support/until';
import type { SandboxOptions } from '../../sandbox/sandbox-backbone';
import { eventStream } from './support/event-stream';
import {
	bytes,
	datawallet,
	message,
	SandboxBench,
	type RawAccount,
	type RawAnswer,
} from './support/raw-client';

/* Rules of docs/protocol/backbone-api.md 4.1, 9.2, 13.2, 18.4 and 19 about what is later, or elsewhere. */
const refusal = ({ status, code }: RawAnswer): string => `${status} ${code}`;
const exhausted = '429 error.platform.quotaExhausted';

let bench: SandboxBench;

async function open(options: SandboxOptions = {}): Promise<void> {
	bench = await SandboxBench.open(options);
}

const real = { behaviour: 'real', seed: 5, repeatedShare: 0 } as const;

afterEach(() => bench.close());

describe('an access token', () => {
	it('is bound to the host at which it was asked for', async () => {
		await open();
		const account = await bench.account();
		const { authorization } = account;
		const path = '/api/v2/Datawallet';
		const elsewhere = bench.sandbox.baseUrl.replace('localhost', '127.0.0.1');
		expect((await bench.call('GET', path, undefined, { authorization })).status).toBe(200);
		expect((await fetch(`${elsewhere}${path}`, { headers: { authorization } })).status).toBe(401);
	});

	it('goes on until it expires when the identity was deleted', async () => {
		await open();
		const { to, from } = await bench.active();
		await from.call('POST', 'Identities/Self/DeletionProcesses', { lengthOfGracePeriodInDays: -1 });
		bench.sandbox.runJobs();
		const gone = [
			from.call('POST', 'SyncRuns', {}, datawallet),
			from.call('GET', 'Identities/Self'),
		];
		for (const answer of await Promise.all(gone)) {
			expect(refusal(answer)).toBe('404 error.platform.recordNotFound');
			expect(answer.body).toMatchObject({
				error: { message: expect.stringMatching(/^Identity not found/) },
			});
		}
		expect(refusal(await from.call('POST', 'Messages', message(to.address)))).toBe(
			'400 error.platform.validation.message.noRelationshipToRecipientExists',
		);
		expect((await from.logIn()).body).toMatchObject({ error: 'invalid_grant' });
		bench.sandbox.advanceClock(301_000);
		expect((await from.call('GET', 'Identities/Self')).status).toBe(401);
	});
});

it('a body of another content type is refused, also where none is needed', async () => {
	await open();
	const account = await bench.account();
	const text = { 'content-type': 'text/plain' };
	for (const path of ['Challenges', 'Identities/Self/DeletionProcesses']) {
		expect((await account.call('POST', path, '{}', text)).status).toBe(415);
	}
});

it('an identity that is to be deleted is told of new events by version 6 only', async () => {
	const toldInVersion = async (majorVersion: 6 | 7): Promise<string[]> => {
		await open({ majorVersion });
		const { to, from } = await bench.active();
		await to.call('POST', 'Identities/Self/DeletionProcesses', {});
		const stream = await eventStream(to);
		await from.call('POST', 'Messages', message(to.address));
		const { result } = await to.call('GET', 'Identities/Self/DeletionProcesses');
		const [process] = result as unknown as Array<{ id: string }>;
		const path = `Identities/Self/DeletionProcesses/${process?.id ?? ''}/Cancel`;
		await to.call('PUT', path, {});
		await stream.reaches('DeletionProcessCancelledByOwner');
		await stream.close();
		return stream.events.slice(1);
	};
	expect(await toldInVersion(6)).toEqual([
		'ExternalEventCreated',
		'DeletionProcessCancelledByOwner',
	]);
	await bench.close();
	expect(await toldInVersion(7)).toEqual(['DeletionProcessCancelledByOwner']);
});

describe('two clients at once', () => {
	it('can both take the last allocation of a template', async () => {
		await open(real);
		const [owner, one, other] = [
			await bench.account(),
			await bench.account(),
			await bench.account(),
		];
		const id = await owner.template({ maxNumberOfAllocations: 1 });
		const load = (reader: RawAccount) => reader.call('GET', `RelationshipTemplates/${id}`);
		const answers = await Promise.all([one, other].map(load));
		expect(answers.map(({ status }) => status)).toEqual([200, 200]);
		expect((await load(await bench.account())).status).toBe(400);
	});
});

describe('a limit', () => {
	it('counts what was deleted until the server has worked that off', async () => {
		await open(real);
		const account = await bench.account();
		await bench.call('PUT', '/admin/quotas', {
			quotas: [{ metricKey: 'NumberOfRelationshipTemplates', period: 'Total', max: 1 }],
		});
		const id = await account.template();
		const create = () => account.call('POST', 'RelationshipTemplates', { content: bytes(9) });
		expect(refusal(await create())).toBe(exhausted);
		expect((await account.call('DELETE', `RelationshipTemplates/${id}`)).status).toBe(204);
		expect(refusal(await create())).toBe(exhausted);
		bench.sandbox.queues.deliverAll();
		expect((await create()).status).toBe(201);
	});

	it('of an identity that is to be deleted holds a while after that was cancelled', async () => {
		await open(real);
		const account = await bench.account();
		const path = 'Identities/Self/DeletionProcesses';
		const { id } = (await account.call('POST', path, {})).result;
		bench.sandbox.queues.deliverAll();
		const create = () => account.call('POST', 'RelationshipTemplates', { content: bytes(9) });
		expect(refusal(await create())).toBe(exhausted);
		await account.call('PUT', `${path}/${String(id)}/Cancel`, {});
		expect(refusal(await create())).toBe(exhausted);
		bench.sandbox.queues.deliverAll();
		expect((await create()).status).toBe(201);
	});
});

describe('the push stream', () => {
	it('is at another address where it is a service of its own', async () => {
		await open({ pushAt: 'own' });
		const account = await bench.account();
		const headers = { authorization: account.authorization };
		const { baseUrl, pushUrl } = bench.sandbox;
		const abort = new AbortController();
		expect((await fetch(`${baseUrl}/api/v1/sse`, { headers })).status).toBe(404);
		expect((await fetch(`${pushUrl}/api/v1/Version`, { headers })).status).toBe(404);
		expect((await fetch(`${pushUrl}/api/v1/sse`)).status).toBe(401);
		const stream = await fetch(`${pushUrl}/api/v1/sse`, { headers, signal: abort.signal });
		expect(stream.status).toBe(200);
		abort.abort();
	});

	it('without its registration is never told of anything', async () => {
		await open({ pushKeepAliveSeconds: 0.05 });
		const { to, from } = await bench.active();
		const stream = await eventStream(to);
		bench.sandbox.loseRegistration(to.address);
		await from.call('POST', 'Messages', message(to.address));
		await stream.reaches('keep-alive');
		expect(stream.events).not.toContain('ExternalEventCreated');
		await stream.close();
	});

	it('loses its registration when an older one of the identity ends', async () => {
		await open({ pushKeepAliveSeconds: 0.05 });
		const { to, from } = await bench.active();
		const first = await eventStream(to);
		await (await to.stream(new AbortController().signal)).text();
		const third = await eventStream(to);
		await first.close();
		await third.reaches('keep-alive');
		await from.call('POST', 'Messages', message(to.address));
		const before = third.events.length;
		await until(() => third.events.length >= before + 3);
		expect(third.events).not.toContain('ExternalEventCreated');
		await third.close();
	});
});
