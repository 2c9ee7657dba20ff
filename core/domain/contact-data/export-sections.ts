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

/** @param toData what a record adds to the section */
function listed<Record extends { readonly id: string }, Secrets, Field extends string>(
	collection: (tx: ReadTransaction) => ReadCollection<Record, Secrets, Field>,
	where: ReadonlyArray<Condition<NoInfer<Field>>>,
	toData: (entry: Entry<Record, Secrets>, tx: ReadTransaction) => object[] | Promise<object[]>,
): SectionReader {
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

/** Either of two fields names the person. */
const either = <Field extends string>(
	value: string,
	...fields: readonly Field[]
): Array<Condition<Field>> => [
	{ op: 'anyOf', groups: fields.map((field) => [{ field, op: 'eq', value }]) },
];

/** Readers of the sections that the store has. */
export function storedSections(
	peer: string,
	backboneBaseUrl: string,
): Readonly<Record<Exclude<ExportSection, 'contact' | 'problems' | 'events'>, SectionReader>> {
	const ofPeer = matching({ peer });
	return {
		relationships: listed(
			(tx) => tx.relationships,
			ofPeer,
			({ record, secrets }) => [toRelationshipDto(record, secrets, backboneBaseUrl)],
		),
		templates: listed(
			(tx) => tx.templates,
			either(peer, 'createdBy', 'forIdentity'),
			({ record, secrets }) => [toTemplateDto(record, secrets, backboneBaseUrl)],
		),
		requests: listed(
			(tx) => tx.requests,
			ofPeer,
			({ record }) => [toRequestDto(record)],
		),
		consents: listed(
			(tx) => tx.requests,
			ofPeer,
			({ record }) => consentsIn(record),
		),
		messages: listed(
			(tx) => tx.messages,
			matching({ participant: peer }),
			({ record }) => [toMessageDto(record)],
		),
		unsentMessages: listed(
			(tx) => tx.sendIntents,
			matching({ state: ['prepared', 'failed'] }),
			({ record: { id, state, createdAt, recipients, content, attachments } }) =>
				recipients.some(({ address }) => address === peer)
					? [{ id, state, createdAt, content, attachments }]
					: [],
		),
		attributes: listed(
			(tx) => tx.attributes,
			ofPeer,
			({ record }) => [toAttributeDto(record)],
		),
		forwardedAttributes: listed(
			(tx) => tx.attributes,
			matching({ thirdPartyAddress: peer }),
			({ record }) => [toAttributeDto(record)],
		),
		attributeListeners: listed(
			(tx) => tx.attributeListeners,
			ofPeer,
			({ record }) => [record],
		),
		notifications: listed(
			(tx) => tx.localNotifications,
			ofPeer,
			({ record }) => [record],
		),
		files: filesOf(peer, backboneBaseUrl),
		tokens: listed(
			(tx) => tx.tokens,
			either(peer, 'createdBy', 'forIdentity'),
			(token) => [toTokenDto(token, false, backboneBaseUrl)],
		),
		metadata: listed(
			(tx) => tx.identityMetadata,
			matching({ reference: peer }),
			({ record: { reference, key, value } }) => [
				{ reference, ...(key === undefined ? {} : { key }), value },
			],
		),
		settings: whole(async (tx) => {
			const relationships = await tx.relationships.list({ where: ofPeer });
			const references = [peer, ...relationships.map(({ record }) => record.id)];
			const where = matching({ reference: references });
			return (await tx.settings.list({ where })).map(({ record }) => record);
		}),
		waits: listed(
			(tx) => tx.waits,
			ofPeer,
			({ record }) => [shownWait(record)],
		),
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
		const where = matching({ attachment: fileId, participant: peer });
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
		listed(
			(tx) => tx.files,
			either(peer, 'createdBy', 'owner'),
			({ record, secrets }) => [toFileDto(record, secrets, backboneBaseUrl)],
		),
		listed(
			(tx) => tx.messages,
			[...matching({ participant: peer }), { field: 'attachment', op: 'exists' }],
			async ({ record }, tx) => {
				const ids: string[] = [];
				for (const id of record.attachments) {
					if ((await messageWith(tx, id)) === record.id) ids.push(id);
				}
				return await read(tx, ids);
			},
		),
		listed(
			(tx) => tx.attributes,
			[
				...matching({ peer, valueType: ['IdentityFileReference', 'ProprietaryFileReference'] }),
				{ field: 'succeededBy', op: 'missing' },
			],
			async ({ record }, tx) => {
				const id = fileIdIn(record);
				if (id === undefined || (await messageWith(tx, id)) !== undefined) return [];
				return await read(tx, [id]);
			},
		),
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
