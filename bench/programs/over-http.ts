import { dirname } from 'node:path';
import { Client } from '../../scripts/served/client';
import { processorMs } from '../../scripts/served/processor-time';
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
import { timed, inLanes } from '../support/timing';
import { serve } from './serve';

const [, , library = ''] = process.argv;

/** Any running gateway with the interface of the Connector. */
export interface RunningGateway {
	readonly url: string;
	readonly apiKey?: string | undefined;
	/** process on this machine, whose memory and processor time are measured */
	readonly pid?: number | undefined;
}

interface HttpAccountConfig extends AccountConfig {
	/** absent: this gateway is started with `serve` */
	readonly running?: RunningGateway;
}

interface Served {
	readonly pid?: number | undefined;
	/** milliseconds until it was healthy; absent if it was already running */
	readonly startMs?: number;
}

let served: Served | undefined;
let client: Client | undefined;

async function start({ baseUrl, folder }: AccountConfig): Promise<ServedGateway> {
	return await ServedGateway.start({
		dist: dirname(library),
		backboneUrl: baseUrl,
		...(folder === undefined ? {} : { folder }),
	});
}

/** Opens a gateway in a process of its own, and calls it over HTTP. */
async function openAccount(config: HttpAccountConfig): Promise<Account> {
	const { running } = config;
	const gateway = running === undefined ? await start(config) : undefined;
	served = gateway ?? { pid: running?.pid };
	client = new Client(gateway?.address ?? running?.url ?? '', running?.apiKey);
	return await accountOf(client, () => gateway?.stop() ?? Promise.resolve());
}

async function accountOf(client: Client, close: Account['close']): Promise<Account> {
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
		close,
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
	 * Figures of the serving process: milliseconds until it was healthy, current resident bytes, and
	 * processor time.
	 */
	served() {
		if (served === undefined) throw new Error('nothing is served');
		const { pid, startMs } = served;
		if (pid === undefined) return { startMs };
		return { startMs, residentBytes: residentBytes(pid), processorMs: processorMs(pid) };
	},
	smallCalls: ({ count }: { count: number }) =>
		timed(() => inLanes(count, 1, async () => client?.result('GET /Account/IdentityInfo'))),
});
