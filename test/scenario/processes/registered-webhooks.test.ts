import { parse } from '../../../core/base/schema-parse';
import { retrySchema } from '../../../core/events/delivery/delivery-queue';
import { Receiver } from '../../core/publish/webhooks/support/receiver';
import { TestNetwork } from '../../support/gateways';
import { describeWithPostgres, TestDatabase } from '../../support/postgres/postgres';
import { until } from '../../support/until';

jest.setTimeout(60_000);

describeWithPostgres('two gateways of one account', () => {
	it('deliver a webhook once, which either of them may register and delete', async () => {
		const database = await TestDatabase.create();
		const network = await TestNetwork.open();
		const target = await Receiver.open();
		try {
			const { account, passphrase = '' } = database.account();
			const webhooks = { allowPrivateTargets: true };
			const config = {
				...network.config(),
				...{ account, passphrase, webhooks, store: database.config },
			};
			const [a, b] = [await network.gateway(config), await network.gateway(config)];
			const retry = parse(retrySchema, { firstDelay: 0, longestDelay: 0 });
			for (const each of [a, b]) each.webhooks.keepDelivering({ retry });
			const name = (value: string) => ({
				content: { value: { '@type': 'DisplayName' as const, value } },
			});
			const values = (): string[] =>
				target.received.map(({ body }) => body.data.content.value.value as string);

			const first = await b.webhooks.create({ url: target.url, events: ['consumption.*'] });
			await a.attributes.create(name('one'));
			await until(() => target.received.length === 1);
			await a.webhooks.delete(first.id);
			const next = await a.webhooks.create({ url: target.url, events: ['consumption.*'] });
			await b.attributes.create(name('two'));
			await until(async () => (await b.webhooks.get(next.id)).delivery.waiting === 0);
			await a.close();
			await b.attributes.create(name('three'));
			await until(() => target.received.length === 3);
			expect(values()).toEqual(['one', 'two', 'three']);
		} finally {
			await network.close();
			await target.down();
			await database.drop();
		}
	});
});
