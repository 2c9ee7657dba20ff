import { objectMember, textMember } from '../../model/content/members';
import { ownMember, ownText, type JsonObject } from '../../model/json';
import type { AttributeRecord } from '../../model/record/attribute';
import type { AuditLogEntry, RelationshipRecord } from '../../model/record/relationship';
import type { RequestRecord } from '../../model/record/request';

/* What the entries of a history say, in plain words. */

const changes: Readonly<Record<string, string>> = {
	Creation: 'Connection requested',
	AcceptanceOfCreation: 'Connection accepted',
	RejectionOfCreation: 'Connection rejected',
	RevocationOfCreation: 'Connection request withdrawn',
	Termination: 'Connection ended',
	ReactivationRequested: 'Reconnection requested',
	AcceptanceOfReactivation: 'Reconnection accepted',
	RejectionOfReactivation: 'Reconnection rejected',
	RevocationOfReactivation: 'Reconnection request withdrawn',
	Decomposition: 'Connection removed',
	DecompositionDueToIdentityDeletion: 'Identity deleted',
};

/** Words for a change of a relationship; a newer Backbone may report others. */
export function changeWords({ reason }: AuditLogEntry): string {
	return changes[reason] ?? 'Connection changed';
}

const deletions: Readonly<Record<string, readonly [string, 'sent' | 'received']>> = {
	DeletionRequestSent: ['Deletion of attribute requested', 'sent'],
	DeletionRequestRejected: ['Deletion of attribute rejected', 'received'],
	ToBeDeletedByPeer: ['Attribute is about to be deleted', 'received'],
	DeletedByPeer: ['Attribute deleted', 'received'],
	ToBeDeleted: ['Attribute is about to be deleted', 'sent'],
	DeletedByOwner: ['Attribute deleted', 'received'],
};

/** Words for the deletion of an attribute, and who did it. */
export function deletionWords({
	deletionInfo,
}: AttributeRecord): readonly [string, 'sent' | 'received'] {
	return deletions[deletionInfo?.deletionStatus ?? ''] ?? ['Attribute deleted', 'received'];
}

/** Words for an attribute that a side has shared, set or changed. */
export function sharingWords({ succeeds, content }: AttributeRecord): string {
	if (succeeds !== undefined) return 'Attribute changed';
	return content['@type'] === 'RelationshipAttribute' ? 'Attribute created' : 'Attribute shared';
}

const longestSummary = 200;

export function shortened(text: string): string {
	const line = text.replace(/\s+/g, ' ').trim();
	return line.length <= longestSummary ? line : `${line.slice(0, longestSummary - 1)}…`;
}

/** Title of the template, or the new status. */
export function changeSummary({ template }: RelationshipRecord, change: AuditLogEntry): string {
	return shortened(ownText(template.content, 'title') ?? change.newStatus);
}

/** Title of the request, or what its items ask for and offer. */
export function requestSummary({ content }: RequestRecord): string {
	const title = ownText(content, 'title') ?? '';
	return shortened(title === '' ? itemsOf(content).map(itemWords).join(', ') : title);
}

/** Items of a request and of its groups. */
function itemsOf(content: unknown): unknown[] {
	const items = ownMember(content, 'items');
	if (!Array.isArray(items)) return [];
	return items.flatMap((item) =>
		ownText(item, '@type') === 'RequestItemGroup' ? itemsOf(item) : [item],
	);
}

/** Text of the item, or the type of value that it is about, or its own type. */
function itemWords(item: unknown): string {
	const attribute = ownMember(item, 'attribute');
	const words = [
		...['title', 'consent', 'freeText'].map((name) => ownText(item, name)),
		ownText(ownMember(item, 'query'), 'valueType'),
		ownText(ownMember(item, 'query'), 'key'),
		ownText(attribute, 'key'),
		ownText(ownMember(attribute, 'value'), '@type'),
		ownText(item, '@type')?.replace(/RequestItem$/, ''),
	];
	return words.find((word) => word !== undefined && word !== '') ?? '';
}

/** Answer in a word, with what was asked. */
export function answerSummary(request: RequestRecord): string {
	const result = ownText(request.response?.content, 'result') ?? '';
	const asked = requestSummary(request);
	return shortened(asked === '' ? result : `${result}: ${asked}`);
}

/** Subject or text of a message, or the type of its content. */
export function messageSummary(content: JsonObject): string {
	const words = [ownText(content, 'subject'), ownText(content, 'body'), ownText(content, '@type')];
	return shortened(words.find((word) => word !== undefined && word !== '') ?? '');
}

/** Type or key of the attribute with its value. */
export function attributeSummary({ content }: AttributeRecord): string {
	const { '@type': type, ...parts } = objectMember(content, 'value');
	const key = textMember(content, 'key');
	const plain = ownMember(parts, 'value') ?? parts;
	const value = typeof plain === 'string' ? plain : JSON.stringify(plain);
	return shortened(`${key === '' ? String(type) : key}: ${value}`);
}
