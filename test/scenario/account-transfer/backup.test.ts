import { ownText } from '../../../core/model/json';
import '../../support/quick/file-passwords';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { exportAccount, importAccount, moveAccount, verifyAccount } from '../../../core';
import { arrivals, mailTo, SandboxNetwork, settle } from '../../support/gateways';
import { fullAccount } from './full-account';
import { client, contentOf, accountStateIn, placeIn, transmitCounters } from './places';

jest.setTimeout(120_000);

const password = 'a long enough password';
let network: SandboxNetwork;

beforeEach(async () => {
	network = await SandboxNetwork.open();
});

afterEach(() => network.close());

const newFile = (): string => join(network.newFolder(), 'account.enmeshed');

const backUp = async (folder: string, file = newFile(), retire = false): Promise<string> => {
	await exportAccount({ from: placeIn(folder), file, password, client, retire });
	return file;
};

describe('a backup of an account', () => {
	it('is made while a gateway has it open, which goes on', async () => {
		const { folder, peerAddress } = await fullAccount(network);
		const gateway = await network.gateway(network.config(folder));
		const file = await backUp(folder);
		await gateway.messages.send(mailTo(peerAddress, 'afterwards'));
		expect(await accountStateIn(placeIn(folder))).toEqual({ state: 'living' });
		expect(statSync(file).mode & 0o077).toBe(0);
		expect(readdirSync(join(file, '..'))).toEqual(['account.enmeshed']);
	});

	it('shows nothing of what is in it', async () => {
		const { folder, address } = await fullAccount(network);
		const text = readFileSync(await backUp(folder)).toString('latin1');
		for (const known of [address, 'did:e:', 'GivenName', 'second', '"section"']) {
			expect(text).not.toContain(known);
		}
	});

	it('holds what the store holds', async () => {
		const { folder, address } = await fullAccount(network);
		const file = await backUp(folder);
		const report = await verifyAccount(
			[
				{ kind: 'store', place: placeIn(folder) },
				{ kind: 'file', file, password },
			],
			client,
		);
		expect(report.differences).toEqual([]);
		expect(report.copies).toMatchObject([
			{ state: 'living', address },
			{ state: 'file', address, counts: (await contentOf(placeIn(folder))).counts },
		]);
	});

	it('differs from a store that has gone on, and verifying says where', async () => {
		const { folder, peerAddress } = await fullAccount(network);
		const file = await backUp(folder);
		const gateway = await network.gateway(network.config(folder));
		await gateway.messages.send(mailTo(peerAddress, 'afterwards'));
		const { differences } = await verifyAccount(
			[
				{ kind: 'file', file, password },
				{ kind: 'store', place: placeIn(folder) },
			],
			undefined,
		);
		expect(differences).toEqual(expect.arrayContaining(['messages', 'outbox']));
		expect(differences).not.toContain('templates');
	});

	it('never replaces a file, and needs a password that is hard to guess', async () => {
		const { folder } = await fullAccount(network);
		const file = await backUp(folder);
		const before = readFileSync(file);
		await expect(backUp(folder, file)).rejects.toMatchObject({
			code: 'error.gateway.moving.fileExists',
		});
		expect(readFileSync(file).equals(before)).toBe(true);
		const weak = exportAccount({
			from: placeIn(folder),
			file: newFile(),
			password: 'short',
			client,
			retire: false,
		});
		await expect(weak).rejects.toMatchObject({ code: 'error.gateway.moving.weakPassword' });
		const nowhere = backUp(folder, join(folder, 'no', 'such', 'folder'));
		await expect(nowhere).rejects.toMatchObject({
			code: 'error.gateway.moving.fileNotUsable',
			facts: { field: 'file' },
		});
	});
});

describe('a backup that is brought to life', () => {
	it('has what the account had, uses no counter again, and learns what happened since', async () => {
		const { folder, address, peer, peerAddress } = await fullAccount(network);
		const before = await contentOf(placeIn(folder));
		const file = await backUp(folder);
		const lost = await network.gateway(network.config(folder));
		await lost.messages.send(mailTo(peerAddress, 'lost'));
		await peer.messages.send(mailTo(address, 'received by the lost store'));
		await settle(lost);
		await lost.close();
		rmSync(folder, { recursive: true });

		const to = placeIn(network.newFolder(), { passphrase: 'another passphrase' });
		expect(await importAccount({ file, password, to, client })).toMatchObject({
			address,
			counts: before.counts,
		});
		const config = { ...network.config(), store: to.store, passphrase: 'another passphrase' };
		const restored = await network.gateway(config);
		const { messages } = await arrivals(restored);
		expect(messages.map(({ content }) => ownText(content, 'subject'))).toEqual([
			'received by the lost store',
		]);
		await restored.messages.send(mailTo(peerAddress, 'from the restored one'));
		const used = [...network.backbone.state.messages.values()]
			.filter(({ createdBy }) => createdBy === address)
			.flatMap(({ recipients }) => recipients)
			.map(({ encryptedKey }) => Buffer.from(encryptedKey, 'base64url').toString('utf8'))
			.map((cipher) => (JSON.parse(cipher) as { cnt: number }).cnt);
		expect(new Set(used).size).toBe(used.length);
		// Events that receivers may remember by their number do not come again for others.
		const [newest] = await restored.events.recent({}, 1);
		expect(newest?.sequence).toBeGreaterThan(2 ** 20);
	});

	it.each([
		['when it sends first', false],
		['when it syncs first', true],
	])('uses no counter of an earlier life of the same file: %s', async (_name, syncsFirst) => {
		const { folder, address, peer, peerAddress } = await fullAccount(network);
		const file = await backUp(folder);
		rmSync(folder, { recursive: true });
		for (const life of ['first', 'second', 'third']) {
			const to = placeIn(network.newFolder());
			await importAccount({ file, password, to, client });
			const gateway = await network.gateway({ ...network.config(), store: to.store });
			if (syncsFirst) {
				await peer.messages.send(mailTo(address, life));
				await settle(gateway);
			}
			await gateway.messages.send(mailTo(peerAddress, life));
			await gateway.messages.send(mailTo(peerAddress, life));
			await gateway.close();
		}
		const used = [...network.backbone.state.messages.values()]
			.filter(({ createdBy }) => createdBy === address)
			.flatMap(({ recipients }) => recipients)
			.map(({ encryptedKey }) => Buffer.from(encryptedKey, 'base64url').toString('utf8'))
			.map((cipher) => (JSON.parse(cipher) as { cnt: number }).cnt);
		expect(used.length).toBeGreaterThan(6);
		expect(new Set(used).size).toBe(used.length);
	});

	it('is refused where the account lives, under whatever name', async () => {
		const { folder } = await fullAccount(network);
		const file = await backUp(folder);
		const before = await contentOf(placeIn(folder));
		for (const account of ['default', 'another']) {
			const to = placeIn(folder, { account });
			await expect(importAccount({ file, password, to, client })).rejects.toMatchObject({
				code: 'error.gateway.moving.identityLivesHere',
				facts: { account: 'default' },
			});
		}
		expect(await contentOf(placeIn(folder))).toEqual(before);
		expect(existsSync(join(folder, 'another.sqlite'))).toBe(false);
	});

	it('is refused where the account was moved away from, unless the new place is lost', async () => {
		const { folder } = await fullAccount(network);
		const file = await backUp(folder);
		const [from, to] = [placeIn(folder), placeIn(network.newFolder())];
		const { to: name } = await moveAccount({ from, to, client });
		await expect(importAccount({ file, password, to: from, client })).rejects.toMatchObject({
			code: 'error.gateway.moving.formerCopyHere',
			facts: { movedTo: name },
		});
		expect(await accountStateIn(from)).toMatchObject({ state: 'retired' });
		await importAccount({ file, password, to: from, client, replaceRetired: true });
		expect(await accountStateIn(from)).toMatchObject({ state: 'living' });
	});

	it('has further counters than the store it came from, also when the Backbone shows nothing', async () => {
		const { folder, peerAddress } = await fullAccount(network);
		const { counters } = await contentOf(placeIn(folder));
		const file = await backUp(folder);
		const to = placeIn(network.newFolder());
		await importAccount({ file, password, to });
		const offline = { ...network.config(), store: to.store };
		const gateway = await network.gateway(offline);
		network.backbone.faults.add({
			method: 'GET',
			path: /Messages/,
			times: 10,
			action: {
				kind: 'rewritten',
				rewrite: ({ pagination }: { pagination: object }) => ({
					result: [],
					pagination: { ...pagination, totalRecords: 0 },
				}),
			},
		});
		await gateway.messages.send(mailTo(peerAddress, 'from the copy'));
		const used = transmitCounters(await contentOf(to));
		expect(used[0]).toBeGreaterThan(counters.get('block') ?? Infinity);
	});
});

describe('an account that is moved into a file', () => {
	it('lives nowhere until the file is imported, also where it came from', async () => {
		const { folder, peerAddress } = await fullAccount(network);
		const file = await backUp(folder, newFile(), true);
		await expect(network.gateway(network.config(folder))).rejects.toMatchObject({
			code: 'error.gateway.store.accountMoved',
			facts: { movedTo: `file:${file}` },
		});
		await importAccount({ file, password, to: placeIn(folder), client });
		const gateway = await network.gateway(network.config(folder));
		await gateway.messages.send(mailTo(peerAddress, 'back again'));
	});

	it('is refused while another process has it open', async () => {
		const { folder } = await fullAccount(network);
		await network.gateway(network.config(folder));
		const file = newFile();
		await expect(backUp(folder, file, true)).rejects.toMatchObject({
			code: 'error.gateway.store.openElsewhere',
		});
		expect(existsSync(file)).toBe(false);
		expect(await accountStateIn(placeIn(folder))).toEqual({ state: 'living' });
	});
});
