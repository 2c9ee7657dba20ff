import { dirname } from 'node:path';
import { Client } from '../../scripts/served/client';
import { residentBytes } from '../../scripts/served/resident-memory';
import { ServedGateway } from '../../scripts/served/served-gateway';
import {
	arbitraryCreation,
	contenderMethods,
	inOneHour,
	mail,
	type Account,
	type AccountConfig,
} from './contender';
import type { Holdings } from './holdings';
import { serve } from './serve';

const [, , library = ''] = process.argv;
let served: ServedGateway | undefined;

/** Opens this gateway with `serve` in a process of its own, and calls it over HTTP. */
async function openAccount({ baseUrl, folder }: AccountConfig): Promise<Account> {
	const gateway = await ServedGateway.start({
		dist: dirname(library),
		backboneUrl: baseUrl,
		...(folder === undefined ? {} : { folder }),
	});
	served = gateway;
	const client = new Client(gateway.address);
	const { address } = await client.result<{ address: string }>('GET /Account/IdentityInfo');
	return {
		address,
		createTemplate: (content) =>
			client.result('POST /RelationshipTemplates/Own', {
				json: { content, expiresAt: inOneHour() },
			}),
		async relate(reference) {
			const template = await client.result<{ id: string }>('POST /RelationshipTemplates/Peer', {
				json: { reference },
			});
			return await client.result('POST /Relationships', {
				json: { templateId: template.id, creationContent: arbitraryCreation },
			});
		},
		sendMail: (to, number) =>
			client.result('POST /Messages', { json: { recipients: [to], content: mail(to, number) } }),
		sync: () => client.result('POST /Account/Sync'),
		listMessages: () => client.result<unknown[]>('GET /Messages'),
		holdings: holdingsOf(client),
		close: () => gateway.stop(),
	};
}

interface Identified {
	readonly id: string;
}

function holdingsOf(client: Client): Holdings {
	const create = async (call: string, json: object): Promise<string> =>
		(await client.result<Identified>(call, { json })).id;
	return {
		createAttribute: (valueType, value) =>
			create('POST /Attributes', { content: { value: { '@type': valueType, value } } }),
		createRequest: (peer, item) =>
			create('POST /Requests/Outgoing', { peer, content: { items: [item] } }),
		attribute: (id) => client.result(`GET /Attributes/${id}`),
		attributesOfType: (valueType) =>
			client.result(`GET /Attributes/Own/Repository?content.value.@type=${valueType}`),
		attributesFor: (query) =>
			client.result('POST /Attributes/ExecuteIdentityAttributeQuery', { json: { query } }),
		versions: (id) => client.result(`GET /Attributes/${id}/Versions`),
		request: (id) => client.result(`GET /Requests/Outgoing/${id}`),
		requestsWith: (itemType) =>
			client.result(`GET /Requests/Outgoing?content.items.@type=${itemType}`),
	};
}

serve({
	...contenderMethods(openAccount),
	/**
	 * Figures of the serving process: milliseconds until it was healthy, and current resident bytes.
	 */
	served() {
		if (served === undefined) throw new Error('nothing is served');
		return { startMs: served.startMs, residentBytes: residentBytes(served.pid) };
	},
});
