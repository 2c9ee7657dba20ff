import { parseReference } from '../../model/reference';
import { objectMember, textMember } from '../../model/content/members';
import type { AttributeRecord } from '../../model/record/attribute';
import type { MessageRecord } from '../../model/record/message';
import type { Condition, MessageField, ReadTransaction } from '../../store/store';
import { toAttributeDto } from '../attribute/attribute-dto';
import { toFileDto } from '../file/file-dto';
import { toMessageDto } from '../message/message-dto';
import { toRelationshipDto } from '../relationship/relationship-dto';
import { toRequestDto } from '../request/request-dto';
import {
	answerSummary,
	attributeSummary,
	changeSummary,
	changeWords,
	deletionWords,
	messageSummary,
	requestSummary,
	sharingWords,
	shortened,
} from './history-words';
import {
	listed,
	rowsInRange,
	type HistoryDraft,
	type TimelineRow,
	type TimelineSource,
} from './timeline';
import { matching } from '../query/conditions';

/** Person and account whose history is read. */
export interface HistoryContext {
	/** address of the person */
	readonly peer: string;
	readonly ownAddress: string;
	readonly backboneBaseUrl: string;
	/** present time, ISO text */
	readonly now: string;
}

type Direction = HistoryDraft['direction'];

/** The other side of each exchange; messages with them are shown by the record they carry. */
const carriers = ['Request', 'ResponseWrapper', 'Notification'];

const fileTypes = ['IdentityFileReference', 'ProprietaryFileReference'];

/** Sources of the history of a person. Their order decides about entries at the same time. */
export function historySources(context: HistoryContext): TimelineSource[] {
	return [
		relationshipChanges(context),
		...attributeSources(context),
		...requestSources(context),
		...messageSources(context),
	];
}

/** The few relationships with a person are read at once. */
function relationshipChanges({
	peer,
	ownAddress,
	backboneBaseUrl,
}: HistoryContext): TimelineSource {
	return {
		name: 'relationship',
		kind: 'relationship',
		read: async (tx, range) => {
			const entries = await tx.relationships.list({ where: matching({ peer }) });
			const rows = entries.flatMap(({ record, secrets }) => {
				const dto = toRelationshipDto(record, secrets, backboneBaseUrl);
				return record.auditLog.map((change, index): TimelineRow => {
					const draft: HistoryDraft = {
						at: change.createdAt,
						kind: 'relationship',
						what: changeWords(change),
						direction: change.createdBy === ownAddress ? 'sent' : 'received',
						id: record.id,
						summary: changeSummary(record, change),
						record: dto,
					};
					return { id: `${record.id} ${index}`, at: change.createdAt, drafts: [draft] };
				});
			});
			// Of changes at the same time, the later one comes first.
			const newestFirst = rows.reverse().sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
			return rowsInRange(newestFirst, range);
		},
	};
}

function requestSources({ peer }: HistoryContext): TimelineSource[] {
	const ofPeer = { field: 'peer', op: 'eq', value: peer } as const;
	return [
		listed({
			name: 'answer',
			kind: 'request',
			collection: (tx) => tx.requests,
			time: 'responseCreatedAt',
			where: [ofPeer],
			timeOf: ({ response }) => response?.createdAt ?? '',
			toDrafts: (_tx, { record }, at) => [
				{
					at,
					kind: 'request',
					what: 'Request answered',
					direction: record.isOwn ? 'received' : 'sent',
					id: record.id,
					summary: answerSummary(record),
					record: toRequestDto(record),
				},
			],
		}),
		listed({
			name: 'request',
			kind: 'request',
			collection: (tx) => tx.requests,
			time: 'createdAt',
			where: [ofPeer, { field: 'status', op: 'ne', value: 'Draft' }],
			toDrafts: (_tx, { record }, at) => [
				{
					at,
					kind: 'request',
					what: record.isOwn ? 'Request sent' : 'Request received',
					direction: record.isOwn ? 'sent' : 'received',
					id: record.id,
					summary: requestSummary(record),
					record: toRequestDto(record),
				},
			],
		}),
	];
}

function messageSources(context: HistoryContext): TimelineSource[] {
	const withPeer = { field: 'participant', op: 'eq', value: context.peer } as const;
	const isPlain: Condition<MessageField> = {
		op: 'anyOf',
		groups: [
			[{ field: 'contentType', op: 'notIn', value: carriers }],
			[{ field: 'contentType', op: 'missing' }],
		],
	};
	return [
		listed({
			name: 'attachment',
			kind: 'file',
			collection: (tx) => tx.messages,
			time: 'createdAt',
			where: [withPeer, { field: 'attachment', op: 'exists' }],
			toDrafts: async (tx, { record }, at) => {
				const drafts: HistoryDraft[] = [];
				for (const id of record.attachments) {
					drafts.push(await fileDraft(tx, context, { id, at, direction: directionOf(record) }));
				}
				return drafts;
			},
		}),
		listed({
			name: 'message',
			kind: 'message',
			collection: (tx) => tx.messages,
			time: 'createdAt',
			where: [withPeer, isPlain],
			toDrafts: (_tx, { record }, at) => [
				{
					at,
					kind: 'message',
					what: `${record.content['@type'] === 'Mail' ? 'Mail' : 'Message'} ${directionOf(record)}`,
					direction: directionOf(record),
					id: record.id,
					summary: messageSummary(record.content),
					record: toMessageDto(record),
				},
			],
		}),
	];
}

function attributeSources(context: HistoryContext): TimelineSource[] {
	const { peer, ownAddress, now } = context;
	const ofPeer = { field: 'peer', op: 'eq', value: peer } as const;
	const sharedBy = ({ content }: AttributeRecord): Direction =>
		content.owner === ownAddress ? 'sent' : 'received';
	return [
		listed({
			name: 'deletion',
			kind: 'attribute',
			collection: (tx) => tx.attributes,
			time: 'deletionDate',
			// A deletion that is planned has not happened.
			where: [ofPeer, { field: 'deletionDate', op: 'lte', value: now }],
			timeOf: ({ deletionInfo }) => deletionInfo?.deletionDate ?? '',
			toDrafts: (_tx, { record }, at) => {
				const [what, direction] = deletionWords(record);
				return [attributeDraft(record, { at, what, direction })];
			},
		}),
		listed({
			name: 'sharedFile',
			kind: 'file',
			collection: (tx) => tx.attributes,
			time: 'createdAt',
			where: [ofPeer, { field: 'valueType', op: 'in', value: fileTypes }],
			toDrafts: async (tx, { record }, at) => {
				const id = fileIdIn(record) ?? record.id;
				return [await fileDraft(tx, context, { id, at, direction: sharedBy(record) })];
			},
		}),
		listed({
			name: 'attribute',
			kind: 'attribute',
			collection: (tx) => tx.attributes,
			time: 'createdAt',
			where: [ofPeer],
			toDrafts: (_tx, { record }, at) => [
				attributeDraft(record, { at, what: sharingWords(record), direction: sharedBy(record) }),
			],
		}),
	];
}

function attributeDraft(
	record: AttributeRecord,
	how: { readonly at: string; readonly what: string; readonly direction: Direction },
): HistoryDraft {
	const { at, what, direction } = how;
	const summary = attributeSummary(record);
	return {
		at,
		kind: 'attribute',
		what,
		direction,
		id: record.id,
		summary,
		record: toAttributeDto(record),
	};
}

async function fileDraft(
	tx: ReadTransaction,
	{ backboneBaseUrl }: HistoryContext,
	{
		id,
		at,
		direction,
	}: { readonly id: string; readonly at: string; readonly direction: Direction },
): Promise<HistoryDraft> {
	const stored = await tx.files.get(id);
	const { title, filename = '' } = stored?.record ?? {};
	return {
		at,
		kind: 'file',
		what: `File ${direction}`,
		direction,
		id,
		summary: shortened(title === undefined || title === '' ? filename : title),
		record:
			stored === undefined ? { id } : toFileDto(stored.record, stored.secrets, backboneBaseUrl),
	};
}

/** Id of the file to which an attribute refers; undefined if a peer wrote another text there. */
export function fileIdIn({ content }: AttributeRecord): string | undefined {
	try {
		const { kind, id } = parseReference(textMember(objectMember(content, 'value'), 'value'));
		return kind === 'file' ? id : undefined;
	} catch {
		return undefined;
	}
}

const directionOf = ({ isOwn }: MessageRecord): Direction => (isOwn ? 'sent' : 'received');
