import type { Cancellable } from '../../base/abort';
import { generationOf, type Generation } from '../../model/peer-version';
import type { Request } from '../../model/content/requests/requests';
import type { RequestDto, RequestRecord } from '../../model/record/request';
import type { ReadTransaction, WriteTransaction } from '../../store/store';
import type { ValidationResultDto, IncomingRequestUseCases } from '../../facade/requests';
import { versionOfPeer } from '../peer-version';
import type { AttributeWriter } from '../attribute/attribute-writer';
import type { Account } from '../identity/account';
import { checkDecision, type DecisionMode } from './decisions/decision-check';
import { carryOut } from './decisions/decision-taking';
import { readDecisions, type Decision } from './decisions/decisions';
import {
	factsForDeciding,
	fileKey,
	isAboutFile,
	takeOver,
	type FileAccess,
	type FilesInItems,
	type FileItem,
} from './items/file-facts';
import type { DecisionDependencies } from './items/item-handler';
import type { ProcessingResultEvents } from './processing-result-events';
import { takeAction } from './request-changes';
import { toRequestDto } from './request-dto';
import { requestErrors } from './request-errors';
import { noticeExpired } from './request-expiry';
import { flatItemsOf } from './request-items';
import type { Delivery, ResponseDelivery } from './responses/response-delivery';
import { firstFailure } from './validation-result';
import { incomingRequestQueryFields } from './request-query';
import type { Needs } from '../needs';
import { requestListOf } from './request-list';

export interface IncomingRequestDependencies extends Needs<'store' | 'clock'> {
	readonly account: Pick<Account, 'address'>;
	readonly files: FileAccess;
	/** Updates the stored mark of the peer's planned deletion from the Backbone. */
	readonly reviewPeer: (peer: string, options: Cancellable) => Promise<void>;
	readonly writer: () => AttributeWriter;
	readonly delivery: ResponseDelivery;
	readonly resultEvents: ProcessingResultEvents;
}

/** Decision to be taken, by a person or by the rules of the automation. */
export interface Verdict {
	readonly decisions: readonly Decision[];
	readonly mode: DecisionMode;
	readonly isAutomatic: boolean;
}

type Decide<Result> = (id: string, input: unknown, options?: Cancellable) => Promise<Result>;

/** Handles requests that peers send to this account (docs/protocol/consumption.md 5). */
export class IncomingRequestService implements IncomingRequestUseCases {
	constructor(private readonly dependencies: IncomingRequestDependencies) {}

	/** @throws `error.runtime.recordNotFound` */
	async get(id: string, options: Cancellable = {}): Promise<RequestDto> {
		return toRequestDto(await this.load(id, 'notFound', options));
	}

	readonly list = requestListOf(() => this.dependencies, false, incomingRequestQueryFields);

	/**
	 * Returns the result tree of accepting with these decisions, without any change.
	 *
	 * @throws `error.runtime.requestDeserialization`, `error.runtime.servalError`,
	 * `error.transport.recordNotFound`, `error.runtime.unknown` for a request that is not to be
	 * decided, `error.consumption.requests.violatedKeyUniquenessOfRelationshipAttributes`
	 */
	readonly canAccept = this.checkOf('accept');

	/** Like {@link canAccept}, for a rejection. */
	readonly canReject = this.checkOf('reject');

	/**
	 * Accepts the request: stores the decision together with all effects of the items, then delivers
	 * the response to the peer. When the peer cannot be reached now, the next sync tries again, and
	 * the decided request is returned.
	 *
	 * @throws as `canAccept`, with `error.runtime.recordNotFound` and, for invalid decisions,
	 * `error.runtime.unknown`; `error.gateway.requests.notUnderstoodByPeer`; and any final refusal of
	 * the response
	 */
	readonly accept = this.decisionOf('accept');

	/** Like {@link accept}, for a rejection. */
	readonly reject = this.decisionOf('reject');

	/**
	 * @throws `error.runtime.recordNotFound`,
	 * `error.consumption.requests.canOnlyDeleteIncomingRequestThatIsExpired`
	 */
	async delete(id: string, options: Cancellable = {}): Promise<void> {
		const { status } = await this.load(id, 'notFound', options);
		if (status !== 'Expired') {
			throw requestErrors.create('notExpired', {
				message: `The request '${id}' is '${status}', not expired.`,
				facts: { requestId: id, status },
			});
		}
		await this.dependencies.store.transact(async (tx) => {
			await tx.requests.delete(id);
		}, options);
	}

	private checkOf(mode: DecisionMode): Decide<ValidationResultDto> {
		return async (id, input, options = {}) => {
			const record = await this.load(id, 'unknownRequest', options);
			const decisions = readDecisions(input);
			const files = await this.factsOf(record, decisions, options);
			await this.dependencies.reviewPeer(record.peer, options);
			return await this.dependencies.store.read(
				async (tx) => checkDecision(record, decisions, mode, await this.context(tx, record, files)),
				options,
			);
		};
	}

	private decisionOf(mode: DecisionMode): Decide<RequestDto> {
		return async (id, input, options = {}) => {
			await this.load(id, 'notFound', options);
			const decisions = readDecisions(input);
			const verdict: Verdict = { decisions, mode, isAutomatic: false };
			const { record, deliver } = await this.take(id, verdict, options);
			// Without the caller's signal: the decision is stored, so an abort cannot revoke it.
			await deliver({});
			return toRequestDto(record);
		};
	}

	/** Stores the decision with all its effects in one transaction. */
	async take(
		id: string,
		verdict: Verdict,
		options: Cancellable,
	): Promise<{ readonly record: RequestRecord; readonly deliver: Delivery }> {
		const { store, delivery, resultEvents } = this.dependencies;
		const { peer } = await store.read((tx) => this.require(tx, id, 'notFound'), options);
		await delivery.ready(peer, options);
		const files = await this.takeOverFiles(id, verdict, options);
		return await store.transact(async (tx) => {
			const stored = await this.require(tx, id, 'notFound');
			const decided = await this.decideIn(tx, stored, verdict, files);
			if (verdict.isAutomatic)
				await resultEvents.ofSource(tx, decided, 'RequestAutomaticallyDecided');
			return { record: decided, deliver: await delivery.prepare(tx, decided) };
		}, options);
	}

	private async decideIn(
		tx: WriteTransaction,
		stored: RequestRecord,
		{ decisions, mode, isAutomatic }: Verdict,
		files: FilesInItems,
	): Promise<RequestRecord> {
		const context = await this.context(tx, stored, files);
		const result = await checkDecision(stored, decisions, mode, context);
		requireSuccess(result);
		const writer = this.dependencies.writer();
		const taken = await carryOut(stored, decisions, mode, { ...context, tx, writer });
		const { claimedFiles: _claimed, ...rest } = stored;
		const answered: RequestRecord = {
			...rest,
			...taken,
			...(isAutomatic ? { wasAutomaticallyDecided: true } : {}),
		};
		return await takeAction(tx, answered, 'decide', writer.now);
	}

	/**
	 * Loads an incoming request.
	 *
	 * @throws `error.runtime.recordNotFound` or `error.transport.recordNotFound`, as the caller
	 * promises
	 */
	private async load(
		id: string,
		whenUnknown: 'notFound' | 'unknownRequest',
		options: Cancellable,
	): Promise<RequestRecord> {
		await noticeExpired(this.dependencies, options);
		return await this.dependencies.store.read((tx) => this.require(tx, id, whenUnknown), options);
	}

	private async require(
		tx: ReadTransaction,
		id: string,
		whenUnknown: 'notFound' | 'unknownRequest',
	): Promise<RequestRecord> {
		const record = (await tx.requests.get(id))?.record;
		if (record?.isOwn === false) return record;
		throw requestErrors.create(whenUnknown, {
			message: `There is no incoming request with the ID '${id}' in this account.`,
			facts: { requestId: id },
		});
	}

	private async context(
		tx: ReadTransaction,
		{ id, peer, source, claimedFiles = [] }: RequestRecord,
		files: FilesInItems,
	): Promise<DecisionDependencies> {
		const { account, clock, writer } = this.dependencies;
		return {
			tx,
			ownAddress: account.address,
			hasOneId: writer().hasOneId,
			peer,
			requestId: id,
			nowMs: clock.now(),
			files,
			claimedFiles,
			generation: await generationOfSender(tx, peer, source),
		};
	}

	private async factsOf(
		{ content, peer }: RequestRecord,
		decisions: readonly Decision[],
		options: Cancellable,
	): Promise<FilesInItems> {
		return await factsForDeciding(
			acceptedFileItems(content, decisions),
			peer,
			this.dependencies.files,
			options,
		);
	}

	/**
	 * Takes over files before the transaction, because that calls the Backbone. The takeover is
	 * recorded first, so that a repetition can continue it.
	 */
	private async takeOverFiles(
		id: string,
		{ decisions, mode }: Verdict,
		options: Cancellable,
	): Promise<FilesInItems> {
		const { store, files: access } = this.dependencies;
		const record = await store.read((tx) => this.require(tx, id, 'notFound'), options);
		const items = acceptedFileItems(record.content, decisions);
		if (mode === 'reject' || items.length === 0) return new Map();
		const files = await this.factsOf(record, decisions, options);
		await store.transact(async (tx) => {
			const current = await this.require(tx, id, 'notFound');
			const context = await this.context(tx, current, files);
			requireSuccess(await checkDecision(current, decisions, mode, context));
			const claimedFiles = [...files.values()].flatMap(({ file }) => file?.record.id ?? []);
			await tx.requests.update({ ...current, claimedFiles });
		}, options);
		const owned = new Map(files);
		for (const item of items) {
			const facts = owned.get(fileKey(item));
			if (facts === undefined) continue;
			const taken = await takeOver(item, facts, access, options);
			owned.set(fileKey(item), { ...facts, ...(taken === undefined ? {} : { owned: taken }) });
		}
		return owned;
	}
}

/** Items about files that the decisions accept. */
function acceptedFileItems(content: Request, decisions: readonly Decision[]): FileItem[] {
	const flat = decisions.flatMap((one) => (one.kind === 'group' ? one.items : [one]));
	return flatItemsOf(content).filter((item, index): item is FileItem => {
		const decision = flat[index];
		return isAboutFile(item) && decision?.kind === 'item' && decision.accept;
	});
}

async function generationOfSender(
	tx: ReadTransaction,
	peer: string,
	source: RequestRecord['source'],
): Promise<Generation | undefined> {
	const known = await versionOfPeer(tx, peer);
	if (known !== undefined || source?.type !== 'RelationshipTemplate') return generationOf(known);
	return generationOf((await tx.templates.get(source.reference))?.record.ownerVersion);
}

/** Throws one error for a failed check; `canAccept` returns the details. */
function requireSuccess(result: ValidationResultDto): void {
	const failed = firstFailure(result);
	if (failed === undefined) return;
	const { leaf } = failed;
	throw requestErrors.create('invalidDecision', {
		message: `The request cannot be decided like this: ${leaf.message}`,
		facts: { itemCode: leaf.code },
	});
}
