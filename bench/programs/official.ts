import { openOfficialRuntime, valueOf } from '../../test/interop/peer/official-runtime.cjs';
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

/** Opens the official runtime 6.60.5 in process, like its Connector; in memory by default. */
async function openAccount(config: AccountConfig): Promise<Account> {
	const runtime = await openOfficialRuntime(6, config);
	const call = async (layer: 'transport' | 'consumption', path: string, input?: unknown) => {
		const [service = '', method = ''] = path.split('.');
		const services = runtime.services[`${layer}Services`];
		const target = services[service];
		if (target?.[method] === undefined) throw new Error(`no use case ${path}`);
		return await valueOf(target[method](input));
	};
	const { address } = (await call('transport', 'account.getIdentityInfo')) as { address: string };
	return {
		address,
		createTemplate: (content) =>
			call('transport', 'relationshipTemplates.createOwnRelationshipTemplate', {
				content,
				expiresAt: inOneHour(),
			}),
		async relate(reference) {
			const template = (await call(
				'transport',
				'relationshipTemplates.loadPeerRelationshipTemplate',
				{ reference },
			)) as { id: string };
			const input = { templateId: template.id, creationContent: arbitraryCreation };
			return await call('transport', 'relationships.createRelationship', input);
		},
		sendMail: (to, number) =>
			call('transport', 'messages.sendMessage', { recipients: [to], content: mail(to, number) }),
		sync: () => call('transport', 'account.syncEverything'),
		listMessages: async () =>
			(await call('transport', 'messages.getMessages', { query: {} })) as unknown[],
		holdings: holdingsOf((path, input) => call('consumption', path, input)),
		close: () => runtime.close(),
	};
}

function holdingsOf(call: (path: string, input: object) => Promise<unknown>): Holdings {
	const create = async (path: string, input: object) =>
		((await call(path, input)) as { id: string }).id;
	const list = async (path: string, input: object) => (await call(path, input)) as unknown[];
	return {
		createAttribute: (valueType, value) =>
			create('attributes.createRepositoryAttribute', {
				content: { value: { '@type': valueType, value } },
			}),
		createRequest: (peer, item) =>
			create('outgoingRequests.create', { peer, content: { items: [item] } }),
		attribute: (id) => call('attributes.getAttribute', { id }),
		attributesOfType: (valueType) =>
			list('attributes.getRepositoryAttributes', { query: { 'content.value.@type': valueType } }),
		attributesFor: (query) => list('attributes.executeIdentityAttributeQuery', { query }),
		versions: (attributeId) => list('attributes.getVersionsOfAttribute', { attributeId }),
		request: (id) => call('outgoingRequests.getRequest', { id }),
		requestsWith: (itemType) =>
			list('outgoingRequests.getRequests', { query: { 'content.items.@type': itemType } }),
	};
}

serve(contenderMethods(openAccount));
