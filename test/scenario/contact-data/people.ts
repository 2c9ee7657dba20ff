import { judged, type Gateway } from '../../../core';
import { inOneHour, relate, settle } from '../../support/gateways';

/** A gateway with two people of the same name, who are told apart by their addresses. */
export interface People {
	readonly lin: Gateway;
	readonly addressOfLin: string;
	readonly relationshipOfLin: string;
	readonly otherLin: Gateway;
	readonly addressOfOther: string;
	readonly own: string;
}

const textFile = { filename: 'f.txt', mimetype: 'text/plain' };

export const bytesOf = (text: string): Buffer => Buffer.from(text);

/** Connects the gateway with both people; each shares the same name and writes one mail. */
export async function meetPeople(
	gateway: Gateway,
	lin: Gateway,
	otherLin: Gateway,
): Promise<People> {
	const first = await relate(gateway, lin);
	const second = await relate(gateway, otherLin);
	const people: People = {
		...{ lin, otherLin, own: first.addressA },
		addressOfLin: first.addressB,
		relationshipOfLin: first.relationshipId,
		addressOfOther: second.addressB,
	};
	await shareName(gateway, lin, people.addressOfLin, 'Lin Chen');
	await shareName(gateway, otherLin, people.addressOfOther, 'Lin Chen');
	return people;
}

/** The person answers a request for its display name. */
export async function shareName(
	gateway: Gateway,
	person: Gateway,
	owner: string,
	value: string,
): Promise<string> {
	const item = {
		'@type': 'ReadAttributeRequestItem' as const,
		mustBeAccepted: true,
		query: { '@type': 'IdentityAttributeQuery' as const, valueType: 'DisplayName' },
	};
	const newAttribute = {
		'@type': 'IdentityAttribute' as const,
		owner,
		value: { '@type': 'DisplayName', value },
	};
	return await ask(gateway, person, owner, item, { accept: true, newAttribute });
}

/** Asks one thing, which the person answers; returns the id of the request. */
export async function ask(
	gateway: Gateway,
	person: Gateway,
	peer: string,
	item: object,
	answer: object,
): Promise<string> {
	const content = judged<{ items: [] }>({ title: 'A question', items: [item] });
	const request = await gateway.outgoingRequests.create({ content, peer });
	await gateway.messages.send({ recipients: [peer], content: request.content });
	await settle(person);
	await person.incomingRequests.accept(request.id, judged({ items: [answer] }));
	await settle(gateway);
	return request.id;
}

/** Sends a mail with a file. */
export async function sendFile(
	from: Gateway,
	to: string,
	title: string,
	content = title,
): Promise<{ messageId: string; fileId: string }> {
	const file = await from.files.upload({ ...textFile, title }, bytesOf(content));
	const message = await from.messages.send({
		recipients: [to],
		content: { '@type': 'Mail', to: [to], subject: `With ${title}`, body: `Here is ${title}` },
		attachments: [file.id],
	});
	return { messageId: message.id, fileId: file.id };
}

/** Own objects that only the person could use. */
export async function makeForPerson(gateway: Gateway, forIdentity: string): Promise<void> {
	const expiresAt = inOneHour();
	await gateway.tokens.create({
		content: { any: 'for one' },
		expiresAt,
		forIdentity,
		ephemeral: false,
	});
	await gateway.templates.create({
		content: { '@type': 'ArbitraryRelationshipTemplateContent', value: 'only for one person' },
		expiresAt,
		forIdentity,
	});
}
