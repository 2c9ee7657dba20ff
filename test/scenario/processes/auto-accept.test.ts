import { inOneHour, settle, TestNetwork } from '../../support/gateways';
import { Forwarder } from '../../support/forwarder';
import { openLog } from '../../support/log-lines';
import { describeWithPostgres, TestDatabase } from '../../support/postgres/postgres';
import { until } from '../../support/until';

jest.setTimeout(60_000);

describeWithPostgres('a gateway that accepts relationships by itself', () => {
	it('does so again after PostgreSQL was away', async () => {
		const database = await TestDatabase.create();
		const forwarder = await Forwarder.to(database.config.port);
		const network = await TestNetwork.open();
		try {
			const { account, passphrase = '' } = database.account();
			const store = { ...database.config, port: forwarder.port };
			const { logger, lines } = openLog();
			const config = { ...network.config(), account, passphrase, store };
			const gateway = await network.gateway(config, { logger });
			const template = await gateway.templates.create({
				expiresAt: inOneHour(),
				content: { '@type': 'ArbitraryRelationshipTemplateContent', value: 1 },
			});
			const accepting = gateway.events.autoAccept({ onProblem: () => undefined });
			await forwarder.pause();
			await until(() => lines.some((line) => line.includes('accepting relationships')));
			await forwarder.resume();
			const peer = await network.gateway();
			const loaded = await peer.templates.loadPeer({ reference: template.truncatedReference });
			const { id } = await peer.relationships.create({
				templateId: loaded.id,
				creationContent: { '@type': 'ArbitraryRelationshipCreationContent', value: 1 },
			});
			await settle(gateway);
			await until(async () => (await gateway.relationships.get(id)).status === 'Active');
			accepting.release();
		} finally {
			await network.close();
			await forwarder.close();
			await database.drop();
		}
	});
});
