import type { Cancellable } from '../../base/abort';
import { isoInstant, type Clock } from '../../base/clock';
import type { HostedAccount, HostedAccountUseCases } from '../../facade/hosted-accounts';
import type { HostedAccountRecord } from '../../model/record/hosted-account';
import type { Store, WriteTransaction } from '../../store/store';
import { hostedAccountErrors } from './hosted-account-errors';

const mostAccounts = 1_000;

export interface HostedAccountDependencies {
	readonly store: Store;
	readonly clock: Clock;
}

/**
 * What the default account stores about the other accounts of the HTTP gateway: those that an
 * administrator created, and which of all are paused or being deleted (docs/adr/0050).
 */
export class HostedAccountService implements HostedAccountUseCases {
	constructor(private readonly dependencies: HostedAccountDependencies) {}

	async list(options: Cancellable = {}): Promise<HostedAccount[]> {
		const entries = await this.dependencies.store.read((tx) => tx.hostedAccounts.list({}), options);
		return entries.map(({ record, secrets }) => ({ ...record, settings: secrets.settings }));
	}

	async add(
		{ name, settings }: { readonly name: string; readonly settings: string },
		options: Cancellable = {},
	): Promise<HostedAccount> {
		return await this.dependencies.store.transact(async (tx) => {
			const others = await tx.hostedAccounts.list({});
			const same = name.toLowerCase();
			if (others.some(({ record }) => record.id.toLowerCase() === same)) {
				throw hostedAccountErrors.create('exists', {
					message: `There is an account '${name}' already.`,
					facts: { field: 'name' },
				});
			}
			if (others.length >= mostAccounts) {
				throw hostedAccountErrors.create('tooMany', {
					message: `There are ${mostAccounts} accounts already.`,
				});
			}
			const record: HostedAccountRecord = { ...this.newRecord(name), isStored: true };
			await tx.hostedAccounts.insert(record, { settings });
			return { ...record, settings };
		}, options);
	}

	async pause(name: string, isPaused: boolean, options: Cancellable = {}): Promise<void> {
		await this.change(name, { isPaused }, options);
	}

	async beginDeletion(name: string, options: Cancellable = {}): Promise<void> {
		await this.change(name, { isBeingDeleted: true }, options);
	}

	async remove(name: string, options: Cancellable = {}): Promise<void> {
		await this.dependencies.store.transact((tx) => tx.hostedAccounts.delete(name), options);
	}

	private async change(
		name: string,
		changed: Partial<HostedAccountRecord>,
		options: Cancellable,
	): Promise<void> {
		await this.dependencies.store.transact(async (tx: WriteTransaction) => {
			const entry = await tx.hostedAccounts.get(name);
			if (entry !== undefined) await tx.hostedAccounts.update({ ...entry.record, ...changed });
			else {
				const record = { ...this.newRecord(name), ...changed };
				await tx.hostedAccounts.insert(record, { settings: '' });
			}
		}, options);
	}

	private newRecord(name: string): HostedAccountRecord {
		return {
			id: name,
			createdAt: isoInstant(this.dependencies.clock.now()),
			isStored: false,
			isPaused: false,
			isBeingDeleted: false,
		};
	}
}
