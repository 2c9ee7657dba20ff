import * as z from 'zod';
import type { Cancellable } from '../../base/abort';
import { isoInstant, type Clock } from '../../base/clock';
import { isGatewayError } from '../../base/errors';
import type { Backbone, CallOptions } from '../../backbone/backbone';
import type { WireDeletionProcess } from '../../backbone/dto';
import { appendEvent } from '../../events/outbox';
import type {
	DeletionProcessRecord,
	IdentityDeletionProcessDto,
} from '../../model/record/deletion-process';
import type { ReadTransaction, Store, WriteTransaction } from '../../store/store';
import { isOutcomeUnknown } from '../outcome';
import { parseInput } from '../validation';
import {
	activeStatuses,
	endingStatuses,
	finalStatuses,
	isBehind,
	isSameProcess,
	toDeletionProcess,
	type DeletionStatus,
} from './deletion-rules';
import { identityErrors } from './identity-errors';

/** ten years: beyond that a typing error is more likely than an intention */
const longestGracePeriodInDays = 3_650;
const outOfRange = `expected from 0 to ${longestGracePeriodInDays} days`;

const initiateInputSchema = z.strictObject({
	/** fractions are allowed; the Backbone's default is 14, and it checks nothing */
	lengthOfGracePeriodInDays: z
		.number()
		.min(0, outOfRange)
		.max(longestGracePeriodInDays, outOfRange)
		.optional(),
});

const onlyOneAllowed = 'error.platform.validation.device.onlyOneActiveDeletionProcessAllowed';
const notInRequiredStatus = 'error.platform.validation.device.deletionProcessIsNotInRequiredStatus';

/** What may become of a process: which one is meant, what it is afterwards, why it cannot be. */
const changes = {
	cancel: { from: 'Approved', to: 'Cancelled', otherwise: 'noApprovedProcess' },
	approve: { from: 'WaitingForApproval', to: 'Approved', otherwise: 'noWaitingProcess' },
	reject: { from: 'WaitingForApproval', to: 'Rejected', otherwise: 'noWaitingProcess' },
} as const;

export interface IdentityDeletionContext {
	readonly store: Store;
	readonly backbone: Backbone;
	readonly clock: Clock;
	/** the Backbone starts sync runs again, and has kept what came meanwhile */
	readonly onCancelled: () => void;
}

/**
 * The deletion of our own identity (docs/protocol/transport.md 11). The Backbone knows the truth:
 * what a killed process or a lost answer leaves open, `refresh` reads from its list. It runs with
 * every sync while a process is active, and whenever a sync is refused because of one.
 */
export class IdentityDeletionService {
	constructor(private readonly context: IdentityDeletionContext) {}

	/**
	 * Starts the grace period at whose end the identity is gone.
	 *
	 * @throws `error.runtime.identityDeletionProcess.activeIdentityDeletionProcessAlreadyExists`
	 */
	async initiate(
		input: unknown = {},
		options: Cancellable = {},
	): Promise<IdentityDeletionProcessDto> {
		const { lengthOfGracePeriodInDays } = parseInput(initiateInputSchema, input, invalid);
		const known = await this.active(activeStatuses, options);
		if (known !== undefined) throw alreadyExists(known);
		try {
			const { deletionProcesses } = this.context.backbone;
			const started = await deletionProcesses.start(lengthOfGracePeriodInDays, options);
			return await this.keep(started);
		} catch (error) {
			if (!isGatewayError(error)) throw error;
			const isRefused = error.code === onlyOneAllowed;
			if (!isRefused && !isOutcomeUnknown(error)) throw error;
			await this.refreshAfter(error, options);
			const running = await this.active(activeStatuses, options);
			if (running === undefined) throw error;
			// There was none before: the lost answer was about this one.
			if (!isRefused) return running;
			throw alreadyExists(running, error);
		}
	}

	/** @throws `error.runtime.identityDeletionProcess.noApprovedIdentityDeletionProcess` */
	async cancel(options: Cancellable = {}): Promise<IdentityDeletionProcessDto> {
		const cancelled = await this.change('cancel', options);
		this.context.onCancelled();
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
		const process = await this.active(activeStatuses, options);
		if (process !== undefined) return process;
		throw identityErrors.create('noActiveProcess', {
			message: 'This identity is not being deleted.',
		});
	}

	/** @throws `error.runtime.recordNotFound` */
	async get(id: string, options: Cancellable = {}): Promise<IdentityDeletionProcessDto> {
		const entry = await this.context.store.read((tx) => tx.deletionProcesses.get(id), options);
		if (entry !== undefined) return entry.record;
		throw identityErrors.create('processNotFound', {
			message: `There is no deletion process with the ID '${id}' in this account.`,
			facts: { deletionProcessId: id },
		});
	}

	async getMany(ids: readonly string[]): Promise<IdentityDeletionProcessDto[]> {
		const entries = await this.context.store.read((tx) => tx.deletionProcesses.getMany(ids));
		return entries.map(({ record }) => record);
	}

	/** Running and former ones, oldest first. */
	async list(options: Cancellable = {}): Promise<IdentityDeletionProcessDto[]> {
		const entries = await this.context.store.read((tx) => tx.deletionProcesses.list(), options);
		return entries.map(({ record }) => record);
	}

	/** Asks the Backbone, without logging in: a deleted identity cannot. */
	async checkIfDeleted(
		options: Cancellable = {},
	): Promise<{ readonly isDeleted: boolean; readonly deletionDate?: string }> {
		const { store, backbone } = this.context;
		const self = await store.read((tx) => tx.identity.get('self'), options);
		const username = self?.record.device?.username ?? '';
		const { isDeleted, deletionDate } = await backbone.identities.isDeleted(username, options);
		if (isDeleted) await this.conclude(options);
		return { isDeleted, ...(deletionDate == null ? {} : { deletionDate }) };
	}

	/** Brings what is known here in line with the Backbone; answers the ids of what has changed. */
	async refresh(options: Cancellable): Promise<string[]> {
		const { store, backbone } = this.context;
		// Read first: what is begun while the Backbone answers is missing from its list.
		const known = await store.read(listUnsettled, options);
		let isWhole = true;
		const onUnreadable = (): void => {
			isWhole = false;
		};
		const found = (await backbone.deletionProcesses.list({ ...options, onUnreadable })).map(
			toDeletionProcess,
		);
		const ids = new Set(found.map(({ id }) => id));
		// One that cannot be read may be any of those that are missing.
		const forgotten = isWhole ? known.filter(({ id }) => !ids.has(id)) : [];
		return await store.transact(async (tx) => {
			const changed: string[] = [];
			for (const process of found) if (await this.receive(tx, process)) changed.push(process.id);
			// The Backbone forgets cancelled ones after 30 days.
			for (const process of forgotten) {
				if (await this.receive(tx, { ...process, status: 'Cancelled' })) changed.push(process.id);
			}
			return changed;
		}, options);
	}

	/** While a process is active, nobody tells us that it was ended elsewhere. */
	async settle(options: Cancellable): Promise<string[]> {
		const known = await this.context.store.read(listUnsettled, options);
		return known.length === 0 ? [] : await this.refresh(options);
	}

	/** The identity is gone: what was on its way is done. Answers whether that is new. */
	async conclude(options: Cancellable): Promise<boolean> {
		const { store } = this.context;
		if ((await store.read(listOpen, options)).length === 0) return false;
		return await store.transact(async (tx) => {
			const open = await listOpen(tx);
			for (const process of open) await this.receive(tx, { ...process, status: 'Deleted' });
			return open.length > 0;
		}, options);
	}

	/** The process because of which nothing can be synced any more, as far as it is known here. */
	async ending(options: Cancellable): Promise<DeletionProcessRecord | undefined> {
		const found = await this.context.store.read((tx) => listIn(tx, endingStatuses), options);
		return found.at(-1);
	}

	/** @throws `error.runtime.recordNotFound` */
	async fetch(id: string, options: Cancellable): Promise<DeletionProcessRecord> {
		return checked(await this.context.backbone.deletionProcesses.get(id, options), id);
	}

	/** Stores and announces what is new; answers whether anything is. */
	async receive(tx: WriteTransaction, process: DeletionProcessRecord): Promise<boolean> {
		const known = (await tx.deletionProcesses.get(process.id))?.record;
		if (known !== undefined) {
			if (isBehind(process.status, known.status) || isSameProcess(process, known)) return false;
			await tx.deletionProcesses.update(process);
		} else {
			await tx.deletionProcesses.insert(process, undefined);
		}
		await appendEvent(tx, {
			name: 'transport.identityDeletionProcessStatusChanged',
			createdAt: isoInstant(this.context.clock.now()),
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
				this.context.backbone.deletionProcesses[action](id, callOptions);
			return await this.keep(await call(process.id, options), { id: process.id, status: to });
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

	/** Support may have started one: its event waits at the Backbone, which starts no sync run. */
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
			// Whatever went wrong first says more; the next sync asks again.
			throw error;
		}
	}

	private async keep(
		wire: WireDeletionProcess,
		expected?: { readonly id: string; readonly status: DeletionStatus },
	): Promise<DeletionProcessRecord> {
		const process = checked(wire, expected?.id ?? wire.id);
		if (expected !== undefined && process.status !== expected.status) throw notAsAsked(process.id);
		await this.context.store.transact((tx) => this.receive(tx, process));
		return process;
	}

	private async active(
		statuses: readonly DeletionStatus[],
		options: Cancellable,
	): Promise<DeletionProcessRecord | undefined> {
		const known = await this.context.store.read((tx) => listIn(tx, activeStatuses), options);
		return known.find(({ status }) => statuses.includes(status));
	}
}

async function listIn(
	tx: ReadTransaction,
	statuses: readonly DeletionStatus[],
): Promise<DeletionProcessRecord[]> {
	const entries = await tx.deletionProcesses.list({
		where: [{ field: 'status', op: 'in', value: statuses }],
	});
	return entries.map(({ record }) => record);
}

async function listOpen(tx: ReadTransaction): Promise<DeletionProcessRecord[]> {
	const entries = await tx.deletionProcesses.list({
		where: [{ field: 'status', op: 'notIn', value: finalStatuses }],
	});
	return entries.map(({ record }) => record);
}

/** Those that may end in more than one way. */
async function listUnsettled(tx: ReadTransaction): Promise<DeletionProcessRecord[]> {
	return (await listOpen(tx)).filter(({ status }) => status !== 'Deleting');
}

function checked(wire: WireDeletionProcess, id: string): DeletionProcessRecord {
	if (wire.id !== id) throw notAsAsked(id);
	return toDeletionProcess(wire);
}

function notAsAsked(id: string): Error {
	return identityErrors.create('unexpectedProcess', {
		message: `The Backbone answered with another deletion process, or another status, than asked for.`,
		facts: { deletionProcessId: id },
	});
}

function alreadyExists(process: DeletionProcessRecord, cause?: unknown): Error {
	const { id, status, gracePeriodEndsAt } = process;
	const until =
		gracePeriodEndsAt === undefined ? '' : `, whose grace period ends ${gracePeriodEndsAt}`;
	return identityErrors.create('activeProcessExists', {
		message: `The deletion process '${id}' is in the status '${status}'${until}.`,
		facts: { deletionProcessId: id, status },
		cause,
	});
}

function invalid(message: string, field: string): ReturnType<typeof identityErrors.create> {
	return identityErrors.create('invalidInput', { message, facts: { field } });
}
