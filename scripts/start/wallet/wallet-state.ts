import type { Peer, PeerObject } from '../../../test/support/peer/peer';
import { requestFields, requestItems, type RequestField } from './request-form';

/** Data that the page shows. */
export interface WalletState {
	readonly address: string;
	readonly requests: readonly ShownRequest[];
	readonly contacts: readonly ShownContact[];
	readonly mails: readonly ShownMail[];
}

interface ShownRequest {
	readonly id: string;
	readonly title: string;
	readonly fields: readonly RequestField[];
}

interface ShownContact {
	readonly address: string;
	readonly name: string;
	readonly status: string;
}

interface ShownMail {
	readonly id: string;
	readonly from: string;
	readonly to: string;
	readonly isOwn: boolean;
	readonly subject: string;
	readonly body: string;
	readonly at: string;
}

export async function readWalletState(peer: Peer): Promise<WalletState> {
	const [requests, relationships, messages] = await Promise.all([
		peer.incomingRequests({ status: 'ManualDecisionRequired' }),
		peer.relationships(),
		peer.messages(),
	]);
	const contacts = relationships.map(contactOf);
	const nameOf = (address: string): string =>
		contacts.find((contact) => contact.address === address)?.name ?? address;
	const templates = await Promise.all(requests.map((request) => templateOf(peer, request)));
	return {
		address: peer.address,
		requests: requests.map((request, index) => ({
			id: request.id,
			title: titleOf(templates[index]) ?? 'Unknown',
			fields: requestFields(requestItems(request)),
		})),
		contacts,
		mails: messages.flatMap((message) => mailOf(message, nameOf)).reverse(),
	};
}

function contactOf(relationship: PeerObject): ShownContact {
	return {
		address: String(relationship['peer']),
		name: titleOf(relationship['template']) ?? String(relationship['peer']),
		status: String(relationship['status']),
	};
}

function mailOf(message: PeerObject, nameOf: (address: string) => string): ShownMail[] {
	const content = message['content'] as { '@type'?: string; subject?: string; body?: string };
	if (content['@type'] !== 'Mail') return [];
	const recipients = message['recipients'] as ReadonlyArray<{ address: string }>;
	return [
		{
			id: message.id,
			from: nameOf(String(message['createdBy'])),
			to: recipients.map(({ address }) => nameOf(address)).join(', '),
			isOwn: message['isOwn'] === true,
			subject: content.subject ?? '',
			body: content.body ?? '',
			at: String(message['createdAt']),
		},
	];
}

/** Title of the template, which stands in for a name of the other side. */
function titleOf(template: unknown): string | undefined {
	const content = (template as { content?: { title?: unknown } } | undefined)?.content;
	return typeof content?.title === 'string' && content.title !== '' ? content.title : undefined;
}

async function templateOf(peer: Peer, request: PeerObject): Promise<PeerObject | undefined> {
	const source = request['source'] as { type?: string; reference?: string } | undefined;
	if (source?.type !== 'RelationshipTemplate' || source.reference === undefined) return undefined;
	return await peer.call('transport.relationshipTemplates', 'getRelationshipTemplate', {
		id: source.reference,
	});
}
