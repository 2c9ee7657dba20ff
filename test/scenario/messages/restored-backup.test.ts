import { ownText } from '../../../core/model/json';
import { cpSync } from 'node:fs';
import type { Gateway } from '../../../core';
import { TestClock } from '../../support/clock';
import { isPostgresThere } from '../../support/postgres/postgres';
import { PostgresCopies, SqliteCopies, type AccountCopies } from '../counters/account-copies';
import { arrivals, mailTo, relate, SandboxNetwork, settle } from '../../support/gateways';

/* docs/protocol/crypto-and-identity.md 7: a counter that is used twice gives a key stream away. */
let network: SandboxNetwork;

beforeEach(async () => {
	network = await SandboxNetwork.open();
});

afterEach(() => network.close());

/** The counters of all messages that reached the Backbone, in the order of their sending. */
const countersUsed = (): number[] =>
	[...network.backbone.state.messages.values()].flatMap(({ recipients }) =>
		recipients.map(({ encryptedKey }) => counterIn(encryptedKey)),
	);

const counterIn = (encryptedKey: string): number => {
	const cipher = Buffer.from(encryptedKey, 'base64url').toString('utf8');
	return (JSON.parse(cipher) as { cnt: number }).cnt;
};

/** The same of one sender. */
const countersOf = (address: string): number[] =>
	[...network.backbone.state.messages.values()]
		.filter(({ createdBy }) => createdBy === address)
		.flatMap(({ recipients }) => recipients.map(({ encryptedKey }) => counterIn(encryptedKey)));

async function relatedAccount() {
	const folder = network.newFolder();
	const gateway = await network.gateway(network.config(folder));
	const peer = await network.gateway();
	const { addressB: to } = await relate(gateway, peer);
	return { folder, gateway, peer, to };
}

/** A copy of the account as it is now. */
function backUp(folder: string): string {
	const copy = network.newFolder();
	cpSync(folder, copy, { recursive: true });
	return copy;
}

const readableBy = async (peer: Gateway): Promise<unknown[]> => {
	await settle(peer);
	return (await peer.messages.list()).map(({ content }) => ownText(content, 'subject'));
};

describe('a store that is restored from an old backup', () => {
	it('uses no counter again, and its messages are read', async () => {
		const { folder, gateway, peer, to } = await relatedAccount();
		await gateway.messages.send(mailTo(to, 'before'));
		await gateway.close();
		const old = backUp(folder);
		const current = await network.gateway(network.config(folder));
		await current.messages.send(mailTo(to, 'lost 1'));
		await current.messages.send(mailTo(to, 'lost 2'));
		await current.close();

		const restored = await network.gateway(network.config(old));
		await restored.messages.send(mailTo(to, 'after 1'));
		await restored.messages.send(mailTo(to, 'after 2'));
		const counters = countersUsed();
		expect(counters).toHaveLength(5);
		expect(new Set(counters).size).toBe(5);
		expect(await readableBy(peer)).toEqual(['before', 'lost 1', 'lost 2', 'after 1', 'after 2']);
	});

	it('uses no counter again when it first fetches what the peer has written since', async () => {
		const { folder, gateway, peer, to } = await relatedAccount();
		const { address } = await gateway.account.getIdentity();
		await gateway.close();
		const old = backUp(folder);
		const current = await network.gateway(network.config(folder));
		await current.messages.send(mailTo(to, 'lost 1'));
		await current.messages.send(mailTo(to, 'lost 2'));
		await peer.messages.send(mailTo(address, 'answer'));
		await current.close();

		const restored = await network.gateway(network.config(old));
		const { messages } = await arrivals(restored);
		expect(messages).toHaveLength(1);
		await restored.messages.send(mailTo(to, 'after 1'));
		await restored.messages.send(mailTo(to, 'after 2'));
		const counters = countersOf(address);
		expect(counters).toHaveLength(4);
		expect(new Set(counters).size).toBe(4);
	});

	it('uses no counter again when the Backbone does not answer before the first sync', async () => {
		const { folder, gateway, peer, to } = await relatedAccount();
		const { address } = await gateway.account.getIdentity();
		await gateway.close();
		const old = backUp(folder);
		const current = await network.gateway(network.config(folder));
		for (let mail = 1; mail <= 5; mail++) {
			await current.messages.send(mailTo(to, `lost ${mail}`));
		}
		await peer.messages.send(mailTo(address, 'answer'));
		await current.close();

		const restored = await network.gateway(network.config(old));
		const putBack = network.backbone.faults.add({
			method: 'GET',
			path: /Messages\?/,
			times: 100,
			action: { kind: 'status', status: 500 },
		});
		await restored.account.sync();
		putBack();
		await arrivals(restored);
		await restored.messages.send(mailTo(to, 'after 1'));
		const counters = countersOf(address);
		expect(counters).toHaveLength(6);
		expect(new Set(counters).size).toBe(6);
	});

	it('uses no counter of an earlier life, however often the same backup is restored', async () => {
		const { folder, gateway, peer, to } = await relatedAccount();
		await gateway.messages.send(mailTo(to, 'before'));
		await gateway.close();
		const lives = ['lost 1', 'lost 2', 'lost 3', 'lost 4'];
		for (const life of lives) {
			const restored = await network.gateway(network.config(backUp(folder)));
			await restored.messages.send(mailTo(to, life));
			await restored.messages.send(mailTo(to, life));
			await restored.close();
		}
		const counters = countersUsed();
		expect(counters).toHaveLength(9);
		expect(new Set(counters).size).toBe(9);
		expect(await readableBy(peer)).toEqual(['before', ...lives.flatMap((life) => [life, life])]);
	});

	it('learns what has become of its relationships, and of messages, since', async () => {
		const { folder, gateway, peer, to } = await relatedAccount();
		const other = await network.gateway();
		const { relationshipId: left } = await relate(gateway, other);
		await gateway.close();
		const old = backUp(folder);
		const current = await network.gateway(network.config(folder));
		const { address } = await current.account.getIdentity();
		await current.messages.send(mailTo(to, 'lost'));
		await peer.messages.send(mailTo(address, 'received by the lost store'));
		await current.relationships.terminate(left);
		await current.relationships.decompose(left);
		await settle(peer);
		const [ended] = await peer.relationships.list();
		await peer.relationships.terminate(ended?.id ?? '');
		await settle(current);
		await current.close();

		const restored = await network.gateway(network.config(old));
		await restored.messages.send(mailTo(to, 'after'));
		const { messages } = await arrivals(restored);
		expect(messages.map(({ content }) => ownText(content, 'subject'))).toEqual([
			'received by the lost store',
		]);
		const statuses = (await restored.relationships.list()).map(({ id, status }) => [id, status]);
		expect(statuses).toEqual([
			[ended?.id, 'Terminated'],
			[left, 'DeletionProposed'],
		]);
		// Nothing is removed because the Backbone says so; who wants to leave still can.
		await restored.relationships.decompose(left);
		expect(await restored.relationships.list()).toHaveLength(1);
	});

	it('is not an old backup when nothing was sent since: the next block begins', async () => {
		const { folder, gateway, to } = await relatedAccount();
		await gateway.messages.send(mailTo(to, 'before'));
		await gateway.close();
		const restored = await network.gateway(network.config(backUp(folder)));
		await restored.messages.send(mailTo(to, 'after'));
		const [first = 0, second = 0] = countersUsed();
		expect(second - first).toBeGreaterThan(0);
		expect(second - first).toBeLessThanOrEqual(2 ** 16 + 4);
	});

	it('is recognised behind messages that arrived since, and those that have not been fetched', async () => {
		const { folder, gateway, peer, to } = await relatedAccount();
		const { address } = await gateway.account.getIdentity();
		await gateway.close();
		const old = backUp(folder);
		const current = await network.gateway(network.config(folder));
		await current.messages.send(mailTo(to, 'lost'));
		await peer.messages.send(mailTo(address, 'answer'));
		await settle(current);
		await peer.messages.send(mailTo(address, 'not fetched'));
		await current.close();

		// The account that has the answer has lost nothing, whatever else there is to fetch.
		const calls = () => network.backbone.calls.count('GET', /Messages/);
		const intact = await network.gateway(network.config(folder));
		const before = calls();
		await intact.messages.send(mailTo(to, 'from the intact one'));
		expect(calls() - before).toBe(2);
		await intact.close();
		const restored = await network.gateway(network.config(old));
		await restored.messages.send(mailTo(to, 'from the restored one'));
		const counters = countersOf(address);
		expect(counters).toHaveLength(3);
		expect(new Set(counters).size).toBe(3);
	});

	it('is not used when the question cannot be answered', async () => {
		const { folder, gateway, to } = await relatedAccount();
		await gateway.messages.send(mailTo(to, 'before'));
		await gateway.close();
		const restored = await network.gateway(network.config(backUp(folder)));
		network.backbone.faults.add({
			method: 'GET',
			path: /Messages/,
			times: 10,
			action: { kind: 'status', status: 503 },
		});
		await expect(restored.messages.send(mailTo(to, 'unsure'))).rejects.toMatchObject({
			kind: 'unavailable',
			remedy: expect.stringMatching(/\w+ \w+/) as string,
		});
		expect(countersUsed()).toHaveLength(1);
		network.backbone.faults.clear();
		await restored.messages.send(mailTo(to, 'sure'));
		expect(countersUsed()).toHaveLength(2);
	});

	it('is used when a later question has no answer, with counters far ahead', async () => {
		const clock = new TestClock(Date.now());
		const gateway = await network.gateway(network.config(), { clock });
		const { addressB: to } = await relate(gateway, await network.gateway());
		await gateway.messages.send(mailTo(to, 'before'));
		network.backbone.faults.add({
			method: 'GET',
			path: /Messages/,
			times: 100,
			action: { kind: 'status', status: 500 },
		});
		clock.advance(3_000);
		await gateway.messages.send(mailTo(to, 'after'));
		const [before = 0, after = 0] = countersUsed();
		expect(after).toBeGreaterThan(before);
		const secondsSince2024 = (clock.now() - Date.UTC(2024, 0, 1)) / 1_000;
		expect(after).toBeGreaterThan(secondsSince2024 + 2 ** 16 - 1);
	});
});

/** Follows the remedy of a connection that was cut when the database went back. */
async function repeatWhileLost<Result>(attempt: () => Promise<Result>): Promise<Result> {
	for (;;) {
		try {
			return await attempt();
		} catch (error) {
			const { code } = error as { readonly code?: unknown };
			if (code !== 'error.gateway.store.postgresLost') throw error;
		}
	}
}

describe('a database that goes back while a gateway has it open', () => {
	const stores: ReadonlyArray<readonly [string, () => Promise<AccountCopies>]> = [
		['SQLite', () => Promise.resolve(new SqliteCopies())],
		...(isPostgresThere() ? [['PostgreSQL', () => PostgresCopies.create()] as const] : []),
	];

	it.each(stores)('is noticed before a counter is used again: %s', async (_name, makeCopies) => {
		const copies = await makeCopies();
		try {
			const { store, passphrase } = copies;
			const config = { ...network.config(), store, ...(passphrase ? { passphrase } : {}) };
			const gateway = await network.gateway(config);
			const peer = await network.gateway();
			const { addressB: to } = await relate(gateway, peer);
			const { address } = await gateway.account.getIdentity();
			await gateway.messages.send(mailTo(to, 'before'));
			const copy = await copies.copy();
			for (const subject of ['lost 1', 'lost 2', 'lost 3']) {
				await gateway.messages.send(mailTo(to, subject));
			}
			await copies.goBackTo(copy);
			const sending = repeatWhileLost(() => gateway.messages.send(mailTo(to, 'after')));
			await expect(sending).rejects.toMatchObject({
				code: 'error.gateway.store.rolledBack',
				remedy: expect.stringContaining('restart n8n') as string,
			});
			await gateway.close();
			const restarted = await network.gateway(config);
			await restarted.messages.send(mailTo(to, 'after the restart'));
			const counters = countersOf(address);
			expect(counters).toHaveLength(5);
			expect(new Set(counters).size).toBe(5);
			await restarted.close();
		} finally {
			await copies.close();
		}
	});
});
