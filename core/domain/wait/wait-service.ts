import type { Cancellable } from '../../base/abort';
import { isoInstant } from '../../base/clock';
import { ownJson } from '../../model/json';
import type { RelationshipRecord } from '../../model/record/relationship';
import type { TemplateRecord } from '../../model/record/template';
import type { NewGroup, NewWait, WaitDto, WaitOutcome, WaitRecord } from '../../model/record/wait';
import type { Store, WriteTransaction } from '../../store/store';
import type { AwaitedMessage, AwaitedTemplate, Observer, Refusal, Reviewer } from '../observers';
import { versionOfPeer } from '../peer-version';
import { forgetLater, memberOfGroup, removeWait, voteOf, waitsOfGroup } from './group-wait';
import { waitErrors } from './wait-errors';
import { answersSoFar, outcomeOf } from './wait-outcome';
import { matching } from '../query/conditions';

export interface WaitDependencies {
	readonly store: Store;
}

/** What an execution waits for. */
export type WaitSubject = Pick<
	WaitRecord,
	'kind' | 'subject' | 'peer' | 'after' | 'askedAt' | 'latestReceived' | 'group'
>;

/** Executions that wait for a person (docs/adr/0028). */
export class WaitService
	implements
		Reviewer<'messageAwaited' | 'templateAwaited'>,
		Observer<'messageNotAwaited' | 'templateDeleted' | 'relationshipDecomposed'>
{
	constructor(private readonly dependencies: WaitDependencies) {}

	/** Begins a wait for the response to a request, or for the next mail of the recipient. */
	async messageAwaited(tx: WriteTransaction, message: AwaitedMessage): Promise<Refusal> {
		const { wait, content, recipients, intentId = '', notSentBefore: after } = message;
		const { askedAt, latestReceived } = message;
		const known = latestReceived === undefined ? {} : { latestReceived };
		const [peer] = recipients;
		const about = peer === undefined ? {} : { peer };
		return await this.begin(
			tx,
			wait,
			content['@type'] === 'Request'
				? { kind: 'request', subject: String(content['id']), ...about }
				: { kind: 'mail', subject: intentId, ...about, after, askedAt, ...known },
		);
	}

	async messageNotAwaited(tx: WriteTransaction, { id, key }: NewWait): Promise<void> {
		await end(tx, id, key);
	}

	/** Begins a wait for the first person, or the first people, who answer the template. */
	async templateAwaited(
		tx: WriteTransaction,
		{ wait, template }: AwaitedTemplate,
	): Promise<Refusal> {
		return await this.begin(tx, wait, { kind: 'template', subject: template.id });
	}

	/** Ends the wait for an answer to the template, unless it was answered before. */
	async templateDeleted(tx: WriteTransaction, { id }: TemplateRecord): Promise<void> {
		const where = matching({ subject: id });
		for (const { record } of await tx.waits.list({ where })) {
			const wait = await this.decide(tx, record);
			if (wait.outcome !== undefined) continue;
			const answers = await answersSoFar(tx, record);
			await this.store(tx, wait, { kind: 'ended', reason: 'templateDeleted', ...answers });
		}
	}

	/** Ends the waits for the peer; nothing about the peer is kept for them. */
	async relationshipDecomposed(tx: WriteTransaction, left: RelationshipRecord): Promise<void> {
		const where = matching({ peer: left.peer });
		for (const { record } of await tx.waits.list({ where })) {
			const { peer: _peer, vote: _vote, reminder: _reminder, ...wait } = record;
			const outcome = { kind: 'ended', reason: 'peerLeft' } as const;
			if (wait.memberOf !== undefined) {
				await tx.waits.update({ ...wait, outcome });
				await this.decideGroup(tx, wait.memberOf);
				continue;
			}
			const notBefore = isoInstant(this.dependencies.store.clock.now());
			await tx.waits.update({ resumption: { notBefore, calls: 0 }, ...wait, outcome });
		}
		await forgetLater(tx, left.peer);
	}

	/**
	 * Begins the wait of a group, before its people are asked. Each of them gets a wait of
	 * {@link memberOfGroup}.
	 *
	 * @throws `error.gateway.waits.deadlinePassed`
	 */
	async beginGroup(
		{ rule, size, escalation, ...wait }: NewGroup,
		options: Cancellable = {},
	): Promise<void> {
		const { store } = this.dependencies;
		const later = escalation && { ...escalation, content: ownJson(escalation.content) };
		const group = { rule, size, ...(later === undefined ? {} : { escalation: later }) };
		const about = { kind: 'group', subject: wait.key, group } as const;
		const refusal = await store.transact((tx) => this.begin(tx, wait, about), options);
		if (refusal !== undefined) throw refusal;
	}

	/**
	 * Notes that all people of a group were asked, or the further ones of its escalation, apart from
	 * those who cannot be asked.
	 *
	 * @param unasked their places in the group, with data of the node
	 */
	async groupAsked(
		id: string,
		key: string,
		unasked: ReadonlyArray<Pick<WaitRecord, 'peer' | 'note'> & { readonly index: number }>,
		options: Cancellable = {},
	): Promise<void> {
		const { store } = this.dependencies;
		await store.transact(async (tx) => {
			const wait = (await tx.waits.get(id))?.record;
			if (wait?.key !== key || wait.group === undefined || wait.outcome !== undefined) return;
			const createdAt = isoInstant(store.clock.now());
			for (const { index, peer, note } of unasked) {
				const about = { ...(peer === undefined ? {} : { peer }), note, createdAt };
				const outcome = { kind: 'ended', reason: 'notSent' } as const;
				const member = memberOfGroup(wait, index);
				await put(tx, {
					...about,
					...member,
					kind: 'request',
					subject: '',
					resumeUrl: '',
					outcome,
				});
			}
			const asked = { ...wait, group: askedGroup(wait.group) };
			await tx.waits.update(asked);
			await this.decide(tx, asked);
		}, options);
	}

	/** Waits for the people of a group, with their outcomes. */
	async members(id: string, key: string, options: Cancellable = {}): Promise<WaitDto[]> {
		return await this.dependencies.store.read(async (tx) => {
			const wait = (await tx.waits.get(id))?.record;
			if (wait?.key !== key) return [];
			return (await waitsOfGroup(tx, wait)).map((member) => toWaitDto(member));
		}, options);
	}

	private async decideGroup(tx: WriteTransaction, id: string): Promise<void> {
		const wait = (await tx.waits.get(id))?.record;
		if (wait?.group !== undefined) await this.decide(tx, wait);
	}

	/** Ends the waits for people who have not answered when their group goes on. */
	private async endMembers(
		tx: WriteTransaction,
		wait: WaitRecord,
		{ kind }: WaitOutcome,
		now: string,
	): Promise<void> {
		const left: WaitOutcome =
			kind === 'timedOut' ? { kind } : { kind: 'ended', reason: 'notNeeded' };
		for (const member of await waitsOfGroup(tx, wait)) {
			if (member.outcome !== undefined) continue;
			const outcome = (await outcomeOf(tx, member, now)) ?? left;
			await tx.waits.update({ ...member, outcome });
		}
	}

	/**
	 * Stores a wait in the transaction that sends the question. A node waits for one answer at a
	 * time, so a new wait replaces the earlier one of the same node: n8n has continued the execution
	 * since. Refuses with `error.gateway.waits.deadlinePassed`.
	 */
	private async begin(tx: WriteTransaction, wait: NewWait, about: WaitSubject): Promise<Refusal> {
		const { id, key, resumeUrl, note, until, reminder, holdMs, answersWanted, memberOf } = wait;
		const now = isoInstant(this.dependencies.store.clock.now());
		if (until !== undefined && until <= now) {
			return waitErrors.create('deadlinePassed', {
				message: `The time to wait ended at ${until}.`,
			});
		}
		const record: WaitRecord = {
			...{ id, key, resumeUrl, note },
			...about,
			createdAt: now,
			...(until === undefined ? {} : { until }),
			...(reminder === undefined ? {} : { reminder }),
			...(holdMs === undefined ? {} : { holdMs }),
			...(answersWanted === undefined ? {} : { answersWanted }),
			...(memberOf === undefined ? {} : { memberOf }),
		};
		const former = (await tx.waits.get(id))?.record;
		if (former?.group !== undefined) await removeWait(tx, former);
		await put(tx, record);
		// The repetition of a send may begin to wait for an answer that has arrived.
		const outcome = await outcomeOf(tx, record, now);
		if (outcome !== undefined && outcome.kind !== 'ended') await this.store(tx, record, outcome);
		return undefined;
	}

	/**
	 * Returns the wait of a node with its outcome, if there is one already. Undefined if the node
	 * waits for something else by now, or for nothing.
	 */
	async find(id: string, key: string, options: Cancellable = {}): Promise<WaitDto | undefined> {
		const { store } = this.dependencies;
		const found = await store.read(async (tx) => {
			const wait = (await tx.waits.get(id))?.record;
			if (wait?.key !== key) return undefined;
			const now = isoInstant(store.clock.now());
			const hasEnded = wait.outcome === undefined && (await outcomeOf(tx, wait, now)) !== undefined;
			const { references } = hasEnded ? {} : await answersSoFar(tx, wait);
			return { wait, hasEnded, answers: references?.length };
		}, options);
		// Pages ask again and again, and a transaction for writing is needed only once.
		if (found?.hasEnded !== true) return found && toWaitDto(found.wait, found.answers);
		return await store.transact(async (tx) => {
			const wait = (await tx.waits.get(id))?.record;
			if (wait?.key !== key) return undefined;
			return toWaitDto(await this.decide(tx, wait));
		}, options);
	}

	/**
	 * Notes that the node gives n8n the outcome. It is committed before the node answers, because n8n
	 * may run in the same process, and the process may die before it knows what n8n did.
	 */
	async handOver(id: string, key: string, options: Cancellable = {}): Promise<void> {
		await this.dependencies.store.transact(async (tx) => {
			const wait = (await tx.waits.get(id))?.record;
			if (wait?.key !== key || wait.resumption === undefined) return;
			const { failure: _failure, missingSince: _missing, ...resumption } = wait.resumption;
			await tx.waits.update({ ...wait, resumption: { ...resumption, isTaken: true } });
		}, options);
	}

	/** Ends a wait whose question was not sent. */
	async discard(id: string, key: string, options: Cancellable = {}): Promise<void> {
		await this.dependencies.store.transact((tx) => end(tx, id, key), options);
	}

	/** Waits for an answer to the template. */
	async ofTemplate(templateId: string, options: Cancellable = {}): Promise<WaitDto[]> {
		const where = matching({ subject: templateId });
		const entries = await this.dependencies.store.read((tx) => tx.waits.list({ where }), options);
		return entries.map(({ record }) => toWaitDto(record));
	}

	async list(options: Cancellable = {}): Promise<WaitDto[]> {
		const entries = await this.dependencies.store.read((tx) => tx.waits.list(), options);
		return entries.map(({ record }) => toWaitDto(record));
	}

	/**
	 * Returns whether the wallet of the peer is known to support questions with a free text. Version
	 * 7 does not, and of a new peer the version is unknown (docs/protocol/content.md 13).
	 */
	async knowsFreeText(peer: string, options: Cancellable = {}): Promise<boolean> {
		const version = await this.dependencies.store.read((tx) => versionOfPeer(tx, peer), options);
		return version === 6;
	}

	/** Stores the outcome, once there is one; it never changes afterwards. */
	async decide(tx: WriteTransaction, wait: WaitRecord): Promise<WaitRecord> {
		if (wait.outcome !== undefined) return wait;
		const now = isoInstant(this.dependencies.store.clock.now());
		const outcome = await outcomeOf(tx, wait, now);
		return outcome === undefined ? wait : await this.store(tx, wait, outcome);
	}

	private async store(
		tx: WriteTransaction,
		wait: WaitRecord,
		outcome: WaitOutcome,
	): Promise<WaitRecord> {
		const { memberOf } = wait;
		if (memberOf !== undefined) {
			const decided = { ...wait, outcome, ...(await votedIn(tx, outcome)) };
			await tx.waits.update(decided);
			await this.decideGroup(tx, memberOf);
			return decided;
		}
		const nowMs = this.dependencies.store.clock.now();
		if (wait.group !== undefined) await this.endMembers(tx, wait, outcome, isoInstant(nowMs));
		const notBefore = isoInstant(nowMs + (wait.holdMs ?? 0));
		const decided: WaitRecord = { ...wait, outcome, resumption: { notBefore, calls: 0 } };
		await tx.waits.update(decided);
		return decided;
	}
}

/** Removes the wait unless the node has begun another one since. */
async function end(tx: WriteTransaction, id: string, key: string): Promise<void> {
	const wait = (await tx.waits.get(id))?.record;
	if (wait?.key === key) await removeWait(tx, wait);
}

function askedGroup(group: NonNullable<WaitRecord['group']>): WaitRecord['group'] {
	if (group.isAsked !== true) return { ...group, isAsked: true };
	const { escalation, ...rest } = group;
	return { ...rest, size: rest.size + (escalation?.peers.length ?? 0) };
}

async function put(tx: WriteTransaction, record: WaitRecord): Promise<void> {
	if (!(await tx.waits.insertIfNew(record, undefined))) await tx.waits.update(record);
}

/** Vote of a person of a group whose request was answered. */
async function votedIn(tx: WriteTransaction, outcome: WaitOutcome): Promise<{ vote?: string }> {
	if (outcome.kind !== 'answered') return {};
	const response = (await tx.requests.get(outcome.reference))?.record.response;
	return response === undefined ? {} : { vote: voteOf(response.content) };
}

function toWaitDto(record: WaitRecord, answers?: number): WaitDto {
	const { id, key, kind, subject, peer, createdAt, until, note, outcome, resumption } = record;
	const { answersWanted } = record;
	return {
		...{ id, key, kind, subject, peer, createdAt, until, note, outcome },
		isTaken: resumption?.isTaken === true,
		...(answersWanted === undefined ? {} : { answersWanted }),
		...(answers === undefined ? {} : { answersSoFar: answers }),
	};
}
