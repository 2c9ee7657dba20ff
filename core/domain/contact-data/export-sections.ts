import { ownJson, ownText, type JsonObject } from '../../model/json';
import type { ExportSection } from '../../model/record/contact-data';
import type { RequestRecord } from '../../model/record/request';
import type { WaitRecord } from '../../model/record/wait';
import type { Condition, Entry, Query, ReadCollection, ReadTransaction } from '../../store/store';
import { toAttributeDto } from '../attribute/attribute-dto';
import { toFileDto } from '../file/file-dto';
import { leftPeerAt } from '../left-peer';
import { toMessageDto } from '../message/message-dto';
import { toRelationshipDto } from '../relationship/relationship-dto';
import { flatItemsOf } from '../request/request-items';
import { toRequestDto } from '../request/request-dto';
import { toTemplateDto } from '../template/template-dto';
import { toTokenDto } from '../token/token-dto';
import { fileIdIn } from './history-sources';
import { matching } from '../query/conditions';

/** Page of a section. */
export interface SectionPage {
	readonly data: JsonObject[];
	/** record after which the section continues; absent at its end */
	readonly after?: string | undefined;
}

/** Reads the records of a section after a position. */
export type SectionReader = (
	tx: ReadTransaction,
	page: { readonly after?: string | undefined; readonly limit: number },
) => Promise<SectionPage>;

interface Listed<Record, Secrets, Field extends string> {
	collection(tx: ReadTransaction): ReadCollection<Record, Secrets, Field>;
	readonly where: ReadonlyArray<Condition<Field>>;
	/** what a record adds to the section */
	toData(entry: Entry<Record, Secrets>, tx: ReadTransaction): object[] | Promise<object[]>;
}

function listed<Record extends { readonly id: string }, Secrets, Field extends string>({
	collection,
	where,
	toData,
}: Listed<Record, Secrets, Field>): SectionReader {
	return async (tx, { after, limit }) => {
		const place: Pick<Query<Field>, 'after'> = after === undefined ? {} : { after };
		const entries = await collection(tx).list({ where, limit, ...place });
		const data: JsonObject[] = [];
		for (const entry of entries) {
			for (const one of await toData(entry, tx)) data.push(ownJson(one));
		}
		const last = entries.length < limit ? undefined : entries.at(-1)?.record.id;
		return { data, after: last };
	};
}

/** Section that fits on one page. */
const whole =
	(read: (tx: ReadTransaction) => Promise<object[]>): SectionReader =>
	async (tx) => ({ data: (await read(tx)).map(ownJson) });

const equals = <Field extends string>(field: Field, value: string) =>
	({ field, op: 'eq', value }) as const;

/** Either of two fields names the person. */
const either = <Field extends string>(
	one: Field,
	other: Field,
	value: string,
): Condition<Field> => ({
	op: 'anyOf',
	groups: [[equals(one, value)], [equals(other, value)]],
});

/** Readers of the sections that the store has. */
export function storedSections(
	peer: string,
	backboneBaseUrl: string,
): Readonly<Record<Exclude<ExportSection, 'contact' | 'problems' | 'events'>, SectionReader>> {
	const ofPeer = equals('peer', peer);
	const withPeer = equals('participant', peer);
	return {
		relationships: listed({
			collection: (tx) => tx.relationships,
			where: [ofPeer],
			toData: ({ record, secrets }) => [toRelationshipDto(record, secrets, backboneBaseUrl)],
		}),
		templates: listed({
			collection: (tx) => tx.templates,
			where: [either('createdBy', 'forIdentity', peer)],
			toData: ({ record, secrets }) => [toTemplateDto(record, secrets, backboneBaseUrl)],
		}),
		requests: listed({
			collection: (tx) => tx.requests,
			where: [ofPeer],
			toData: ({ record }) => [toRequestDto(record)],
		}),
		consents: listed({
			collection: (tx) => tx.requests,
			where: [ofPeer],
			toData: ({ record }) => consentsIn(record),
		}),
		messages: listed({
			collection: (tx) => tx.messages,
			where: [withPeer],
			toData: ({ record }) => [toMessageDto(record)],
		}),
		unsentMessages: listed({
			collection: (tx) => tx.sendIntents,
			where: matching({ state: ['prepared', 'failed'] }),
			toData: ({ record: { id, state, createdAt, recipients, content, attachments } }) =>
				recipients.some(({ address }) => address === peer)
					? [{ id, state, createdAt, content, attachments }]
					: [],
		}),
		attributes: listed({
			collection: (tx) => tx.attributes,
			where: [ofPeer],
			toData: ({ record }) => [toAttributeDto(record)],
		}),
		forwardedAttributes: listed({
			collection: (tx) => tx.attributes,
			where: [equals('thirdPartyAddress', peer)],
			toData: ({ record }) => [toAttributeDto(record)],
		}),
		attributeListeners: listed({
			collection: (tx) => tx.attributeListeners,
			where: [ofPeer],
			toData: ({ record }) => [record],
		}),
		notifications: listed({
			collection: (tx) => tx.localNotifications,
			where: [ofPeer],
			toData: ({ record }) => [record],
		}),
		files: filesOf(peer, backboneBaseUrl),
		tokens: listed({
			collection: (tx) => tx.tokens,
			where: [either('createdBy', 'forIdentity', peer)],
			toData: (token) => [toTokenDto(token, false, backboneBaseUrl)],
		}),
		metadata: listed({
			collection: (tx) => tx.identityMetadata,
			where: [equals('reference', peer)],
			toData: ({ record: { reference, key, value } }) => [
				{ reference, ...(key === undefined ? {} : { key }), value },
			],
		}),
		settings: whole(async (tx) => {
			const relationships = await tx.relationships.list({ where: [ofPeer] });
			const references = [peer, ...relationships.map(({ record }) => record.id)];
			const where = matching({ reference: references });
			return (await tx.settings.list({ where })).map(({ record }) => record);
		}),
		waits: listed({
			collection: (tx) => tx.waits,
			where: [ofPeer],
			toData: ({ record }) => [shownWait(record)],
		}),
		decomposition: whole(async (tx) => {
			const decomposedAt = await leftPeerAt(tx, peer);
			return decomposedAt === undefined ? [] : [{ decomposedAt }];
		}),
	};
}

/** Texts to which the person, or this account, has agreed or not. */
function consentsIn({ id, isOwn, content, response }: RequestRecord): object[] {
	const answers = response === undefined ? [] : flatItemsOf(response.content);
	return flatItemsOf(content).flatMap((item, index) => {
		if (item['@type'] !== 'ConsentRequestItem') return [];
		const result = ownText(answers[index], 'result');
		return [
			{
				requestId: id,
				askedBy: isOwn ? 'own' : 'peer',
				consent: item.consent,
				...(item.link === undefined ? {} : { link: item.link }),
				...(result === undefined ? {} : { result }),
				...(response === undefined ? {} : { answeredAt: response.createdAt }),
			},
		];
	});
}

/** Without what opens or continues the execution. */
function shownWait({ kind, subject, createdAt, until, reminder, outcome }: WaitRecord): object {
	return {
		...{ kind, subject, createdAt },
		...(until === undefined ? {} : { until }),
		...(reminder === undefined ? {} : { reminder }),
		...(outcome === undefined ? {} : { outcome }),
	};
}

/**
 * Files of the person, then files that were attached to messages with the person, then files to
 * which shared attributes refer; each once. The position tells the part.
 */
function filesOf(peer: string, backboneBaseUrl: string): SectionReader {
	const isOfPeer = ({ createdBy, owner }: { createdBy: string; owner: string }): boolean =>
		createdBy === peer || owner === peer;
	const messageWith = async (tx: ReadTransaction, fileId: string): Promise<string | undefined> => {
		const where = [equals('attachment', fileId), equals('participant', peer)];
		const orderBy = { field: 'createdAt', direction: 'asc' } as const;
		return (await tx.messages.first({ where, orderBy }))?.record.id;
	};
	const read = async (tx: ReadTransaction, ids: readonly string[]): Promise<object[]> => {
		const stored = await tx.files.getMany(ids);
		return stored
			.filter(({ record }) => !isOfPeer(record))
			.map(({ record, secrets }) => toFileDto(record, secrets, backboneBaseUrl));
	};
	const parts: readonly SectionReader[] = [
		listed({
			collection: (tx) => tx.files,
			where: [either('createdBy', 'owner', peer)],
			toData: ({ record, secrets }) => [toFileDto(record, secrets, backboneBaseUrl)],
		}),
		listed({
			collection: (tx) => tx.messages,
			where: [equals('participant', peer), { field: 'attachment', op: 'exists' }],
			toData: async ({ record }, tx) => {
				const ids: string[] = [];
				for (const id of record.attachments) {
					if ((await messageWith(tx, id)) === record.id) ids.push(id);
				}
				return await read(tx, ids);
			},
		}),
		listed({
			collection: (tx) => tx.attributes,
			where: [
				equals('peer', peer),
				{
					field: 'valueType',
					op: 'in',
					value: ['IdentityFileReference', 'ProprietaryFileReference'],
				},
				{ field: 'succeededBy', op: 'missing' },
			],
			toData: async ({ record }, tx) => {
				const id = fileIdIn(record);
				if (id === undefined || (await messageWith(tx, id)) !== undefined) return [];
				return await read(tx, [id]);
			},
		}),
	];
	return async (tx, { after = '0', limit }) => {
		const [number = '', id] = after.split(' ');
		const part = Number(number);
		const page = await parts[part]?.(tx, { limit, ...(id === undefined ? {} : { after: id }) });
		if (page?.after !== undefined) return { data: page.data, after: `${part} ${page.after}` };
		const next = part + 1 < parts.length ? { after: String(part + 1) } : {};
		return { data: page?.data ?? [], ...next };
	};
}
