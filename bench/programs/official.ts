import { openOfficialRuntime, valueOf } from '../../test/interop/peer/official-runtime.cjs';
import {
	arbitraryCreation,
	contenderMethods,
	inOneHour,
	mail,
	type Account,
	type AccountConfig,
} from './contender';
import { serve } from './serve';

/** The official runtime 6.60.5 in process, as its Connector runs it; in memory unless told. */
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
		createAttribute: (number) =>
			call('consumption', 'attributes.createRepositoryAttribute', {
				content: { value: { '@type': 'DisplayName', value: `Name ${number}` } },
			}),
		sync: () => call('transport', 'account.syncEverything'),
		listMessages: async () =>
			(await call('transport', 'messages.getMessages', { query: {} })) as unknown[],
		close: () => runtime.close(),
	};
}

serve(contenderMethods(openAccount));
