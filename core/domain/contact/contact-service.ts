import type { Cancellable } from '../../base/abort';
import { isoInstant } from '../../base/clock';
import {
	comparableText,
	identityValueText,
	relationshipValueText,
} from '../../model/content/contact-search';
import { contactFindInputSchema, contactListInputSchema } from '../../model/input/contact';
import type { ContactDto, FoundContactDto } from '../../model/record/relationship';
import type { RelationshipRecord } from '../../model/record/relationship';
import type {
	AttributeField,
	Condition,
	ReadTransaction,
	RelationshipField,
} from '../../store/store';
import type { AttributeRecord } from '../../model/record/attribute';
import { validAt } from '../attribute/attribute-lists';
import { currentRelationship, currentRelationships } from '../current-relationship';
import type { Account } from '../identity/account';
import { firstConnected, hasName, toContact } from './contact-dto';
import { contactErrors } from './contact-errors';
import { toFoundContacts } from './found-contact';
import {
	requireAddress,
	type ContactFindInput,
	type ContactListInput,
	type Page,
} from './contact-input';
import { matching } from '../query/conditions';
import { parseInput } from '../validation';
import type { Needs } from '../needs';

const peersAtOnce = 500;
/** additional relationships that are read because some peers have several */
const spare = 20;
const newestFirst = { field: 'inserted', direction: 'desc' } as const;

export interface ContactDependencies extends Needs<'store' | 'clock'> {
	readonly account: Pick<Account, 'address'>;
}

/** Reads contacts: peers with their current relationship and the attributes of both sides. */
export class ContactService {
	constructor(private readonly dependencies: ContactDependencies) {}

	/** @throws `error.gateway.contacts.notFound`, `error.runtime.validation.invalidPropertyValue` */
	async get(address: string, options: Cancellable = {}): Promise<ContactDto> {
		requireAddress(address);
		const contact = await this.dependencies.store.read(async (tx) => {
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
		const asked = parseInput(contactListInputSchema, input);
		return await this.dependencies.store.read(
			async (tx) => await this.describe(tx, await listCurrent(tx, asked)),
			options,
		);
	}

	/** @throws `error.gateway.contacts.several`, `error.runtime.validation.invalidPropertyValue` */
	async find(input: unknown, options: Cancellable = {}): Promise<FoundContactDto[]> {
		const asked = parseInput(contactFindInputSchema, input);
		return await this.dependencies.store.read(async (tx) => {
			const attributes = await this.attributesWith(tx, asked);
			const people = await this.fittingPeople(tx, asked, [...attributes.keys()]);
			const contacts = await this.describe(tx, chosenOf(people, asked));
			return await toFoundContacts(tx, contacts, {
				peopleFound: people.length,
				attributes,
				ownAddress: this.dependencies.account.address,
			});
		}, options);
	}

	/** Returns the current relationships with the people who fit. */
	private async fittingPeople(
		tx: ReadTransaction,
		{ name }: ContactFindInput,
		peers: readonly string[],
	): Promise<RelationshipRecord[]> {
		const relationships = await relationshipsOf(tx, peers);
		if (name === undefined) return relationships;
		const part = comparableText(name);
		const contacts = await this.describe(tx, relationships);
		const fitting = new Set(
			contacts.filter((contact) => hasName(contact, part)).map(({ address }) => address),
		);
		return relationships.filter(({ peer }) => fitting.has(peer));
	}

	/** Finds the attributes with the text, newest first, by their peers. */
	private async attributesWith(
		tx: ReadTransaction,
		asked: ContactFindInput,
	): Promise<Map<string, AttributeRecord[]>> {
		const ownOnly = asked.relationshipAttribute?.owner === 'own';
		const { address } = this.dependencies.account;
		const where: Array<Condition<AttributeField>> = [
			searchedTexts(asked),
			...(ownOnly ? matching({ owner: address }) : []),
			...this.valid(),
		];
		const entries = await tx.attributes.list({ where, orderBy: newestFirst });
		const records = entries.map(({ record }) => record);
		return Map.groupBy(records, ({ shareInfo }) => shareInfo?.peer ?? '');
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
				contacts.push(toContact(relationship, records, this.dependencies.account.address));
			}
		}
		return contacts;
	}

	private valid(): Array<Condition<AttributeField>> {
		return validAt(isoInstant(this.dependencies.clock.now()));
	}
}

/** Lists the current relationships with all peers; others count for no filter and no page. */
async function listCurrent(
	tx: ReadTransaction,
	{ statuses, templateId, purpose, limit = Number.POSITIVE_INFINITY, offset }: ContactListInput,
): Promise<RelationshipRecord[]> {
	const where: Array<Condition<RelationshipField>> = [];
	if (statuses.length > 0) where.push({ field: 'status', op: 'in', value: statuses });
	if (templateId !== undefined) where.push({ field: 'templateId', op: 'eq', value: templateId });
	if (purpose !== undefined) where.push({ field: 'purpose', op: 'eq', value: purpose });
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

/** @throws `error.gateway.contacts.several` */
function chosenOf(
	people: readonly RelationshipRecord[],
	asked: ContactFindInput,
): readonly RelationshipRecord[] {
	if (asked.ifSeveral === 'list') return pageOf(people, asked);
	if (people.length <= 1) return people;
	if (asked.ifSeveral === 'firstConnected') return [firstConnected(people)];
	throw contactErrors.create('several', {
		message: `${people.length} people ${claimOf(asked)}.`,
		facts: { people: people.length },
	});
}

/** What the people who fit have in common, and who says so. */
function claimOf({ emailAddress, name, relationshipAttribute }: ContactFindInput): string {
	if (emailAddress !== undefined) return 'say that they have this email address';
	if (name !== undefined) return 'say that they have this name';
	if (relationshipAttribute === undefined) return 'say that they have this value';
	const { key, owner } = relationshipAttribute;
	return `have this value of '${key}'${owner === 'any' ? ', which anyone may have set' : ''}`;
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
 * Returns the word that finds the fewest names. Only a word can be searched for, because given name
 * and surname are separate attributes.
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
