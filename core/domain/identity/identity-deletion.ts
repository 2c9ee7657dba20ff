import { isDeepStrictEqual } from 'node:util';
import type { Cancellable } from '../../base/abort';
import { isoInstant } from '../../base/clock';
import { codeOf, isGatewayError } from '../../base/errors';
import type { CallOptions } from '../../backbone/port/backbone';
import type { WireDeletionProcess } from '../../backbone/dto';
import { appendEvent } from '../../events/outbox';
import { initiateInputSchema } from '../../model/input/identity';
import {
	activeDeletionStatuses,
	type DeletionProcessRecord,
	type IdentityDeletionProcessDto,
} from '../../model/record/deletion-process';
import type { WriteTransaction } from '../../store/store';
import { isOutcomeUnknown } from '../unfinished/outcome';
import { parseInput } from '../validation';
import {
	changes,
	endingStatuses,
	isBehind,
	toDeletionProcess,
	type DeletionStatus,
} from './deletion-rules';
import { alreadyExists, identityErrors, nothingNew } from './identity-errors';
import { listIn, listOpen, listUnsettled, watchDeletion } from './stored-deletions';
import type { Needs } from '../needs';

const onlyOneAllowed = 'error.platform.validation.device.onlyOneActiveDeletionProcessAllowed';
const quotaExhausted = 'error.platform.quotaExhausted';
const notInRequiredStatus = 'error.platform.validation.device.deletionProcessIsNotInRequiredStatus';

export interface IdentityDeletionDependencies extends Needs<'store' | 'backbone' | 'clock'> {
	/**
	 * called after a cancellation: the Backbone starts sync runs again and has kept the external
	 * events that arrived in the meantime
	 */
	readonly onCancelled: () => void;
}

/**
 * Deletion of this account's identity (docs/protocol/transport.md 11). The Backbone's list is
 * authoritative: `refresh` reads from it the outcome that a killed process or a lost answer left
 * open. It runs with every sync while a process is active, and whenever the Backbone refuses a sync
 * because of a process.
 */
export class IdentityDeletionService {
	/**
	 * whether the grace period runs, as far as this process knows; undefined before it was looked up
	 */
	private isInGracePeriod: boolean | undefined;

	constructor(private readonly dependencies: IdentityDeletionDependencies) {}

	/**
	 * Starts the grace period, after which the identity is deleted.
	 *
	 * @throws `error.runtime.identityDeletionProcess.activeIdentityDeletionProcessAlreadyExists`
	 */
	async initiate(
		input: unknown = {},
		options: Cancellable = {},
	): Promise<IdentityDeletionProcessDto> {
		const { lengthOfGracePeriodInDays } = parseInput(initiateInputSchema, input);
		const known = await this.active(activeDeletionStatuses, options);
		if (known !== undefined) throw alreadyExists(known);
		try {
			const { deletionProcesses } = this.dependencies.backbone;
			const started = await deletionProcesses.start(lengthOfGracePeriodInDays, options);
			return await this.keep(started);
		} catch (error) {
			if (!isGatewayError(error)) throw error;
			const isRefused = error.code === onlyOneAllowed;
			if (!isRefused && !isOutcomeUnknown(error)) throw error;
			await this.refreshAfter(error, options);
			const running = await this.active(activeDeletionStatuses, options);
			if (running === undefined) throw error;
			// No process was active before, so the call with the lost answer has created this one.
			if (!isRefused) return running;
			throw alreadyExists(running, error);
		}
	}

	/** @throws `error.runtime.identityDeletionProcess.noApprovedIdentityDeletionProcess` */
	async cancel(options: Cancellable = {}): Promise<IdentityDeletionProcessDto> {
		const cancelled = await this.change('cancel', options);
		this.dependencies.onCancelled();
		return cancelled;
	}

	/** @throws `error.runtime.identityDeletionProcess.noWaitingForApprovalIdentityDeletionProcess` */
	approve(options: Cancellable = {}): Promise<IdentityDeletionProcessDto> {
		return this.change('approve', options);
	}

	/** @throws `error.runtime.identityDeletionProcess.noWaitingForApprovalIdentityDeletionProcess` */
	reject(options: Cancellable = {}): Promise<IdentityDeletionProcessDto> {
		return this.change('reject', options);
	}

	/** @throws `error.runtime.identityDeletionProcess.noActiveIdentityDeletionProcess` */
	async getActive(options: Cancellable = {}): Promise<IdentityDeletionProcessDto> {
		const process = await this.active(activeDeletionStatuses, options);
		if (process !== undefined) return process;
		throw identityErrors.create('noActiveProcess', {
			message: 'This identity is not being deleted.',
		});
	}

	/** @throws `error.runtime.recordNotFound` */
	async get(id: string, options: Cancellable = {}): Promise<IdentityDeletionProcessDto> {
		const entry = await this.dependencies.store.read((tx) => tx.deletionProcesses.get(id), options);
		if (entry !== undefined) return entry.record;
		throw identityErrors.create('processNotFound', {
			message: `There is no deletion process with the ID '${id}' in this account.`,
			facts: { deletionProcessId: id },
		});
	}

	async getMany(ids: readonly string[]): Promise<IdentityDeletionProcessDto[]> {
		const entries = await this.dependencies.store.read((tx) => tx.deletionProcesses.getMany(ids));
		return entries.map(({ record }) => record);
	}

	/** Lists active and former processes, oldest first. */
	async list(options: Cancellable = {}): Promise<IdentityDeletionProcessDto[]> {
		const entries = await this.dependencies.store.read(
			(tx) => tx.deletionProcesses.list(),
			options,
		);
		return entries.map(({ record }) => record);
	}

	/** Asks the Backbone without logging in, because a deleted identity cannot log in. */
	async checkIfDeleted(
		options: Cancellable = {},
	): Promise<{ readonly isDeleted: boolean; readonly deletionDate?: string }> {
		const { store, backbone } = this.dependencies;
		const self = await store.read((tx) => tx.identity.get('self'), options);
		const username = self?.record.device?.username ?? '';
		const { isDeleted, deletionDate } = await backbone.identities.isDeleted(username, options);
		if (isDeleted) await this.conclude(options);
		return { isDeleted, ...(deletionDate == null ? {} : { deletionDate }) };
	}

	/** Updates the stored processes from the Backbone; returns the ids of the changed processes. */
	async refresh(options: Cancellable): Promise<string[]> {
		const { store, backbone } = this.dependencies;
		// Read before the call: a process started while the Backbone answers is missing from its list.
		const known = await store.read(listUnsettled, options);
		let isWhole = true;
		const onUnreadable = (): void => {
			isWhole = false;
		};
		const found = (await backbone.deletionProcesses.list({ ...options, onUnreadable })).map(
			toDeletionProcess,
		);
		const ids = new Set(found.map(({ id }) => id));
		// An unreadable process in the answer may be any of the missing ones.
		const forgotten = isWhole ? known.filter(({ id }) => !ids.has(id)) : [];
		return await store.transact(async (tx) => {
			const changed: string[] = [];
			for (const process of found) if (await this.receive(tx, process)) changed.push(process.id);
			// The Backbone removes cancelled processes after 30 days.
			for (const process of forgotten) {
				if (await this.receive(tx, { ...process, status: 'Cancelled' })) changed.push(process.id);
			}
			return changed;
		}, options);
	}

	/**
	 * Records that the identity is deleted and ends all open processes; returns true if there were
	 * any.
	 */
	async conclude(options: Cancellable): Promise<boolean> {
		const { store } = this.dependencies;
		if ((await store.read(listOpen, options)).length === 0) return false;
		return await store.transact(async (tx) => {
			const open = await listOpen(tx);
			for (const process of open) await this.receive(tx, { ...process, status: 'Deleted' });
			return open.length > 0;
		}, options);
	}

	/** Returns the process that prevents syncing, as far as it is stored. */
	async ending(options: Cancellable): Promise<DeletionProcessRecord | undefined> {
		const found = await this.dependencies.store.read((tx) => listIn(tx, endingStatuses), options);
		return found.at(-1);
	}

	/**
	 * Runs a call that creates something at the Backbone, which refuses it during the grace period.
	 * The Backbone is asked for the processes before such a call is refused here, because support may
	 * have cancelled the deletion, and after a refusal, because support may have started one.
	 *
	 * @throws `error.gateway.identity.toBeDeleted`, and the errors of the call
	 */
	async whileStaying<Result>(call: () => Promise<Result>, options: Cancellable): Promise<Result> {
		const isLeaving = this.isInGracePeriod ?? (await this.approved(options)) !== undefined;
		this.isInGracePeriod = isLeaving;
		const known = isLeaving ? await this.approvedAtBackbone(options) : undefined;
		if (known !== undefined) throw nothingNew(known);
		try {
			return await call();
		} catch (error) {
			if (codeOf(error) !== quotaExhausted) throw error;
			const found = await this.approvedAtBackbone(options);
			throw found === undefined ? error : nothingNew(found, error);
		}
	}

	/**
	 * Undefined also when it cannot be found out: then the call itself fails with the better reason.
	 */
	private async approvedAtBackbone(
		options: Cancellable,
	): Promise<DeletionProcessRecord | undefined> {
		try {
			await this.refresh(options);
		} catch {
			return undefined;
		}
		const process = await this.approved(options);
		this.isInGracePeriod = process !== undefined;
		return process;
	}

	private async approved(options: Cancellable): Promise<DeletionProcessRecord | undefined> {
		return await this.active(['Approved'], options).catch(() => undefined);
	}

	/** @throws `error.runtime.recordNotFound` */
	async fetch(id: string, options: Cancellable): Promise<DeletionProcessRecord> {
		return toDeletionProcess(await this.dependencies.backbone.deletionProcesses.get(id, options));
	}

	/** Stores and publishes a new or changed process; returns true if anything has changed. */
	async receive(tx: WriteTransaction, process: DeletionProcessRecord): Promise<boolean> {
		this.isInGracePeriod = undefined;
		const known = (await tx.deletionProcesses.get(process.id))?.record;
		if (known !== undefined) {
			if (isBehind(process.status, known.status) || isDeepStrictEqual(process, known)) return false;
			await tx.deletionProcesses.update(process);
		} else {
			await tx.deletionProcesses.insertIfNew(process, undefined);
		}
		await watchDeletion(tx, process, this.dependencies.clock);
		await appendEvent(tx, {
			name: 'transport.identityDeletionProcessStatusChanged',
			createdAt: isoInstant(this.dependencies.clock.now()),
			subject: process.id,
			data: process,
		});
		return true;
	}

	private async change(
		action: keyof typeof changes,
		options: Cancellable,
	): Promise<IdentityDeletionProcessDto> {
		const { from, to, otherwise } = changes[action];
		const process = await this.findOrRefresh(from, options);
		const none = (cause?: unknown): Error =>
			identityErrors.create(otherwise, {
				message: `There is no deletion process of this identity in the status '${from}'.`,
				cause,
			});
		if (process === undefined) throw none();
		try {
			const call = (id: string, callOptions?: CallOptions): Promise<WireDeletionProcess> =>
				this.dependencies.backbone.deletionProcesses[action](id, callOptions);
			const changed = await call(process.id, options);
			return await this.keep(changed, to);
		} catch (error) {
			if (!isGatewayError(error)) throw error;
			const isRefused = error.code === notInRequiredStatus;
			if (!isRefused && !isOutcomeUnknown(error)) throw error;
			await this.refreshAfter(error, options);
			if (isRefused) throw none(error);
			const current = await this.get(process.id, options);
			if (current.status === to) return current;
			throw error;
		}
	}

	/**
	 * Finds a process in the status, after a refresh if none is stored: the operator's support may
	 * have started a process, and its event waits at the Backbone, which starts no sync run.
	 */
	private async findOrRefresh(
		status: DeletionStatus,
		options: Cancellable,
	): Promise<DeletionProcessRecord | undefined> {
		const known = await this.active([status], options);
		if (known !== undefined) return known;
		await this.refresh(options);
		return await this.active([status], options);
	}

	private async refreshAfter(error: Error, options: Cancellable): Promise<void> {
		try {
			await this.refresh(options);
		} catch {
			// The first error says more about the cause; the next sync asks again.
			throw error;
		}
	}

	private async keep(
		wire: WireDeletionProcess,
		expected?: DeletionStatus,
	): Promise<DeletionProcessRecord> {
		const process = toDeletionProcess(wire);
		if (expected !== undefined && process.status !== expected) throw notAsAsked(process.id);
		await this.dependencies.store.transact((tx) => this.receive(tx, process));
		return process;
	}

	private async active(
		statuses: readonly DeletionStatus[],
		options: Cancellable,
	): Promise<DeletionProcessRecord | undefined> {
		const known = await this.dependencies.store.read(
			(tx) => listIn(tx, activeDeletionStatuses),
			options,
		);
		return known.find(({ status }) => statuses.includes(status));
	}
}

function notAsAsked(id: string): Error {
	return identityErrors.create('unexpectedProcess', {
		message: `The Backbone answered with another status of the deletion process than the requested one.`,
		facts: { deletionProcessId: id },
	});
}
