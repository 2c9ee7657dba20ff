import { throwIfAborted, type Cancellable } from '../../../base/abort';
import { isGatewayError } from '../../../base/errors';
import type { ReadTransaction } from '../../../store/store';
import { currentRelationship } from '../../current-relationship';
import type { AttributeWriter } from '../../attribute/attribute-writer';
import { findWork, workOf } from '../../unfinished/ledger';
import { isOutcomeUnknown, isTemporary } from '../../unfinished/outcome';
import type { WorkAttempts } from '../../unfinished/work-attempts';
import { automaticDecisions, type Automation } from './automation';
import { accepts } from './decisions';
import type { IncomingRequestService, Verdict } from '../incoming-request-service';
import type { ProcessingResultEvents } from '../processing-result-events';
import { takeAction } from '../request-changes';
import { toRequestDto } from '../request-dto';
import { noticeExpired } from '../request-expiry';
import type { ResponseDelivery } from '../responses/response-delivery';
import type { Needs } from '../../needs';

export interface AutomaticDecisionsDependencies extends Needs<'store' | 'clock' | 'logger'> {
	readonly writer: () => AttributeWriter;
	readonly automation: Automation;
	readonly resultEvents: ProcessingResultEvents;
	readonly requests: IncomingRequestService;
	readonly delivery: ResponseDelivery;
	readonly attempts: (options: Cancellable) => WorkAttempts;
}

/**
 * Processes requests of peers without asking a person (docs/protocol/consumption.md 10.1, 10.2).
 */
export class AutomaticDecisions {
	constructor(private readonly dependencies: AutomaticDecisionsDependencies) {}

	/**
	 * Applies the rules of the automation to waiting requests and delivers decided responses to the
	 * peers. Runs after each arrival and in every sync that finds waiting requests; a failure is
	 * logged, and the next run tries again.
	 */
	async settle(options: Cancellable): Promise<void> {
		const { store, delivery, logger } = this.dependencies;
		const entries = await store.read(async (tx) => {
			const open = await workOf(tx, ['decideRequest', 'acceptRequest', 'rejectRequest']);
			return open.length === 0 ? [] : await tx.requests.getMany(open.map(({ id }) => id));
		}, options);
		if (entries.length === 0) return;
		const attempts = this.dependencies.attempts(options);
		try {
			for (const { record } of entries) {
				throwIfAborted(options);
				const { id, sendIntentId } = record;
				await attempts.attempt(
					id,
					(work) =>
						work.kind === 'decideRequest'
							? this.decide(id, options)
							: delivery.resume(record, work, options),
					// To look whether the message still waits costs nothing.
					{ isAlwaysDue: sendIntentId !== undefined },
				);
			}
		} catch (error) {
			throwIfAborted(options);
			if (!isGatewayError(error)) throw error;
			logger.warn('requests wait for the Backbone', { code: error.code, reason: error.message });
		}
	}

	/** Decides a request by the rules; when they cannot be carried out, a person decides. */
	private async decide(id: string, options: Cancellable): Promise<void> {
		const { requests, logger } = this.dependencies;
		await noticeExpired(this.dependencies, options);
		try {
			const verdict = await this.verdictOn(id, options);
			if (verdict === undefined) return await this.requireManualDecision(id, options);
			const { deliver } = await requests.take(id, verdict, options);
			await deliver(options);
		} catch (error) {
			throwIfAborted(options);
			if (!isGatewayError(error)) throw error;
			const { code, message: reason } = error;
			logger.warn('a request was not decided automatically', { requestId: id, code, reason });
			if (isOutcomeUnknown(error) || isTemporary(error)) throw error;
			await this.requireManualDecision(id, options);
		}
	}

	private async verdictOn(id: string, options: Cancellable): Promise<Verdict | undefined> {
		const { store, automation } = this.dependencies;
		return await store.read(async (tx) => {
			const record = (await tx.requests.get(id))?.record;
			if (record === undefined || !(await isUndecided(tx, id))) return undefined;
			const exists = (await currentRelationship(tx, record.peer)) !== undefined;
			const decisions = automaticDecisions(toRequestDto(record), automation, exists);
			if (decisions === undefined) return undefined;
			return { decisions, mode: accepts(decisions) ? 'accept' : 'reject', isAutomatic: true };
		}, options);
	}

	private async requireManualDecision(id: string, options: Cancellable): Promise<void> {
		const { store, resultEvents, writer } = this.dependencies;
		await store.transact(async (tx) => {
			const record = (await tx.requests.get(id))?.record;
			// Decided, expired or deleted in the meantime.
			if (record === undefined || !(await isUndecided(tx, id))) return;
			await tx.work.delete(id);
			const changed = await takeAction(tx, record, 'requireManualDecision', writer().now);
			await resultEvents.ofSource(tx, changed, 'ManualRequestDecisionRequired');
		}, options);
	}
}

async function isUndecided(tx: ReadTransaction, id: string): Promise<boolean> {
	return (await findWork(tx, id, ['decideRequest'])) !== undefined;
}
