import { TestClock } from '../../../support/clock';
import { mailTo, relate, SandboxNetwork } from '../../../support/gateways';

let network: SandboxNetwork;
beforeAll(async () => {
	network = await SandboxNetwork.open();
});
afterAll(() => network.close());

/* Receivers take equal texts that were signed at the same time for one message. */
it('equal messages of one moment arrive as many times as they were sent', async () => {
	const sender = await network.gateway(undefined, { clock: new TestClock(Date.now()) });
	const receiver = await network.gateway();
	const { addressB } = await relate(sender, receiver);
	for (const subject of ['same', 'same', 'same']) {
		await sender.messages.send(mailTo(addressB, subject));
	}
	await network.settle(receiver);
	const contents = (await receiver.messages.list()).map(({ content }) => content);
	expect(contents).toMatchObject(Array.from({ length: 3 }, () => ({ subject: 'same' })));
});
