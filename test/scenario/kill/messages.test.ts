import { ownText } from '../../../core/model/json';
import { mailTo, relate, settle } from '../../support/gateways';
import { atKillPoints } from '../../support/kill-points';
import { newSeed } from '../../support/seeds';
import { size } from '../../support/sizes';
import { describeDyingProcess } from './dying-process';

jest.setTimeout(600_000);

describeDyingProcess((bench) => {
	it('while sending has sent exactly once when the step is repeated', async () => {
		const folder = bench.network.newFolder();
		const sender = await bench.ownGateway(folder);
		const receiver = await bench.network.gateway();
		const { addressB } = await relate(sender, receiver);
		await sender.close();
		const wanted: string[] = [];
		const points = await atKillPoints(async (point) => {
			wanted.push(`mail-${point}`);
			const argument = `${addressB} mail-${point}`;
			const first = await bench.work(folder, 'send', point, argument);
			expect(await bench.work(folder, 'send', 0, argument)).toMatchObject({
				failure: '',
				killed: false,
			});
			return first;
		});
		expect(points).toBeGreaterThan(3);
		await settle(receiver);
		const subjects = (await receiver.messages.list()).map(({ content }) =>
			ownText(content, 'subject'),
		);
		expect([...subjects].sort()).toEqual(wanted.sort());
	});

	it('while syncing loses nothing and doubles nothing', async () => {
		const folder = bench.network.newFolder();
		const receiver = await bench.ownGateway(folder);
		const sender = await bench.network.gateway();
		const { addressA } = await relate(receiver, sender);
		await receiver.close();
		let sent = 0;
		const points = await atKillPoints(async (point) => {
			await sender.messages.send(mailTo(addressA, `mail-${++sent}`));
			bench.backbone.queues.deliverAll();
			const first = await bench.work(folder, 'sync', point);
			bench.letRunsExpire();
			expect(await bench.syncAgain(folder)).toMatchObject({ failure: '', killed: false });
			return first;
		});
		expect(points).toBeGreaterThan(10);
		const reopened = await bench.ownGateway(folder);
		const subjects = (await reopened.messages.list()).map(({ content }) =>
			ownText(content, 'subject'),
		);
		expect(subjects).toEqual(Array.from({ length: sent }, (_, index) => `mail-${index + 1}`));
		const events = await reopened.events.recent({ names: ['transport.messageReceived'] }, 500);
		expect(events.map(({ data }) => (data['content'] as { subject: string }).subject)).toEqual(
			subjects,
		);
		await reopened.close();
	});

	it('five times in a row on the same event still gets the message', async () => {
		const folder = bench.network.newFolder();
		const receiver = await bench.ownGateway(folder);
		const sender = await bench.network.gateway();
		const { addressA } = await relate(receiver, sender);
		await receiver.close();
		const wanted: string[] = [];
		// Every point of a sync, five deaths each, also where the Backbone counts the event as failed.
		const stride = size({ quick: 3, full: 1 });
		for (let point = 1 + (newSeed() % stride); point <= 16; point += stride) {
			wanted.push(`mail-${point}`);
			await sender.messages.send(mailTo(addressA, `mail-${point}`));
			bench.backbone.queues.deliverAll();
			for (let death = 0; death < 5; death++) {
				await bench.work(folder, 'sync', point);
				bench.letRunsExpire();
			}
			await bench.syncAgain(folder);
		}
		const reopened = await bench.ownGateway(folder);
		const subjects = (await reopened.messages.list()).map(({ content }) =>
			ownText(content, 'subject'),
		);
		expect(subjects).toEqual(wanted);
		await reopened.close();
	});
});
