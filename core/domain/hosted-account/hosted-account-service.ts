import type { Cancellable } from '../../base/abort';
import { isoInstant } from '../../base/clock';
import type {
	HostedAccountChanges,
	HostedAccountUseCases,
} from '../../facade/http/hosted-accounts';
import type { HostedAccountDto, HostedAccountRecord } from '../../model/record/http/hosted-account';
import { hostedAccountErrors } from './hosted-account-errors';
import type { Needs } from '../needs';

const mostAccounts = 1_000;

export type HostedAccountDependencies = Needs<'store' | 'clock'>;

/**
 * What the default account stores about the other accounts of the HTTP gateway: those that an
 * administrator created, and which of all are paused or being deleted (docs/adr/0050).
 */
export class HostedAccountService implements HostedAccountUseCases {
	constructor(private readonly dependencies: HostedAccountDependencies) {}

	async list(options: Cancellable = {}): Promise<HostedAccountDto[]> {
		const entries = await this.dependencies.store.read((tx) => tx.hostedAccounts.list({}), options);
		return entries.map(({ record, secrets }) => toDto(record, secrets.settings));
	}

	async add(
		{ name, settings }: { readonly name: string; readonly settings: string },
		options: Cancellable = {},
	): Promise<HostedAccountDto> {
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
			return toDto(record, settings);
		}, options);
	}

	async change(
		name: string,
		{ settings, ...changed }: HostedAccountChanges,
		options: Cancellable = {},
	): Promise<void> {
		await this.dependencies.store.transact(async (tx) => {
			const entry = await tx.hostedAccounts.get(name);
			const record = { ...(entry?.record ?? this.newRecord(name)), ...changed };
			const secrets = { settings: settings ?? entry?.secrets.settings ?? '' };
			if (entry === undefined) await tx.hostedAccounts.insert(record, secrets);
			else await tx.hostedAccounts.update(record, secrets);
		}, options);
	}

	async remove(name: string, options: Cancellable = {}): Promise<void> {
		await this.dependencies.store.transact((tx) => tx.hostedAccounts.delete(name), options);
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

function toDto(
	{ id: name, isStored, isPaused, isBeingDeleted }: HostedAccountRecord,
	settings: string,
): HostedAccountDto {
	return { name, isStored, isPaused, isBeingDeleted, settings };
}
