import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Gateway } from '../../core';
import {
	arbitraryCreation,
	contenderMethods,
	inOneHour,
	mail,
	type Account,
	type AccountConfig,
} from './contender';
import type { Holdings } from './holdings';
import { loadLibrary } from './library';
import { serve } from './serve';

/** Opens this gateway on its SQLite file, or at the given place. */
async function openAccount(config: AccountConfig): Promise<Account> {
	const { passphrase, sealContents } = config;
	const needsFolder = config.folder === undefined && config.store === undefined;
	const ownFolder = needsFolder ? mkdtempSync(join(tmpdir(), 'bench-')) : undefined;
	const folder = config.folder ?? ownFolder ?? '';
	const gateway = await loadLibrary().Gateway.open({
		backbone: { baseUrl: config.baseUrl, clientId: 'test', clientSecret: 'test' },
		store: config.store ?? { kind: 'sqlite', folder },
		...(passphrase === undefined ? {} : { passphrase }),
		...(sealContents === undefined ? {} : { sealContents }),
	});
	const { address } = await gateway.account.getIdentity();
	return {
		address,
		createTemplate: (content) => gateway.templates.create({ content, expiresAt: inOneHour() }),
		async relate(reference) {
			const { id } = await gateway.templates.loadPeer({ reference });
			const input = { templateId: id, creationContent: arbitraryCreation };
			return await gateway.relationships.create(input);
		},
		sendMail: (to, number) =>
			gateway.messages.send({ recipients: [to], content: mail(to, number) }),
		sync: () => gateway.account.sync(),
		listMessages: (limit) => gateway.messages.list(limit === undefined ? {} : { limit }),
		searchMessages: (part) => gateway.messages.list({ query: { 'content.body': `~${part}` } }),
		holdings: holdingsOf(gateway),
		async close() {
			await gateway.close();
			if (ownFolder !== undefined) rmSync(ownFolder, { recursive: true, force: true });
		},
	};
}

function holdingsOf({ attributes, outgoingRequests }: Gateway): Holdings {
	return {
		createAttribute: async (valueType, value) =>
			(await attributes.create({ content: { value: { '@type': valueType, value } } })).id,
		createRequest: async (peer, item) =>
			(await outgoingRequests.create({ peer, content: { items: [item] } })).id,
		attribute: (id) => attributes.get(id),
		attributesOfType: (valueType) =>
			attributes.listRepository({ query: { 'content.value.@type': valueType } }),
		attributesFor: (query) => attributes.executeIdentityAttributeQuery({ query }),
		versions: (id) => attributes.versions(id),
		request: (id) => outgoingRequests.get(id),
		requestsWith: (itemType) =>
			outgoingRequests.list({ query: { 'content.items.@type': itemType } }),
	};
}

serve(contenderMethods(openAccount));
