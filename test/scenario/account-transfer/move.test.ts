import { ownText } from '../../../core/model/json';
import { moveAccount } from '../../../core';
import { arrivals, mailTo, SandboxNetwork, settle } from '../../support/gateways';
import { fullAccount } from './full-account';
import { client, contentOf, accountStateIn, placeIn, transmitCounters } from './places';

jest.setTimeout(120_000);

let network: SandboxNetwork;

beforeEach(async () => {
	network = await SandboxNetwork.open();
});

afterEach(() => network.close());

/** The counters of all messages of an address that reached the Backbone, in the order of their sending. */
const countersUsedBy = (address: string): number[] =>
	[...network.backbone.state.messages.values()]
		.filter(({ createdBy }) => createdBy === address)
		.flatMap(({ recipients }) => recipients)
		.map(({ encryptedKey }) => Buffer.from(encryptedKey, 'base64url').toString('utf8'))
		.map((cipher) => (JSON.parse(cipher) as { cnt: number }).cnt);

describe('an account that is moved to another store', () => {
	it.each([
		['from a key file to a key file', {}, {}],
		['from a key file to a passphrase', {}, { passphrase: 'correct horse' }],
		['from a passphrase to a key file', { passphrase: 'correct horse' }, {}],
	] as const)('has everything there, in its order: %s', async (_name, source, target) => {
		const { folder, address } = await fullAccount(network, source);
		const from = placeIn(folder, source);
		const to = placeIn(network.newFolder(), target);
		const before = await contentOf(from);
		const report = await moveAccount({ from, to, client });
		expect(report).toMatchObject({ address, resumed: false, counts: before.counts });
		const after = await contentOf(to);
		expect(after.digests).toEqual(before.digests);
		expect([...after.counters.keys()]).toEqual([...before.counters.keys()]);
		// Only the numbers of the encryption move on: nothing else happened.
		const others = (of: typeof after) =>
			[...of.counters].filter(([name]) => !name.startsWith('transmit:'));
		expect(others(after)).toEqual(others(before));
		expect(await contentOf(from)).toEqual(before);
	});

	it('goes on there: it sends with fresh counters, receives, and nothing is told twice', async () => {
		const { folder, address, peer, peerAddress } = await fullAccount(network);
		const [from, to] = [placeIn(folder), placeIn(network.newFolder())];
		const next = transmitCounters(await contentOf(from));
		await moveAccount({ from, to, client });
		const gateway = await network.gateway({ ...network.config(), store: to.store });
		await gateway.messages.send(mailTo(peerAddress, 'from the new place'));
		await settle(peer);
		const subjects = (await peer.messages.list()).map(({ content }) => ownText(content, 'subject'));
		expect(subjects.at(-1)).toBe('from the new place');
		await peer.messages.send(mailTo(address, 'to the new place'));
		const { messages } = await arrivals(gateway);
		expect(messages.map(({ content }) => ownText(content, 'subject'))).toEqual([
			'to the new place',
		]);
		const used = countersUsedBy(address);
		expect(new Set(used).size).toBe(used.length);
		expect(used.at(-1)).toBeGreaterThan(next[0] ?? Infinity);
	});

	it('leaves a copy behind that refuses to be opened, and says where the account is', async () => {
		const { folder } = await fullAccount(network);
		const [from, to] = [placeIn(folder), placeIn(network.newFolder())];
		const { to: name } = await moveAccount({ from, to, client });
		const refusal = { code: 'error.gateway.store.accountMoved', kind: 'conflict' };
		const opening = network.gateway(network.config(folder));
		await expect(opening).rejects.toMatchObject({ ...refusal, facts: { movedTo: name } });
		await expect(opening).rejects.toThrow(name);
		// Moving the former copy somewhere else would give two of it.
		await expect(
			moveAccount({ from, to: placeIn(network.newFolder()), client }),
		).rejects.toMatchObject(refusal);
		expect(await accountStateIn(to)).toMatchObject({ state: 'living' });
	});

	it('can be moved back, and under another name in the same folder', async () => {
		const { folder, address, peerAddress } = await fullAccount(network);
		const [here, there] = [placeIn(folder), placeIn(network.newFolder())];
		await moveAccount({ from: here, to: there, client });
		await moveAccount({ from: there, to: here, client });
		const renamed = placeIn(folder, { account: 'renamed' });
		await moveAccount({ from: here, to: renamed, client });
		const states = await Promise.all([here, there, renamed].map(accountStateIn));
		expect(states.map((one) => one?.state)).toEqual(['retired', 'retired', 'living']);
		const gateway = await network.gateway({ ...network.config(folder), account: 'renamed' });
		await gateway.messages.send(mailTo(peerAddress, 'after three moves'));
		const used = countersUsedBy(address);
		expect(new Set(used).size).toBe(used.length);
	});

	it('is moved already when the same move is asked for again', async () => {
		const { folder } = await fullAccount(network);
		const move = { from: placeIn(folder), to: placeIn(network.newFolder()), client };
		const first = await moveAccount(move);
		const counters = transmitCounters(await contentOf(move.to));
		expect(await moveAccount(move)).toEqual({ ...first, resumed: true });
		expect(transmitCounters(await contentOf(move.to))).toEqual(counters);
	});
});

describe('an account is not moved', () => {
	async function expectUntouched(folder: string, work: () => Promise<unknown>, code: string) {
		await expect(work()).rejects.toMatchObject({
			code,
			remedy: expect.stringMatching(/\w+ \w+/) as string,
		});
		expect(await accountStateIn(placeIn(folder))).toEqual({ state: 'living' });
		await (await network.gateway(network.config(folder))).close();
	}

	it('while another process has it open', async () => {
		const { folder } = await fullAccount(network);
		const gateway = await network.gateway(network.config(folder));
		const move = { from: placeIn(folder), to: placeIn(network.newFolder()), client };
		await expectUntouched(folder, () => moveAccount(move), 'error.gateway.store.openElsewhere');
		expect(await accountStateIn(move.to)).toBeUndefined();
		await gateway.close();
		await moveAccount(move);
	});

	it('to where it is', async () => {
		const { folder } = await fullAccount(network);
		const move = { from: placeIn(folder), to: placeIn(folder), client };
		await expectUntouched(folder, () => moveAccount(move), 'error.gateway.moving.samePlace');
	});

	it('onto another account', async () => {
		const { folder } = await fullAccount(network);
		const other = network.newFolder();
		await (await network.gateway(network.config(other))).close();
		const before = await contentOf(placeIn(other));
		const move = { from: placeIn(folder), to: placeIn(other), client };
		await expectUntouched(folder, () => moveAccount(move), 'error.gateway.moving.targetTaken');
		expect(await contentOf(placeIn(other))).toEqual(before);
	});

	it('when the proof is wrong, or there is no account', async () => {
		const { folder } = await fullAccount(network);
		const from = { ...placeIn(folder), clientSecret: 'another' };
		const to = placeIn(network.newFolder());
		const wrong = () => moveAccount({ from, to, client });
		await expectUntouched(folder, wrong, 'error.gateway.store.wrongClientSecret');
		const nobody = () => moveAccount({ from: placeIn(network.newFolder()), to, client });
		await expectUntouched(folder, nobody, 'error.gateway.moving.noAccount');
	});

	it('when the Backbone refuses the login; then nothing of the copy is living', async () => {
		const { folder } = await fullAccount(network);
		const to = placeIn(network.newFolder());
		const refused = { clientId: 'test', clientSecret: 'wrong' };
		const move = () => moveAccount({ from: placeIn(folder), to, client: refused });
		await expectUntouched(folder, move, 'error.transport.request.noAuthPossible');
		const accountState = await accountStateIn(to);
		expect(accountState?.state).toBe('arriving');
		await expect(network.gateway({ ...network.config(), store: to.store })).rejects.toMatchObject({
			code: 'error.gateway.store.moveUnfinished',
		});
		// What was begun is not in the way.
		await moveAccount({ from: placeIn(folder), to, client });
		expect(await accountStateIn(to)).toMatchObject({ state: 'living' });
	});

	it('when a row of it was altered or moved', async () => {
		const { folder } = await fullAccount(network);
		const { DatabaseSync } = await import('node:sqlite');
		const database = new DatabaseSync(`${folder}/default.sqlite`);
		database.exec(
			'update messages_documents set secrets = (select secrets from messages_documents order by ordinal desc limit 1)',
		);
		database.close();
		const move = { from: placeIn(folder), to: placeIn(network.newFolder()), client };
		await expectUntouched(folder, () => moveAccount(move), 'error.crypto.sealing.cannotOpen');
	});

	it('without a login only when no login is wanted', async () => {
		const { folder } = await fullAccount(network);
		const move = { from: placeIn(folder), to: placeIn(network.newFolder()) };
		network.backbone.calls.clear();
		await moveAccount(move);
		expect(network.backbone.calls.entries).toEqual([]);
		expect(await accountStateIn(move.to)).toMatchObject({ state: 'living' });
	});
});
