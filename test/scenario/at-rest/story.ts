import type { Gateway } from '../../../core';
import { arrivals, inOneHour, relate, settle } from '../../support/gateways';

/** What went through an account, by what it is. */
export interface Story {
	/** whatever opens something */
	readonly secrets: Readonly<Record<string, string>>;
	/** whatever is about persons */
	readonly contents: Readonly<Record<string, string>>;
}

const text = { filename: 'f.txt', mimetype: 'text/plain' };
const bytes = (): Buffer => Buffer.from('content of a file');
const password = (value: string) => ({ password: value });
const pin = { ...password('9182736455463728'), passwordIsPin: true as const };

/** Everything that an account can write, with a peer and by itself. */
export async function play(gateway: Gateway, peer: Gateway): Promise<Story> {
	const { addressB: to, addressA: own } = await relate(gateway, peer);
	const stories = [
		await makeOwn(gateway, to),
		await loadPeers(gateway, peer),
		await handOver(gateway, peer, to),
		await takeOver(gateway, peer, own),
		await keepForClients(gateway, peer, to),
	];
	await settle(peer);
	await arrivals(gateway);
	return {
		secrets: Object.assign({}, ...stories.map(({ secrets }) => secrets)),
		contents: {
			'address of a peer': to,
			...Object.assign({}, ...stories.map(({ contents }) => contents)),
		},
	};
}

async function makeOwn(gateway: Gateway, to: string): Promise<Story> {
	const expiresAt = inOneHour();
	const content = {
		'@type': 'ArbitraryRelationshipTemplateContent' as const,
		value: 'template content',
	};
	const template = await gateway.templates.create({
		content,
		expiresAt,
		purpose: 'template purpose',
		passwordProtection: pin,
	});
	const token = await gateway.tokens.create({
		content: { any: 'token content' },
		expiresAt,
		ephemeral: false,
		passwordProtection: password('token password'),
	});
	const file = await gateway.files.upload(
		{
			title: 'file title',
			description: 'file description',
			filename: 'file name.txt',
			mimetype: 'text/x-own',
			tags: ['file tag'],
		},
		bytes(),
		{ idempotencyKey: 'key of an upload' },
	);
	await gateway.messages.send(
		{
			recipients: [to],
			content: { '@type': 'Mail', to: [to], subject: 'mail subject', body: 'mail body' },
			attachments: [file.id],
		},
		{ idempotencyKey: 'key of a mail' },
	);
	await gateway.attributes.create({
		content: {
			value: { '@type': 'GivenName', value: 'attribute value' },
			tags: ['x:attribute tag'],
		},
	});
	return {
		secrets: {
			'PIN of a template': pin.password,
			'reference of a template': template.truncatedReference,
			'content of a token': 'token content',
			'password of a token': 'token password',
			'reference of a token': token.truncatedReference,
			'reference of a file': file.truncatedReference,
			'ownership token of a file': file.ownershipToken ?? '',
		},
		contents: {
			'content of a template': 'template content',
			'purpose of a template': 'template purpose',
			'title of a file': 'file title',
			'description of a file': 'file description',
			'name of a file': 'file name.txt',
			'type of a file': 'text/x-own',
			'tag of a file': 'file tag',
			'content of a file': bytes().toString(),
			'subject of a mail': 'mail subject',
			'text of a mail': 'mail body',
			'idempotency key of a mail': 'key of a mail',
			'idempotency key of a file': 'key of an upload',
			'value of an attribute': 'attribute value',
			'tag of an attribute': 'x:attribute tag',
		},
	};
}

/** What a peer made and we loaded. */
async function loadPeers(gateway: Gateway, peer: Gateway): Promise<Story> {
	const expiresAt = inOneHour();
	const content = {
		'@type': 'ArbitraryRelationshipTemplateContent' as const,
		value: "a peer's template",
	};
	const template = await peer.templates.create({
		content,
		expiresAt,
		passwordProtection: password("password of a peer's template"),
	});
	await gateway.templates.loadPeer({
		reference: template.truncatedReference,
		password: "password of a peer's template",
	});
	const token = await peer.tokens.create({
		content: { any: "a peer's token" },
		expiresAt,
		ephemeral: true,
		passwordProtection: password("password of a peer's token"),
	});
	await gateway.tokens.loadPeer({
		reference: token.truncatedReference,
		password: "password of a peer's token",
		ephemeral: false,
	});
	const file = await peer.files.upload({ ...text, title: "a peer's file" }, bytes());
	await gateway.files.getOrLoad({ reference: file.truncatedReference });
	return {
		secrets: {
			"reference of a peer's template": template.truncatedReference,
			"password of a peer's template": "password of a peer's template",
			"reference of a peer's token": token.truncatedReference,
			"content of a peer's token": "a peer's token",
			"password of a peer's token": "password of a peer's token",
			"reference of a peer's file": file.truncatedReference,
		},
		contents: {
			"content of a peer's template": "a peer's template",
			"title of a peer's file": "a peer's file",
		},
	};
}

/** A file that is offered to the peer, who does not answer. */
async function handOver(gateway: Gateway, peer: Gateway, to: string): Promise<Story> {
	const file = await gateway.files.upload({ ...text, title: 'handed over' }, bytes());
	const request = await gateway.outgoingRequests.create({
		content: { items: [transferOf(file)] },
		peer: to,
	});
	await gateway.messages.send({ recipients: [to], content: request.content });
	await settle(peer);
	return {
		secrets: {
			'reference of a file in a request': file.truncatedReference,
			'ownership token of a file in a request': file.ownershipToken ?? '',
		},
		contents: { 'title of a file that is handed over': 'handed over' },
	};
}

/** A file of the peer that becomes ours, and another that could. */
async function takeOver(gateway: Gateway, peer: Gateway, own: string): Promise<Story> {
	const offer = async (title: string) => {
		const file = await peer.files.upload({ ...text, title }, bytes());
		const content = { items: [transferOf(file)] };
		const request = await peer.outgoingRequests.create({ content, peer: own });
		await peer.messages.send({ recipients: [own], content: request.content });
		await settle(gateway);
		return { file, id: request.id };
	};
	const taken = await offer('taken over');
	await gateway.incomingRequests.accept(taken.id, { items: [{ accept: true }] });
	const offered = await offer('offered');
	return {
		secrets: {
			'reference of a file that was taken over': taken.file.truncatedReference,
			'ownership token of a file that was taken over': taken.file.ownershipToken ?? '',
			'reference of a file that is offered': offered.file.truncatedReference,
			'ownership token of a file that is offered': offered.file.ownershipToken ?? '',
		},
		contents: { 'title of a file that was taken over': 'taken over' },
	};
}

const transferOf = (file: { truncatedReference: string; ownershipToken?: string | undefined }) => ({
	'@type': 'TransferFileOwnershipRequestItem' as const,
	mustBeAccepted: true,
	fileReference: file.truncatedReference,
	ownershipToken: file.ownershipToken ?? '',
});

/** References and passwords where people and programs put them. */
async function keepForClients(gateway: Gateway, peer: Gateway, to: string): Promise<Story> {
	const link = async (title: string): Promise<{ truncatedReference: string; url: string }> => {
		const { truncatedReference, reference } = await peer.files.upload({ ...text, title }, bytes());
		return { truncatedReference, url: reference.url };
	};
	const [inMail, inSubject, inSetting, inDraft, inMetadata] = [
		await link('1'),
		await link('2'),
		await link('3'),
		await link('4'),
		await link('5'),
	];
	await gateway.messages.send({
		recipients: [to],
		content: {
			'@type': 'Mail',
			to: [to],
			subject: `See ${inSubject.truncatedReference}`,
			body: `Please look at ${inMail.url} soon`,
		},
	});
	await gateway.settings.create({
		key: 'setting key',
		value: { text: 'setting value', inSetting: inSetting.truncatedReference },
	});
	await gateway.drafts.create({
		type: 'draft type',
		content: { text: 'draft text', link: inDraft.url, password: 'password in a draft' },
	});
	await gateway.identityMetadata.upsert({
		reference: to,
		key: 'metadata key',
		value: { text: 'metadata value', inMetadata: inMetadata.truncatedReference },
	});
	const fragment = ({ url }: { url: string }): string => url.slice(url.indexOf('#') + 1);
	return {
		secrets: {
			'reference in the subject of a mail': inSubject.truncatedReference,
			'link in the text of a mail': fragment(inMail),
			'reference in a setting': inSetting.truncatedReference,
			'link in a draft': fragment(inDraft),
			'password in a draft': 'password in a draft',
			'reference in identity metadata': inMetadata.truncatedReference,
		},
		contents: {
			'key of a setting': 'setting key',
			'value of a setting': 'setting value',
			'type of a draft': 'draft type',
			'text of a draft': 'draft text',
			'key of identity metadata': 'metadata key',
			'value of identity metadata': 'metadata value',
		},
	};
}
