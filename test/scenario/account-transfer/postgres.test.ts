import { ownText } from '../../../core/model/json';
import { moveAccount } from '../../../core';
import { describeWithPostgres, TestDatabase } from '../../support/postgres/postgres';
import { arrivals, mailTo, settle, TestNetwork } from '../../support/gateways';
import { fullAccount } from './full-account';
import { client, contentOf, accountStateIn, placeIn } from './places';

jest.setTimeout(300_000);

const passphrase = 'correct horse';

describeWithPostgres('an account that is moved between SQLite and PostgreSQL', () => {
	let network: TestNetwork;
	let database: TestDatabase;

	beforeAll(async () => {
		network = await TestNetwork.open();
		database = await TestDatabase.create();
	});

	afterAll(async () => {
		await network.close();
		await database.drop();
	});

	it('has everything there, goes on, and comes back; former copies refuse to be opened', async () => {
		const { folder, address, peer, peerAddress } = await fullAccount(network);
		const here = placeIn(folder);
		const there = { ...here, store: database.config, passphrase };
		const before = await contentOf(here);
		await moveAccount({ from: here, to: there, client });
		expect((await contentOf(there)).digests).toEqual(before.digests);
		expect(await accountStateIn(here)).toMatchObject({ state: 'retired' });

		const config = { ...network.config(folder), store: database.config, passphrase };
		const gateway = await network.gateway(config);
		await gateway.messages.send(mailTo(peerAddress, 'from the database'));
		await peer.messages.send(mailTo(address, 'to the database'));
		const { messages } = await arrivals(gateway);
		expect(messages.map(({ content }) => ownText(content, 'subject'))).toEqual(['to the database']);
		await expect(moveAccount({ from: there, to: here, client })).rejects.toMatchObject({
			code: 'error.gateway.store.openElsewhere',
		});
		await gateway.close();

		await moveAccount({ from: there, to: here, client });
		await expect(network.gateway(config)).rejects.toMatchObject({
			code: 'error.gateway.store.accountMoved',
		});
		const back = await network.gateway(network.config(folder));
		await back.messages.send(mailTo(peerAddress, 'from the folder again'));
		await settle(peer);
		const subjects = (await peer.messages.list()).map(({ content }) => ownText(content, 'subject'));
		expect(subjects.slice(-1)).toEqual(['from the folder again']);
		expect(subjects).toContain('from the database');
	});

	it('needs a passphrase there', async () => {
		const { folder } = await fullAccount(network);
		const there = { ...placeIn(folder), account: 'other', store: database.config };
		await expect(moveAccount({ from: placeIn(folder), to: there, client })).rejects.toMatchObject({
			code: 'error.gateway.store.passphraseRequired',
		});
		expect(await accountStateIn(placeIn(folder))).toEqual({ state: 'living' });
	});
});
