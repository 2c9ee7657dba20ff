import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Gateway, probeCredential } from '../../../core';
import { mailTo, relate, SandboxNetwork } from '../../support/gateways';

jest.setTimeout(120_000);

describe('an account whose database file is taken away while it is open', () => {
	let network: SandboxNetwork;
	beforeAll(async () => {
		network = await SandboxNetwork.open();
	});
	afterAll(() => network.close());

	const messagesSent = (): number => network.backbone.state.messages.size;
	const identities = (): number => network.backbone.state.identities.size;

	it('sends nothing, is not made anew, and goes on when the file is back', async () => {
		const folder = network.newFolder();
		const config = network.config(folder);
		const file = join(folder, 'default.sqlite');
		const gateway = await network.gateway(config);
		const { address } = await gateway.account.getIdentity();
		const { addressB } = await relate(gateway, await network.gateway());
		const before = { messages: messagesSent(), identities: identities() };

		renameSync(file, `${file}.away`);
		const replaced = { code: 'error.gateway.store.databaseReplaced' };
		await expect(gateway.messages.send(mailTo(addressB))).rejects.toMatchObject(replaced);
		await expect(gateway.account.sync()).rejects.toMatchObject(replaced);
		await expect(gateway.problems.list({})).rejects.toMatchObject(replaced);
		const missing = 'error.gateway.store.databaseMissing';
		await expect(Gateway.open(config)).rejects.toMatchObject({ code: missing });
		const tested = await probeCredential(config);
		expect(tested).toMatchObject({ ok: false, settings: ['store.folder'] });
		expect(tested.message).toContain(missing);
		expect({ messages: messagesSent(), identities: identities() }).toEqual(before);

		renameSync(`${file}.away`, file);
		await gateway.messages.send(mailTo(addressB));
		expect(messagesSent()).toBe(before.messages + 1);
		expect((await gateway.account.getIdentity()).address).toBe(address);
	});

	it('is made anew only when a person has removed the key file as well', async () => {
		const folder = network.newFolder();
		const config = network.config(folder);
		const first = await network.gateway(config);
		const { address } = await first.account.getIdentity();
		await first.close();
		rmSync(join(folder, 'default.sqlite'));
		await expect(Gateway.open(config)).rejects.toMatchObject({
			code: 'error.gateway.store.databaseMissing',
		});
		rmSync(join(folder, 'default.key'));
		const second = await network.gateway(config);
		expect((await second.account.getIdentity()).address).not.toBe(address);
	});
});
