import type { Cancellable } from '../../base/abort';
import { isoInstant } from '../../base/clock';
import { isDeletedIdentity, partsOfAddress } from '../../model/address';
import { contactErasureInputSchema } from '../../model/input/contact-data';
import type { ErasureReceiptDto, RemainingDto } from '../../model/record/contact-data';
import type { MessageRecord } from '../../model/record/message';
import type { RelationshipRecord } from '../../model/record/relationship';
import { relationshipState } from '../../model/relationship-state';
import { contactErrors } from '../contact/contact-errors';
import { requireAddress } from '../contact/contact-input';
import type { Account } from '../identity/account';
import { leftPeer } from '../left-peer';
import { unknownContact } from './contact-history';
import {
	countEvents,
	emptyEvents,
	removeLeftovers,
	replaceInConsumers,
	replaceMentions,
} from './erased-traces';
import { ErasureProgress } from './erasure-progress';
import { Tally } from './tally';
import { matching } from '../query/conditions';
import { parseInput } from '../validation';
import type { Needs } from '../needs';

type Deletes = (id: string, options: Cancellable) => Promise<void>;

export interface ContactErasureDependencies extends Needs<'store' | 'clock'> {
	readonly account: Pick<Account, 'address'>;
	/** decomposes a relationship that has ended in any way */
	readonly decompose: Deletes;
	/** delete an own object here and at the Backbone */
	readonly deleteFile: Deletes;
	readonly deleteToken: Deletes;
	readonly deleteTemplate: Deletes;
}

/** messages that are read at once */
const messagesAtOnce = 500;

/** What the messages with a person show before they are removed. */
interface MessagesBefore {
	/** number of messages that no other recipient has */
	readonly count: number;
	/** own files that were attached to messages to the person, and to no other message */
	readonly ownFiles: ReadonlySet<string>;
}

/**
 * Erases what this account has about a person whose relationship has ended. Each step can be
 * repeated: an erasure that was interrupted is completed by another call, whose receipt is about both.
 */
export class ContactErasure {
	constructor(private readonly dependencies: ContactErasureDependencies) {}

	/**
	 * @param input `decomposeIfEnded`, `deleteSentFiles`
	 * @throws `error.gateway.contacts.notFound`, `error.gateway.contacts.notEnded`,
	 * `error.gateway.contacts.notDecomposed`, `error.runtime.validation.invalidPropertyValue`, and
	 * the errors of a decomposition; the erasure can then be called again
	 */
	async erase(
		address: string,
		input: unknown = {},
		options: Cancellable = {},
	): Promise<ErasureReceiptDto> {
		requireAddress(address);
		const { decomposeIfEnded, deleteSentFiles } = parseInput(contactErasureInputSchema, input);
		const { store, account, clock } = this.dependencies;
		const isPerson = partsOfAddress(address) !== undefined && !isDeletedIdentity(address);
		if (!isPerson || address === account.address) throw unknownContact(address);
		const relationships = await this.relationshipsWith(address, options);
		requireEnded(relationships, decomposeIfEnded);

		const progress = await this.begin(address, relationships.length, options);
		const { erased, mentions, plan } = progress;
		if (deleteSentFiles) await this.deleteFiles(plan.sentFiles, options);
		const kept = await this.filesHere(plan.sentFiles, options);
		for (const { id } of relationships) await this.dependencies.decompose(id, options);
		await this.deleteAtBackbone(address, options);
		await removeLeftovers(progress, address, options);
		await emptyEvents(store, address, options);
		await replaceMentions(progress, address, options);
		await replaceInConsumers(progress, address, options);

		const remains: RemainingDto[] = [];
		addRemaining(remains, 'events', plan.events);
		erased.add('files', plan.sentFiles.length - kept.length);
		addRemaining(remains, 'sentFiles', kept.length);
		addRemaining(remains, 'waits', plan.waits);
		for (const { kind, count } of mentions.list()) addMention(remains, kind, count);
		const left = await store.read((tx) => leftPeer(tx, address), options);
		if (left !== undefined) addRemaining(remains, 'decomposition', 1, left.until);
		else await progress.forget(options);
		if (erased.list().length === 0 && remains.length === 0) throw unknownContact(address);
		return { address, erasedAt: isoInstant(clock.now()), erased: erased.list(), remains };
	}

	/**
	 * Looks at everything before something is removed, or continues an interrupted erasure that has
	 * begun to remove it.
	 */
	private async begin(
		address: string,
		relationships: number,
		options: Cancellable,
	): Promise<ErasureProgress> {
		const { dependencies } = this;
		const before = await ErasureProgress.find(dependencies, address, options);
		const isContinued = relationships === 0 || relationships < (before?.plan.relationships ?? 0);
		if (before !== undefined && isContinued) return before;
		const { count, ownFiles } = await this.lookAtMessages(address, options);
		const erased = new Tally();
		const waits = await this.countBefore(address, erased, options);
		erased.add('messages', count);
		erased.add('relationships', relationships);
		const sentFiles = [...new Set([...(before?.plan.sentFiles ?? []), ...ownFiles])];
		const events = await countEvents(dependencies.store, address, options);
		const plan = { relationships, sentFiles, waits, events, erased };
		return await ErasureProgress.begin(dependencies, address, plan, options);
	}

	private async relationshipsWith(
		address: string,
		options: Cancellable,
	): Promise<RelationshipRecord[]> {
		const where = matching({ peer: address });
		const entries = await this.dependencies.store.read(
			(tx) => tx.relationships.list({ where }),
			options,
		);
		return entries.map(({ record }) => record);
	}

	/** Reads the messages in pages, because a person may have sent any number of them. */
	private async lookAtMessages(address: string, options: Cancellable): Promise<MessagesBefore> {
		const { store } = this.dependencies;
		const where = matching({ participant: address });
		/* files by the number of messages to the person alone that have them */
		const attached = new Map<string, number>();
		let count = 0;
		let after: string | undefined;
		do {
			const place = after === undefined ? {} : { after };
			const page = await store.read(
				(tx) => tx.messages.list({ where, limit: messagesAtOnce, ...place }),
				options,
			);
			const alone = page
				.map(({ record }) => record)
				.filter((record) => isOnlyWith(record, address));
			count += alone.length;
			for (const { isOwn, attachments } of alone) {
				for (const id of isOwn ? attachments : []) attached.set(id, (attached.get(id) ?? 0) + 1);
			}
			after = page.length < messagesAtOnce ? undefined : page.at(-1)?.record.id;
		} while (after !== undefined);
		const ownFiles = new Set<string>();
		for (const [id, messages] of attached) {
			if (await this.isForPersonOnly(id, messages, options)) ownFiles.add(id);
		}
		return { count, ownFiles };
	}

	/**
	 * Checks for an own file that no message to another person has.
	 *
	 * @param messages number of messages to the person alone that have it
	 */
	private async isForPersonOnly(
		id: string,
		messages: number,
		options: Cancellable,
	): Promise<boolean> {
		return await this.dependencies.store.read(async (tx) => {
			if ((await tx.files.get(id))?.record.isOwn !== true) return false;
			const where = matching({ attachment: id });
			return (await tx.messages.count({ where })) === messages;
		}, options);
	}

	private async deleteFiles(ids: readonly string[], options: Cancellable): Promise<void> {
		for (const id of await this.filesHere(ids, options)) {
			await this.dependencies.deleteFile(id, options);
		}
	}

	/** The files that were not deleted yet. */
	private async filesHere(ids: readonly string[], options: Cancellable): Promise<string[]> {
		const files = await this.dependencies.store.read(
			async (tx) => await tx.files.getMany([...ids]),
			options,
		);
		return files.flatMap((file) => (file === undefined ? [] : [file.record.id]));
	}

	/** Counts what the decomposition removes, and the tokens; returns the number of waits. */
	private async countBefore(address: string, erased: Tally, options: Cancellable): Promise<number> {
		const ofPeer = { where: matching({ peer: address }) };
		return await this.dependencies.store.read(async (tx) => {
			erased.add('tokens', await tx.tokens.count({ where: forPerson(address) }));
			// Without a relationship nothing is decomposed; what is left is counted when it is removed.
			if ((await tx.relationships.first(ofPeer)) === undefined) return 0;
			erased.add('requests', await tx.requests.count(ofPeer));
			erased.add('attributes', await tx.attributes.count(ofPeer));
			erased.add('notifications', await tx.localNotifications.count(ofPeer));
			erased.add('attributeListeners', await tx.attributeListeners.count(ofPeer));
			const about = { where: matching({ reference: address }) };
			erased.add('metadata', await tx.identityMetadata.count(about));
			return await tx.waits.count(ofPeer);
		}, options);
	}

	/** Deletes at the Backbone what only the person could use; the records follow. */
	private async deleteAtBackbone(address: string, options: Cancellable): Promise<void> {
		const { store, deleteToken, deleteTemplate } = this.dependencies;
		const where = forPerson(address);
		const [tokens, templates] = await store.read(
			async (tx) => [await tx.tokens.list({ where }), await tx.templates.list({ where })] as const,
			options,
		);
		for (const { record } of tokens) await deleteToken(record.id, options);
		for (const { record } of templates) {
			if (record.deletedAt === undefined) await deleteTemplate(record.id, options);
		}
	}
}

/** Own objects that only the person can use. */
const forPerson = (address: string) => matching({ forIdentity: address, isOwn: true });

/** A message that the person has written, or that only the person got. */
function isOnlyWith({ isOwn, recipients }: MessageRecord, address: string): boolean {
	return !isOwn || recipients.every((recipient) => recipient.address === address);
}

const ended = ['Terminated', 'DeletionProposed', 'Rejected', 'Revoked'];

/** @throws `error.gateway.contacts.notEnded`, `error.gateway.contacts.notDecomposed` */
function requireEnded(relationships: readonly RelationshipRecord[], mayDecompose: boolean): void {
	const open = relationships.find(({ status }) => !ended.includes(status));
	const [found] = open === undefined ? relationships : [open];
	if (found === undefined || (open === undefined && mayDecompose)) return;
	const facts = { address: found.peer, relationshipId: found.id, status: found.status };
	const state = relationshipState(found);
	throw open === undefined
		? contactErrors.create('notDecomposed', {
				message: `${state}; it has to be decomposed before the data of the person can be erased.`,
				facts,
			})
		: contactErrors.create('notEnded', {
				message: `${state}; it has to end before the data of the person can be erased.`,
				facts,
			});
}

const reasons = {
	sentFiles:
		'own files that were sent to the person only: this account owns them, and may delete them or keep them',
	waits:
		'executions of n8n that waited for the person: they continue without an answer, and what is kept for them is deleted then',
	events:
		'events without data: only their number, name, time and the ID of a record are left, so that no reader of events loses its place',
	decomposition:
		'a hash of the address: by it, what the Backbone still delivers of this person is discarded, and this receipt is given again',
} as const;

function addRemaining(
	remains: RemainingDto[],
	kind: keyof typeof reasons,
	count: number,
	until?: string,
): void {
	if (count === 0) return;
	remains.push({ kind, count, reason: reasons[kind], ...(until === undefined ? {} : { until }) });
}

function addMention(remains: RemainingDto[], kind: string, count: number): void {
	const reason =
		'records about other people or of this account that named the person: a pseudonym stands for the address';
	remains.push({ kind, count, reason });
}
