import { ownText } from '../../../core/model/json';
import { disk } from '../../support/disk/disk';
import type { Gateway } from '../../../core';
import { mailTo, relate, SandboxNetwork, settle } from '../../support/gateways';

/* The transaction has happened, and its caller is told that it is not known whether it lasts. */
describe('a send whose transaction the disk did not confirm', () => {
	let network: SandboxNetwork;
	let sender: Gateway;
	let receiver: Gateway;
	let to: string;
	let aheadMs: number;

	beforeEach(async () => {
		network = await SandboxNetwork.open();
		const config = network.config();
		const before = await network.gateway(config);
		receiver = await network.gateway();
		({ addressB: to } = await relate(before, receiver));
		await before.close();
		// The first send of an open gateway reserves numbers, which must not be lost.
		aheadMs = 0;
		sender = await network.gateway(config, { clock: { now: () => Date.now() + aheadMs } });
	});

	afterEach(async () => {
		disk.refuses = false;
		await network.close();
	});

	const sendUnconfirmed = async (options = {}): Promise<void> => {
		disk.refuses = true;
		await expect(sender.messages.send(mailTo(to, 'unconfirmed'), options)).rejects.toMatchObject({
			code: 'error.gateway.store.ioFailed',
		});
		disk.refuses = false;
	};

	it('is open until a sync has found out what became of it', async () => {
		await sendUnconfirmed();
		expect(await sender.messages.unresolvedSends()).toHaveLength(1);
		aheadMs = 15 * 60_000;
		await settle(sender);
		expect(await sender.messages.unresolvedSends()).toEqual([]);
	});

	it('is sent by its repetition, once', async () => {
		const once = { idempotencyKey: 'once' };
		await sendUnconfirmed(once);
		await sender.messages.send(mailTo(to, 'unconfirmed'), once);
		await settle(sender, receiver);
		const subjects = (await receiver.messages.list()).map(({ content }) =>
			ownText(content, 'subject'),
		);
		expect(subjects).toEqual(['unconfirmed']);
	});
});
