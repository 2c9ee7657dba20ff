import { isGatewayError, type Gateway, type MessageDto } from '../../core';
import type { Clock } from '../../core/base/clock';
import type { Place } from '../../test/support/accounts/account-places';
import { mailTo } from '../../test/support/gateways';
import { chaosTimings, type Account } from './account';
import { collectEvidence, type CopyEvidence, type Evidence } from './evidence';
import type { LedgerSend } from './ledger';
import type { World } from './world';

const mailsPerTurn = 5;
/** A process notices that its clock was set by this much. */
const jumpMs = 10_000;

class MovedClock implements Clock {
	aheadMs = 0;

	now(): number {
		return Date.now() + this.aheadMs;
	}
}

interface Life {
	readonly name: string;
	readonly gateway: Gateway;
	readonly clock: MovedClock;
}

/**
 * Two more lives of an account, as it was at a moment when no process had it open: a snapshot, with
 * the memory of a process from then, and a backup.
 */
export class Lives {
	private copies: readonly CopyEvidence[] = [];

	private constructor(
		private readonly world: World,
		private account: Account,
		private readonly snapshot: Life,
		private readonly backup: Place,
		/** names of sends before the copies */
		private readonly known: ReadonlySet<string>,
	) {}

	static async take(world: World, account: Account): Promise<Lives> {
		const backup = await world.copyOf(account);
		const snapshot = await openLife(world, account.at(await world.copyOf(account)), 'the snapshot');
		return new Lives(world, account, snapshot, backup, new Set(account.ledger.sends.keys()));
	}

	/**
	 * Takes the snapshot back beside the account, and both send. Then both are lost, the backup takes
	 * their place, and what was sent since then is repeated. Nothing else may have the account open.
	 */
	async play(): Promise<void> {
		await this.takeSnapshotBack();
		await this.restore();
	}

	/** All views with the restored account. */
	async evidence(): Promise<Evidence> {
		const evidence = await collectEvidence(this.world);
		const accounts = evidence.accounts.map((account) =>
			account.name === this.account.name
				? { ...account, messages: account.messages.map((message) => this.underFirstId(message)) }
				: account,
		);
		return { ...evidence, accounts, copies: this.copies, restored: this.account.name };
	}

	/**
	 * In turns, and each after its clock was set: at the same time, only chance tells the counters
	 * apart.
	 */
	private async takeSnapshotBack(): Promise<void> {
		const { world, snapshot } = this;
		const original = await openLife(world, this.account, 'the original');
		for (const [turn, life] of [snapshot, original, snapshot, original].entries()) {
			life.clock.aheadMs += jumpMs;
			const names = Array.from(
				{ length: mailsPerTurn },
				(_, index) => `mail ${index + 1} of turn ${turn + 1} of ${life.name}`,
			);
			const to = world.peerOf(this.account).address;
			const { ledger } = this.account;
			const sends = names.map((name) => ledger.addSend(name, mailTo(to, name), name));
			await Promise.all(sends.map((send) => this.send(life.gateway, send)));
		}
		const copies: CopyEvidence[] = [];
		for (const { name, gateway } of [snapshot, original]) {
			copies.push({ name, problems: (await gateway.problems.list()).map(({ code }) => code) });
			await gateway.close();
		}
		this.copies = copies;
	}

	/** What was sent since the backup is repeated before the first sync and after it. */
	private async restore(): Promise<void> {
		const { world } = this;
		this.account = world.replace(this.account, this.backup);
		const restored = await world.observer(this.account);
		const sends = [...this.account.ledger.sends].filter(([name]) => !this.known.has(name));
		const halves = [sends.filter((_, index) => index % 2 === 0), sends];
		for (const half of halves) {
			for (const [, send] of half) await this.send(restored, send);
			await this.settle();
			await restored.account.reconcile();
			await this.settle();
		}
	}

	private async settle(): Promise<void> {
		const { accounts, network, official } = this.world;
		const gateways: Gateway[] = [];
		for (const account of accounts) gateways.push(await this.world.observer(account));
		await network.settle(...gateways);
		await official?.sync();
	}

	private async send(gateway: Gateway, { input, idempotencyKey, ids }: LedgerSend): Promise<void> {
		try {
			ids.push((await gateway.messages.send(input, { idempotencyKey })).id);
		} catch (error) {
			if (!isGatewayError(error)) throw error;
			this.account.complain(`sending '${input.content.subject}' was refused: ${error.code}`);
		}
	}

	/** A restored account cannot know which of several ids of a message was the first. */
	private underFirstId<View extends Pick<MessageDto, 'id'>>(message: View): View {
		const { id } = message;
		return { ...message, id: this.world.backbone.state.messages.get(id)?.repeats ?? id };
	}
}

/** Its memory is of now. */
async function openLife(world: World, { config }: Account, name: string): Promise<Life> {
	const clock = new MovedClock();
	const gateway = await world.network.gateway(config, { timings: chaosTimings, clock });
	await gateway.account.sync();
	return { name, gateway, clock };
}
