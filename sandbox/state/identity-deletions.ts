import type { PushStreams } from '../push-stream';
import { invalid } from '../http/backbone-error';
import { longTime } from '../times';
import type { SandboxSettings } from '../settings';
import { eraseIdentity } from './erase-identity';
import type { EventQueues } from './event-queues';
import type { ExternalEvents } from './external-events';
import type { DeletionRow, IdentityRow } from './records';
import type { SandboxState } from './sandbox-state';

const dayMs = 24 * 3_600_000;
const defaultGraceDays = 14;
const approvalDays = 7;
const reminderDays = [12, 10, 5];
const keptDays = 30;
const concerned = ['Pending', 'Active', 'Terminated'];

/**
 * Actor of a deletion. `support` stands for any other actor than the identity, which gets external
 * events only then.
 */
export type DeletionActor = { readonly device: string } | 'support';

/** Deletion processes of all identities (docs/protocol/backbone-api.md 9.2). */
export class IdentityDeletions {
	constructor(
		private readonly state: SandboxState,
		private readonly events: ExternalEvents,
		private readonly queues: EventQueues,
		private readonly push: PushStreams,
		private readonly settings: SandboxSettings,
	) {}

	/** @throws `error.platform.validation.device.onlyOneActiveDeletionProcessAllowed` */
	start(identity: IdentityRow, actor: DeletionActor, days = defaultGraceDays): DeletionRow {
		const isOpen = ({ status }: DeletionRow): boolean =>
			status === 'Running' || status === 'WaitingForApproval';
		if (identity.deletions.some(isOpen)) {
			throw invalid('device.onlyOneActiveDeletionProcessAllowed');
		}
		const now = this.state.now();
		const process: DeletionRow = {
			id: this.state.newId('IDP'),
			status: 'WaitingForApproval',
			createdAt: new Date(now).toISOString(),
			createdByDevice: actor === 'support' ? null : actor.device,
			approvalPeriodEndsAt: new Date(now + approvalDays * dayMs).toISOString(),
			approvedAt: null,
			approvedByDevice: null,
			rejectedAt: null,
			rejectedByDevice: null,
			gracePeriodEndsAt: null,
			remindersSentAt: [null, null, null],
			endedAt: null,
		};
		identity.deletions.push(process);
		const mustBeApproved = actor === 'support' && this.settings.hasDeletionApproval;
		if (!mustBeApproved) this.run(identity, process, actor, { now, days });
		this.state.identities.save(identity);
		this.tellOwner(identity, process, actor, 'IdentityDeletionProcessStarted');
		this.push.send(identity.address, 'DeletionProcessStarted');
		return process;
	}

	approve(identity: IdentityRow, process: DeletionRow, actor: DeletionActor): void {
		requireStatus(process, 'WaitingForApproval');
		this.run(identity, process, actor, { now: this.state.now(), days: defaultGraceDays });
		this.state.identities.save(identity);
	}

	reject(identity: IdentityRow, process: DeletionRow, device: string): void {
		requireStatus(process, 'WaitingForApproval');
		process.status = 'Rejected';
		process.rejectedAt = process.endedAt = this.state.timestamp();
		process.rejectedByDevice = device;
		this.state.identities.save(identity);
	}

	/**
	 * @throws `error.platform.validation.device.deletionProcessIsNotInRequiredStatus`,
	 * `error.platform.validation.device.gracePeriodHasAlreadyExpired`
	 */
	cancel(identity: IdentityRow, process: DeletionRow, actor: DeletionActor): void {
		requireStatus(process, 'Running');
		if (this.isExpired(identity)) throw invalid('device.gracePeriodHasAlreadyExpired');
		process.status = 'Cancelled';
		process.endedAt = this.state.timestamp();
		process.gracePeriodEndsAt = null;
		identity.status = 'Active';
		this.queues.put([identity.address], { kind: 'change-tier', owner: identity.address });
		this.state.identities.save(identity);
		this.tellPeers(identity, 'PeerDeletionCancelled', {});
		this.tellOwner(identity, process, actor, 'IdentityDeletionProcessStatusChanged');
		this.push.send(identity.address, 'DeletionProcessCancelledByOwner');
	}

	/** True after the grace period, when the identity cannot log in any more. */
	isExpired(identity: IdentityRow): boolean {
		const endsAt = runningDeletion(identity)?.gracePeriodEndsAt;
		return typeof endsAt === 'string' && Date.parse(endsAt) <= this.state.now();
	}

	/** Runs the server's job: reminders, due deletions, and removal of old processes. */
	runJob(): void {
		for (const identity of [...this.state.identities.values()]) {
			const keptSince = this.state.now() - keptDays * dayMs;
			const kept = identity.deletions.filter(
				({ endedAt }) => endedAt === null || Date.parse(endedAt) > keptSince,
			);
			if (kept.length < identity.deletions.length) {
				identity.deletions = kept;
				this.state.identities.save(identity);
			}
			if (this.isExpired(identity)) this.delete(identity);
			else this.remind(identity);
		}
	}

	private run(
		identity: IdentityRow,
		process: DeletionRow,
		actor: DeletionActor,
		{ now, days }: { readonly now: number; readonly days: number },
	): void {
		const deletionDate = new Date(now + days * dayMs).toISOString();
		process.status = 'Running';
		process.approvedAt = new Date(now).toISOString();
		process.approvedByDevice = actor === 'support' ? null : actor.device;
		process.gracePeriodEndsAt = deletionDate;
		identity.status = 'ToBeDeleted';
		this.queues.put([identity.address], { kind: 'change-tier', owner: identity.address });
		this.tellPeers(identity, 'PeerToBeDeleted', { deletionDate: longTime(deletionDate) });
	}

	private delete(identity: IdentityRow): void {
		const process = runningDeletion(identity);
		if (process !== undefined) process.status = 'Deleting';
		identity.status = 'Deleting';
		this.push.send(identity.address, 'DeletionStarts');
		this.tellPeers(identity, 'PeerDeleted', { deletionDate: longTime(this.state.timestamp()) });
		eraseIdentity(identity, this.state, this.events, this.settings);
	}

	private remind(identity: IdentityRow): void {
		const process = runningDeletion(identity);
		if (typeof process?.gracePeriodEndsAt !== 'string') return;
		const daysLeft = (Date.parse(process.gracePeriodEndsAt) - this.state.now()) / dayMs;
		const due = reminderDays.findLastIndex((days) => daysLeft <= days);
		if (due < 0 || process.remindersSentAt[due] !== null) return;
		process.remindersSentAt[due] = this.state.timestamp();
		this.state.identities.save(identity);
		this.push.send(identity.address, 'DeletionProcessGracePeriodReminder');
	}

	private tellPeers({ address }: IdentityRow, type: string, more: object): void {
		for (const row of this.state.relationshipsOf.get(address) ?? []) {
			if (!concerned.includes(row.status)) continue;
			const peer = row.from === address ? row.to : row.from;
			this.events.add(peer, type, { relationshipId: row.id, ...more });
		}
	}

	private tellOwner(
		{ address }: IdentityRow,
		{ id }: DeletionRow,
		actor: DeletionActor,
		type: string,
	): void {
		if (actor === 'support') this.events.add(address, type, { deletionProcessId: id });
	}
}

export function runningDeletion(identity: IdentityRow): DeletionRow | undefined {
	return identity.deletions.find(({ status }) => status === 'Running');
}

function requireStatus(process: DeletionRow, status: DeletionRow['status']): void {
	if (process.status !== status) throw invalid('device.deletionProcessIsNotInRequiredStatus');
}
