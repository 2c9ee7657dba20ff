import type { Gateway } from '../../../core';
import { inOneHour, mailTo, relate, settle, type SandboxNetwork } from '../../support/gateways';

const consent = {
	items: [{ '@type': 'ConsentRequestItem' as const, consent: 'I agree.', mustBeAccepted: true }],
};

/** A request in groups, for the filters of items inside of items. */
const grouped = {
	expiresAt: inOneHour(),
	items: [
		{
			'@type': 'RequestItemGroup' as const,
			items: [
				{
					'@type': 'ReadAttributeRequestItem' as const,
					mustBeAccepted: true,
					query: { '@type': 'IdentityAttributeQuery' as const, valueType: 'GivenName' as const },
				},
			],
		},
	],
};

const givenName = (owner: string, value: string) => ({
	'@type': 'IdentityAttribute' as const,
	owner,
	value: { '@type': 'GivenName' as const, value },
});

/** Fills every list of an account so that each filter finds a part of it; the address of a peer. */
export async function fillLists(network: SandboxNetwork, account: Gateway): Promise<string> {
	const people = [await network.gateway(), await network.gateway()] as const;
	const own = (await account.account.getIdentity()).address;
	const peers: string[] = [];
	for (const [index, person] of people.entries()) {
		const { addressB: peer } = await relate(account, person);
		peers.push(peer);
		await fillReferences(account, `own ${index}`, { person, peer, index });
		await fillReferences(person, `peer ${index}`, { person: account, peer: own, index });
		await fillAttributes(account, peer, index);
		await fillMessages({ account, own }, { person, peer }, index);
	}
	await people[1].relationships.terminate(
		(await people[1].relationships.list({})).map(({ id }) => id)[0] ?? '',
	);
	await settle(account, ...people);
	return peers[0] ?? '';
}

interface Reader {
	readonly person: Gateway;
	readonly peer: string;
	readonly index: number;
}

/** Files, tokens and templates of one account that another one loads. */
async function fillReferences(by: Gateway, name: string, reader: Reader): Promise<void> {
	const { person, peer, index } = reader;
	const isFirst = index === 0;
	const expiresAt = new Date(Date.now() + (index + 1) * 3_600_000).toISOString();
	const password = isFirst ? '1234' : 'secret';
	const protections = {
		expiresAt,
		forIdentity: peer,
		passwordProtection: isFirst
			? { password, passwordIsPin: true as const, passwordLocationIndicator: 'SMS' as const }
			: { password, passwordLocationIndicator: 60 },
	};
	const file = await by.files.upload(
		{
			filename: `${name}.txt`,
			mimetype: isFirst ? 'text/plain' : 'text/csv',
			title: name,
			description: `about ${name}`,
			tags: [`x:${index}`],
			expiresAt,
		},
		Buffer.from('a'.repeat(index + 1)),
	);
	await person.files.getOrLoad({ reference: file.reference.truncated });
	const content = { '@type': 'ArbitraryRelationshipTemplateContent' as const, value: { name } };
	for (const more of [{}, protections]) {
		const template = await by.templates.create({
			content,
			expiresAt,
			maxNumberOfAllocations: index + 1,
			...(more === protections ? { purpose: `purpose ${index}` } : {}),
			...more,
		});
		const token = await by.tokens.create({
			content: { name },
			expiresAt,
			ephemeral: false,
			...more,
		});
		await person.templates.loadPeer({ reference: template.reference.truncated, password });
		await person.tokens.loadPeer({
			reference: token.reference.truncated,
			password,
			ephemeral: false,
		});
	}
}

async function fillAttributes(account: Gateway, peer: string, index: number): Promise<void> {
	const value = { '@type': 'GivenName' as const, value: `Ada ${index}` };
	const tags = [`x:${index}`];
	const created = await account.attributes.create({ content: { value, tags } });
	await account.attributes.succeed(created.id, {
		successorContent: { value: { ...value, value: `Augusta ${index}` }, tags },
	});
	await account.attributes.create({
		content: {
			value: {
				'@type': 'StreetAddress',
				recipient: peer,
				street: 'High Street',
				houseNo: String(index),
				zipCode: '1',
				city: 'London',
				country: 'GB',
			},
		},
	});
	const surname = { '@type': 'Surname' as const, value: peer };
	const validFrom = new Date(Date.now() - (index + 1) * 3_600_000).toISOString();
	const validTo = new Date(Date.now() + (index + 1) * 3_600_000).toISOString();
	await account.attributes.create({ content: { value: surname, validFrom, validTo } });
}

/** Items that create an identity attribute and a relationship attribute of the peer. */
function createdItems(index: number) {
	const created = { '@type': 'CreateAttributeRequestItem' as const, mustBeAccepted: true };
	const validity =
		index === 0 ? {} : { validFrom: '2020-01-01T00:00:00.000Z', validTo: inOneHour() };
	const identityAttribute = { ...givenName('', `Created ${index}`), tags: [`x:${index}`] };
	const relationshipAttribute = {
		'@type': 'RelationshipAttribute' as const,
		owner: '',
		key: `key ${index}`,
		isTechnical: index === 0,
		confidentiality: index === 0 ? ('public' as const) : ('private' as const),
		value: { '@type': 'ProprietaryString' as const, title: 'Number', value: String(index) },
	};
	return [
		{ ...created, attribute: { ...identityAttribute, ...validity } },
		{ ...created, attribute: relationshipAttribute },
	];
}

async function fillMessages(
	{ account, own }: { readonly account: Gateway; readonly own: string },
	{ person, peer }: { readonly person: Gateway; readonly peer: string },
	index: number,
): Promise<void> {
	const attachments = (await account.files.list({})).map(({ id }) => id).slice(index, index + 1);
	const { recipients, content } = mailTo(peer, `Hello ${index}`, `Body ${index}`);
	const formatted = { ...content, bodyFormat: 'Markdown' as const };
	await account.messages.send({ recipients, content: formatted, attachments });
	await person.messages.send(mailTo(own, `Answer ${index}`, `Text ${index}`));
	for (const content of [consent, grouped]) {
		const ours = await account.outgoingRequests.create({ content, peer });
		await account.messages.send({ recipients: [peer], content: ours.content });
		const theirs = await person.outgoingRequests.create({ content, peer: own });
		await person.messages.send({ recipients: [own], content: theirs.content });
	}
	for (const [by, to] of [
		[account, peer],
		[person, own],
	] as const) {
		const items = createdItems(index);
		const draft = await by.outgoingRequests.create({ content: { items }, peer: to });
		await by.messages.send({ recipients: [to], content: draft.content });
	}
	await settle(account, person);
	await answer(account, index);
	await answer(person, index);
	await settle(account, person);
	await changeShared(account, person, { own, peer });
	await settle(account, person);
	const received = (await account.messages.list({ query: { createdBy: peer } }))[0];
	if (index === 0 && received !== undefined) await account.messages.markAsRead(received.id);
}

/** Accepts what creates an attribute; the first time also what is asked for, the second time nothing else. */
async function answer(by: Gateway, index: number): Promise<void> {
	const open = await by.incomingRequests.list({ query: { status: 'ManualDecisionRequired' } });
	const { address } = await by.account.getIdentity();
	for (const { id, content } of open) {
		const [item] = content.items;
		if (item?.['@type'] === 'CreateAttributeRequestItem') {
			await by.incomingRequests.accept(id, { items: content.items.map(() => ({ accept: true })) });
		} else if (item?.['@type'] === 'RequestItemGroup' && index === 0) {
			const newAttribute = givenName(address, 'Answer');
			await by.incomingRequests.accept(id, {
				items: [{ items: [{ accept: true, newAttribute }] }],
			});
		} else if (index === 1) {
			const isGroup = item?.['@type'] === 'RequestItemGroup';
			const items = [isGroup ? { items: [{ accept: false }] } : { accept: false }];
			await by.incomingRequests.reject(id, { items });
		}
	}
}

/** The account tells the peer of a new version; the peer deletes its copy of something else. */
async function changeShared(
	account: Gateway,
	person: Gateway,
	{ own, peer }: { readonly own: string; readonly peer: string },
): Promise<void> {
	const copies = await person.attributes.listPeerShared({ peer: own });
	const [told, deleted] = copies;
	const source = (await account.attributes.listOwnShared({ peer })).find(
		({ id }) => id === told?.id,
	);
	const value = { '@type': 'GivenName' as const, value: 'Another' };
	const { successor } = await account.attributes.succeed(source?.shareInfo?.sourceAttribute ?? '', {
		successorContent: { value },
	});
	await account.attributes.notifyPeer(successor.id, { peer });
	await settle(account, person);
	await person.attributes.deletePeerShared((deleted ?? told)?.id ?? '');
}
