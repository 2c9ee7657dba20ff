import type { ContactDto, FileDto, MessageDto, RequestDto } from '../../core';
import { personalTypes } from './forms/words';
import { textOf } from './forms/request-entries';
import { valueForm } from './forms/value-inputs';
import type { Person } from './person';
import { showContact } from './show-contact';
import { ownAttributes } from './show-data';
import type { OpenRequest, ShownFile, ShownMail, ShownPerson, WalletState } from './shown/state';
import { Names } from './names';

/** Bounds the lists that the page shows. */
const mostMails = 100;
const mostFiles = 100;

export const shownPerson = ({ id, name, identity }: Person): ShownPerson => ({
	...{ id, name, address: identity.address },
});

/** Reads everything that the page shows of a person. */
export async function showState(person: Person): Promise<WalletState> {
	const { gateway, identity } = person;
	const [contacts, requests, messages, files] = await Promise.all([
		gateway.contacts.list(),
		openRequests(person),
		gateway.messages.list({ orderBy: { field: 'inserted', direction: 'desc' }, limit: mostMails }),
		gateway.files.list({ orderBy: { field: 'inserted', direction: 'desc' }, limit: mostFiles }),
	]);
	const names = new Names(gateway, contacts);
	const filesById = new Map(files.map((file) => [file.id, file]));
	return {
		person: shownPerson(person),
		requests: await Promise.all(requests.map((request) => openRequest(request, names))),
		contacts: await Promise.all(contacts.map((contact) => showContact(gateway, contact))),
		mails: messages.flatMap((message) => mailOf(message, names, contacts, filesById)),
		data: await ownAttributes(gateway, identity.address, names),
		files: files.map(shownFile),
		dataForms: personalTypes.map((type) => valueForm(type)).filter((form) => form !== undefined),
	};
}

async function openRequests({ gateway }: Person): Promise<RequestDto[]> {
	return await gateway.incomingRequests.list({
		where: [{ field: 'status', op: 'in', value: ['DecisionRequired', 'ManualDecisionRequired'] }],
		orderBy: { field: 'inserted', direction: 'desc' },
	});
}

async function openRequest(request: RequestDto, names: Names): Promise<OpenRequest> {
	const { id, createdAt, content } = request;
	const from = await names.ofAsker(request);
	const expiresAt = textOf(content['expiresAt']);
	return {
		...{ id, from, createdAt, title: textOf(content['title']) ?? `${from} asks you` },
		...(expiresAt === undefined ? {} : { expiresAt }),
	};
}

function mailOf(
	message: MessageDto,
	names: Names,
	contacts: readonly ContactDto[],
	files: ReadonlyMap<string, FileDto>,
): ShownMail[] {
	const { id, isOwn, content, createdAt, createdBy, recipients, attachments } = message;
	if (content['@type'] !== 'Mail') return [];
	const { '@type': _type, to: _to, cc: _cc, bodyFormat, subject, body, ...rest } = content;
	rest satisfies Record<string, never>;
	const others = isOwn ? recipients.map(({ address }) => address) : [createdBy];
	const isActive = (address: string): boolean =>
		contacts.some((contact) => contact.address === address && contact.status === 'Active');
	return [
		{
			...{ id, isOwn, at: createdAt },
			with: others.map((address) => names.of(address)).join(', '),
			replyTo: others.filter(isActive),
			subject: subject === '' ? '(no subject)' : subject,
			body,
			isMarkdown: bodyFormat === 'Markdown',
			isUnread: !isOwn && message.wasReadAt === undefined,
			attachments: attachments.map((fileId) => {
				const file = files.get(fileId);
				return { id: fileId, name: file?.filename ?? 'Attachment', bytes: file?.filesize ?? 0 };
			}),
		},
	];
}

const shownFile = ({ id, filename, filesize, isOwn }: FileDto): ShownFile => ({
	...{ id, isOwn, name: filename, bytes: filesize },
});
