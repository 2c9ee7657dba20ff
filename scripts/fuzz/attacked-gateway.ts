import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '../../core/base/logger';
import { openServer, type RunningServer } from '../../core/server';
import { inOneHour, mailTo, relate, TestNetwork } from '../../test/support/gateways';
import { StateWatch } from './state-watch';

const apiKey = 'Tests-Have-The-Key-0123456789-abc!';

/** Tables that change independently of requests: leases are renewed at any time. */
const volatileTables = ['leases'];

/** Gateway with data behind a server, and a watch over its store. */
export class AttackedGateway {
	readonly apiKey = apiKey;

	private constructor(
		private readonly network: TestNetwork,
		private readonly server: RunningServer,
		/** existing ids, references and addresses */
		readonly known: readonly string[],
		readonly watch: StateWatch,
	) {}

	get address(): string {
		return this.server.address;
	}

	static async open(): Promise<AttackedGateway> {
		const network = await TestNetwork.open();
		try {
			return await AttackedGateway.over(network);
		} catch (error) {
			await network.close();
			throw error;
		}
	}

	private static async over(network: TestNetwork): Promise<AttackedGateway> {
		const folder = network.newFolder();
		const gateway = await network.gateway(network.config(folder));
		const known = await createObjects(gateway, await network.gateway());
		const server = await openServer({
			facade: gateway,
			logger: silentLogger,
			host: '127.0.0.1',
			port: 0,
			apiKey,
			cors: { origin: false },
			debug: false,
			version: '0.0.0',
			configuration: {},
			refusalDelayMs: () => 0,
			drainMs: 100,
		});
		const file = readdirSync(folder).find((name) => /\.(db|sqlite3?)$/.test(name));
		if (file === undefined) throw new Error(`There is no store in ${folder}.`);
		const watch = new StateWatch(join(folder, file), volatileTables);
		return new AttackedGateway(network, server, known, watch);
	}

	async close(): Promise<void> {
		this.watch.close();
		await this.server.close();
		await this.network.close();
	}
}

type Gateway = Awaited<ReturnType<TestNetwork['gateway']>>;

/** Creates one object of each kind; returns their names: ids, references and addresses. */
async function createObjects(gateway: Gateway, peer: Gateway): Promise<string[]> {
	const { relationshipId, addressA, addressB } = await relate(gateway, peer);
	const expiresAt = inOneHour();
	const template = await gateway.templates.create({
		expiresAt,
		content: { '@type': 'ArbitraryRelationshipTemplateContent', value: 1 },
	});
	const token = await gateway.tokens.create({ content: { any: 'thing' }, expiresAt });
	const file = await gateway.files.upload(
		{ filename: 'a.txt', mimetype: 'text/plain', title: 'A', expiresAt },
		Buffer.from('abc'),
	);
	const attribute = await gateway.attributes.create({
		content: { value: { '@type': 'GivenName', value: 'Grace' } },
	});
	const message = await gateway.messages.send(mailTo(addressB));
	const request = {
		items: [{ '@type': 'FreeTextRequestItem' as const, mustBeAccepted: true, freeText: 'Hello' }],
	};
	const outgoing = await gateway.outgoingRequests.create({ content: request, peer: addressB });
	const asked = await peer.outgoingRequests.create({ content: request, peer: addressA });
	await peer.messages.send({ recipients: [addressA], content: asked.content });
	await gateway.account.sync();
	return [
		addressA,
		addressB,
		relationshipId,
		template.id,
		template.truncatedReference,
		token.id,
		token.reference.url,
		file.id,
		file.reference.url,
		attribute.id,
		message.id,
		outgoing.id,
		asked.id,
	];
}
