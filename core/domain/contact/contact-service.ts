import type { Cancellable } from '../../base/abort';
import { isoInstant, type Clock } from '../../base/clock';
import {
	comparableText,
	identityValueText,
	relationshipValueText,
} from '../../model/content/contact-search';
import type { ContactDto } from '../../model/record/relationship';
import type { RelationshipRecord } from '../../model/record/relationship';
import type {
	AttributeField,
	Condition,
	ReadTransaction,
	RelationshipField,
	Store,
} from '../../store/store';
import { validAt } from '../attribute/attribute-lists';
import { currentRelationship, currentRelationships } from '../current-relationship';
import type { Account } from '../identity/account';
import { hasName, toContact } from './contact-dto';
import { contactErrors } from './contact-errors';
import {
	findInputSchema,
	listInputSchema,
	readInput,
	requireAddress,
	type ContactFindInput,
	type ContactListInput,
	type Page,
} from './contact-input';

const peersAtOnce = 500;
/** additional relationships that are read because some peers have several */
const spare = 20;
const newestFirst = { field: 'inserted', direction: 'desc' } as const;

export interface ContactDependencies {
	readonly store: Store;
	readonly account: Pick<Account, 'address'>;
	readonly clock: Clock;
}

/** Reads contacts: peers with their current relationship and the attributes of both sides. */
export class ContactService {
	constructor(private readonly deps: ContactDependencies) {}

	/** @throws `error.gateway.contacts.notFound`, `error.runtime.validation.invalidPropertyValue` */
	async get(address: string, options: Cancellable = {}): Promise<ContactDto> {
		requireAddress(address);
		const contact = await this.deps.store.read(async (tx) => {
			const relationship = await currentRelationship(tx, address);
			return relationship && (await this.describe(tx, [relationship.record]))[0];
		}, options);
		if (contact !== undefined) return contact;
		throw contactErrors.create('notFound', {
			message: 'There is no contact with this address in this account.',
			facts: { address },
		});
	}

	/** @throws `error.runtime.validation.invalidPropertyValue` */
	async list(input: unknown = {}, options: Cancellable = {}): Promise<ContactDto[]> {
		const asked = readInput(listInputSchema, input);
		return await this.deps.store.read(
			async (tx) => await this.describe(tx, await listCurrent(tx, asked)),
			options,
		);
	}

	/** @throws `error.runtime.validation.invalidPropertyValue` */
	async find(input: unknown, options: Cancellable = {}): Promise<ContactDto[]> {
		const asked = readInput(findInputSchema, input);
		return await this.deps.store.read(async (tx) => {
			const peers = await this.peersWith(tx, searchedTexts(asked));
			const found = await relationshipsOf(tx, peers);
			if (asked.name === undefined) return await this.describe(tx, pageOf(found, asked));
			const part = comparableText(asked.name);
			const contacts = await this.describe(tx, found);
			return pageOf(
				contacts.filter((contact) => hasName(contact, part)),
				asked,
			);
		}, options);
	}

	/** Finds the peers that have an attribute with the text. */
	private async peersWith(
		tx: ReadTransaction,
		searched: Condition<AttributeField>,
	): Promise<string[]> {
		const where = [searched, ...this.valid()];
		const entries = await tx.attributes.list({ where });
		return [...new Set(entries.flatMap(({ record }) => record.shareInfo?.peer ?? []))];
	}

	/** Adds the attributes of both sides, which one statement reads for many relationships. */
	private async describe(
		tx: ReadTransaction,
		relationships: readonly RelationshipRecord[],
	): Promise<ContactDto[]> {
		const contacts: ContactDto[] = [];
		for (const some of slicesOf(relationships)) {
			const entries = await tx.attributes.list({
				where: [
					{ field: 'peer', op: 'in', value: some.map(({ peer }) => peer) },
					{ field: 'succeededBy', op: 'missing' },
					...this.valid(),
				],
				orderBy: newestFirst,
			});
			const byPeer = Map.groupBy(entries, ({ record }) => record.shareInfo?.peer);
			for (const relationship of some) {
				const attributes = byPeer.get(relationship.peer) ?? [];
				const records = attributes.map(({ record }) => record);
				contacts.push(toContact(relationship, records, this.deps.account.address));
			}
		}
		return contacts;
	}

	private valid(): Array<Condition<AttributeField>> {
		return validAt(isoInstant(this.deps.clock.now()));
	}
}

/** Lists the current relationships with all peers; others count for no filter and no page. */
async function listCurrent(
	tx: ReadTransaction,
	{ statuses, templateId, limit = Number.POSITIVE_INFINITY, offset }: ContactListInput,
): Promise<RelationshipRecord[]> {
	const where: Array<Condition<RelationshipField>> = [];
	if (statuses.length > 0) where.push({ field: 'status', op: 'in', value: statuses });
	if (templateId !== undefined) where.push({ field: 'templateId', op: 'eq', value: templateId });
	const found: RelationshipRecord[] = [];
	for (let position = 0; ;) {
		const size = Math.min(offset + limit - found.length + spare, peersAtOnce);
		const page = { orderBy: newestFirst, limit: size, offset: position };
		const entries = await tx.relationships.list({ where, ...page });
		const current = await currentRelationships(tx, peersOf(entries));
		for (const { record } of entries) {
			if (current.get(record.peer)?.record.id === record.id) found.push(record);
		}
		if (found.length >= offset + limit || entries.length < size) break;
		position += size;
	}
	return found.slice(offset, offset + limit);
}

/** Returns the current relationships with the peers, newest first. */
async function relationshipsOf(
	tx: ReadTransaction,
	peers: readonly string[],
): Promise<RelationshipRecord[]> {
	const found: RelationshipRecord[] = [];
	for (const some of slicesOf(peers)) {
		const current = await currentRelationships(tx, some);
		found.push(...[...current.values()].map(({ record }) => record));
	}
	return found.sort((a, b) => b.createdAt.localeCompare(a.createdAt));
}

function searchedTexts({
	emailAddress,
	attribute,
	relationshipAttribute,
	name = '',
}: ContactFindInput): Condition<AttributeField> {
	const isValue = (value: string) => ({ field: 'contactValue', op: 'eq', value }) as const;
	if (emailAddress !== undefined) return isValue(identityValueText('EMailAddress', emailAddress));
	if (attribute !== undefined) return isValue(identityValueText(attribute.type, attribute.value));
	if (relationshipAttribute !== undefined) {
		const { key, value } = relationshipAttribute;
		return isValue(relationshipValueText(key, value));
	}
	return { field: 'contactName', op: 'contains', value: longestWord(name) };
}

/**
 * Returns the word that finds the fewest names. Only a word can be searched for, because given name and
 * surname are separate attributes.
 */
function longestWord(name: string): string {
	const words = comparableText(name).split(' ');
	return words.reduce((longest, word) => (word.length > longest.length ? word : longest), '');
}

function pageOf<Entry>(
	entries: readonly Entry[],
	{ limit = Number.POSITIVE_INFINITY, offset }: Page,
): Entry[] {
	return entries.slice(offset, offset + limit);
}

function peersOf(entries: ReadonlyArray<{ readonly record: RelationshipRecord }>): string[] {
	return [...new Set(entries.map(({ record }) => record.peer))];
}

/** Divides a list so that no statement has too many values. */
function* slicesOf<Entry>(entries: readonly Entry[]): Generator<readonly Entry[]> {
	for (let start = 0; start < entries.length; start += peersAtOnce) {
		yield entries.slice(start, start + peersAtOnce);
	}
}
