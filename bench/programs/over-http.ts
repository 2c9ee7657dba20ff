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
import { serve } from './serve';

const [, , library = ''] = process.argv;
let served: ServedGateway | undefined;

/** Our gateway as `serve` offers it, in a process of its own, asked over HTTP. */
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
		createAttribute: (number) =>
			client.result('POST /Attributes', {
				json: { content: { value: { '@type': 'DisplayName', value: `Name ${number}` } } },
			}),
		sync: () => client.result('POST /Account/Sync'),
		listMessages: () => client.result<unknown[]>('GET /Messages'),
		close: () => gateway.stop(),
	};
}

serve({
	...contenderMethods(openAccount),
	/** Of the process that serves: milliseconds until it was healthy, resident bytes now. */
	served() {
		if (served === undefined) throw new Error('nothing is served');
		return { startMs: served.startMs, residentBytes: residentBytes(served.pid) };
	},
});
