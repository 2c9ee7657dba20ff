import { sleep, waitOrAbort, type Cancellable } from '../../base/abort';
import { isGatewayError } from '../../base/errors';
import type { Logger } from '../../base/logger';
import { Semaphore } from '../../base/semaphore';
import { SingleFlight } from '../../base/single-flight';
import type { GatewayFacade } from '../../facade/gateway-facade';
import { membersOf } from '../../model/json';
import type { HostedAccountDto } from '../../model/record/http/hosted-account';
import type { Settings } from '../config/config-sources';
import { configOfAccount, isNameOfDefault, parseHostedAccounts } from '../config/accounts-config';
import type { HostedAccountSettings } from '../config/hosted-account-settings';
import type { ServerConfig } from '../config/server-config';
import { accountErrors } from './account-errors';
import type { AccountOperations, OpenAccount } from './account-operations';
import type { HostedAccountChange, HostedAccountView, HostedState } from './account-view';
import { failureOf, RunningAccount } from './hosted-account';
import { requireSamePlace, wantedAccounts, type WantedAccount } from './wanted-accounts';

/** How many accounts are opened at the same time. */
const mostOpening = 8;
/** Time after which what another process has changed is noticed. */
const lookMs = 5_000;
const firstTryMs = 20_000;

export interface AccountHostDependencies {
	/**
	 * what the default account stores about the others; undefined while it is not open, which leaves
	 * the accounts as they are
	 */
	registry(): GatewayFacade['hostedAccounts'] | undefined;
	/** unparsed settings of the gateway */
	readonly settings: Settings;
	readonly logger: Logger;
	readonly operations: AccountOperations;
}

/**
 * The accounts of the HTTP gateway besides the default one, which the configuration names or
 * administrators create. It brings what is open in line with what is wanted, after each change
 * and every few seconds, so that several processes with one database agree (docs/adr/0050).
 */
export class AccountHost {
	private readonly configured: ReadonlyMap<string, ServerConfig>;

	/** accounts that should be open, by name */
	private readonly running = new Map<string, RunningAccount>();

	private wanted: ReadonlyMap<string, WantedAccount> = new Map();

	/** what was stored when it was last read */
	private rows: readonly HostedAccountDto[] = [];

	private readonly permits = new Semaphore(mostOpening);

	private readonly flight = new SingleFlight<void>();

	private readonly stop = new AbortController();

	private looking: Promise<void> | undefined;

	/** @throws `error.gateway.configuration.invalid` */
	constructor(private readonly dependencies: AccountHostDependencies) {
		this.configured = parseHostedAccounts(dependencies.settings);
	}

	/** Begins to open the accounts, each in the background. */
	async start(): Promise<void> {
		await this.align();
		this.looking = this.keepAligned(this.stop.signal);
	}

	/** Closes all accounts. */
	async close(): Promise<void> {
		this.stop.abort(new DOMException('The gateway closes.', 'AbortError'));
		await this.looking;
		await this.flight.settled();
		await Promise.all([...this.running.values()].map((account) => account.close()));
		this.running.clear();
	}

	/** Facade of an open account; undefined if there is no account of this name. */
	find(
		name: string,
	): { readonly name: string; readonly facade: GatewayFacade | undefined } | undefined {
		const wanted = this.wantedOf(name);
		if (wanted === undefined) return undefined;
		return { name: wanted.name, facade: this.running.get(wanted.name)?.facade };
	}

	/** Names of the accounts. */
	names(): readonly string[] {
		return [...this.wanted.keys()];
	}

	/** Numbers of the accounts by state. */
	countStates(): Readonly<Record<string, number>> {
		const counts: Record<string, number> = {};
		for (const wanted of this.wanted.values()) {
			const state = this.stateOf(wanted);
			counts[state] = (counts[state] ?? 0) + 1;
		}
		return counts;
	}

	async list(options: Cancellable = {}): Promise<HostedAccountView[]> {
		await this.align();
		const names = [...this.wanted.keys()];
		return await Promise.all(names.map((name) => this.view(name, options)));
	}

	/** @throws `error.gateway.accounts.unknown` */
	async get(name: string, options: Cancellable = {}): Promise<HostedAccountView> {
		await this.align();
		return await this.view(this.required(name).name, options);
	}

	/**
	 * Stores an account and opens it, which creates its identity. If that cannot succeed by waiting,
	 * nothing of it is kept.
	 *
	 * @param options.file export of an account that becomes this one
	 * @throws `error.gateway.accounts.exists`, `error.gateway.accounts.noFreePlace`,
	 * `error.gateway.configuration.invalid`, the codes of `Gateway.open` and of `importAccount`
	 */
	async create(
		name: string,
		settings: HostedAccountSettings,
		options: Cancellable & {
			readonly openExisting?: boolean;
			readonly from?: { readonly file: string; readonly password: string };
		} = {},
	): Promise<HostedAccountView> {
		const { operations } = this.dependencies;
		const registry = this.requiredRegistry();
		const config = configOfAccount(this.dependencies.settings, name, settings);
		this.requireFreeName(name);
		const { openExisting = false, from } = options;
		if (!openExisting && (await operations.exists(config))) {
			throw accountErrors.create('noFreePlace', {
				message: `The store has an account '${name}' already.`,
				facts: { field: 'name' },
			});
		}
		if (from !== undefined) await operations.import(config, from.file, from.password);
		await registry.add({ name, settings: JSON.stringify(settings) }, options);
		await this.align();
		const account = this.running.get(name);
		if (account === undefined) return await this.get(name, options);
		const limit = AbortSignal.timeout(firstTryMs);
		await waitOrAbort(account.tried, { signal: limit }).catch(() => undefined);
		const { state, error } = account;
		if (state === 'failed' && isGatewayError(error) && error.kind !== 'unavailable') {
			await registry.remove(name);
			await this.align();
			throw error;
		}
		return await this.view(name, options);
	}

	/**
	 * Pauses or resumes an account, or replaces groups of its settings, with which it opens again.
	 *
	 * @throws `error.gateway.accounts.unknown`, `error.gateway.accounts.notHosted`,
	 * `error.gateway.accounts.fromConfiguration`, `error.gateway.configuration.invalid`,
	 * `error.runtime.validation.invalidPropertyValue` for a store that does not have the account
	 */
	async change(
		name: string,
		{ isPaused, settings }: HostedAccountChange,
		options: Cancellable = {},
	): Promise<HostedAccountView> {
		const wanted = this.required(name);
		const groups = Object.entries(settings ?? {});
		if (groups.length > 0 && wanted.source === 'configuration') throw fromConfiguration(wanted);
		const changed = { ...wanted.ownSettings(), ...Object.fromEntries(groups) };
		if (groups.length > 0) {
			const config = configOfAccount(this.dependencies.settings, wanted.name, changed);
			if (settings?.database !== undefined) {
				await requireSamePlace(wanted, config, this.dependencies.operations);
			}
		}
		await this.requiredRegistry().change(
			wanted.name,
			{
				...(isPaused === undefined ? {} : { isPaused }),
				...(groups.length === 0 ? {} : { settings: JSON.stringify(changed) }),
			},
			options,
		);
		await this.align();
		return await this.view(wanted.name, options);
	}

	/**
	 * Deletes what the store has of an account. Its identity at the Backbone stays unless it was
	 * deleted before. If the process dies meanwhile, the next one goes on.
	 *
	 * @param confirmation name of the account once more
	 * @throws `error.gateway.accounts.unknown`, `error.gateway.accounts.wrongConfirmation`,
	 * `error.gateway.accounts.fromConfiguration`
	 */
	async delete(name: string, confirmation: string, options: Cancellable = {}): Promise<void> {
		const wanted = this.required(name);
		if (wanted.source === 'configuration') throw fromConfiguration(wanted);
		if (confirmation !== wanted.name) {
			throw accountErrors.create('wrongConfirmation', {
				message: `Expected '${wanted.name}' as confirmation.`,
				facts: { field: 'confirm' },
			});
		}
		await this.requiredRegistry().change(wanted.name, { isBeingDeleted: true }, options);
		await this.align();
	}

	/**
	 * Copies an account into an encrypted file; it may be open meanwhile.
	 *
	 * @throws `error.gateway.accounts.unknown`, the codes of `exportAccount`
	 */
	async export(name: string, file: string, password: string): Promise<void> {
		await this.dependencies.operations.export(this.required(name).config(), file, password);
	}

	private async view(name: string, options: Cancellable): Promise<HostedAccountView> {
		const wanted = this.required(name);
		const { source } = wanted;
		const account = this.running.get(name);
		const state = this.stateOf(wanted);
		const identity = await account?.facade?.account.getIdentity(options).catch(() => undefined);
		const { address } = identity ?? {};
		return membersOf<HostedAccountView>({
			...{ name, source, state, address },
			failure: account?.failure,
		});
	}

	private stateOf({ name, isPaused, isBeingDeleted }: WantedAccount): HostedState {
		if (isBeingDeleted) return 'deleting';
		return isPaused ? 'paused' : (this.running.get(name)?.state ?? 'starting');
	}

	/** Names are compared without letter case, as the paths of HTTP are. */
	private wantedOf(name: string): WantedAccount | undefined {
		const same = name.toLowerCase();
		return [...this.wanted.values()].find((one) => one.name.toLowerCase() === same);
	}

	/** @throws `error.gateway.accounts.unknown`, `error.gateway.accounts.notHosted` */
	private required(name: string): WantedAccount {
		const wanted = this.wantedOf(name);
		if (wanted !== undefined) return wanted;
		if (isNameOfDefault(this.dependencies.settings, name)) {
			throw accountErrors.create('notHosted', { message: `'${name}' is the default account.` });
		}
		throw accountErrors.create('unknown', { message: 'There is no account of this name.' });
	}

	/** @throws `error.gateway.accounts.exists` */
	private requireFreeName(name: string): void {
		const isDefault = isNameOfDefault(this.dependencies.settings, name);
		if (!isDefault && this.wantedOf(name) === undefined) return;
		throw accountErrors.create('exists', {
			message: `There is an account '${name}' already.`,
			facts: { field: 'name' },
		});
	}

	/** @throws `error.gateway.accounts.notRunning` */
	private requiredRegistry(): GatewayFacade['hostedAccounts'] {
		const registry = this.dependencies.registry();
		if (registry !== undefined) return registry;
		throw accountErrors.create('notRunning', {
			message: 'The default account, which stores the others, is not open.',
			facts: { retryAfterSeconds: 5 },
		});
	}

	private async keepAligned(signal: AbortSignal): Promise<void> {
		while (!signal.aborted) {
			await sleep(lookMs, { signal, background: true }).catch(() => undefined);
			if (signal.aborted) return;
			await this.align().catch((error: unknown) => {
				this.dependencies.logger.warn('the accounts could not be looked at', {
					reason: String(error),
				});
			});
		}
	}

	/** Opens, closes and removes accounts until they are as wanted; one call at a time. */
	private async align(): Promise<void> {
		// A running call may have read before the change of this caller.
		await this.flight.settled();
		await this.flight.run(async () => {
			const rows = (await this.dependencies.registry()?.list()) ?? this.rows;
			this.rows = rows;
			this.wanted = wantedAccounts(this.dependencies.settings, this.configured, rows);
			const closing = [...this.running].filter(([name, { settings }]) => {
				const wanted = this.wanted.get(name);
				if (wanted === undefined || wanted.isPaused || wanted.isBeingDeleted) return true;
				return wanted.settings !== settings;
			});
			await Promise.all(
				closing.map(async ([name, account]) => {
					this.running.delete(name);
					await account.close();
				}),
			);
			for (const wanted of this.wanted.values()) {
				if (wanted.isBeingDeleted) await this.remove(wanted);
				else if (!wanted.isPaused && !this.running.has(wanted.name)) this.run(wanted);
			}
		});
	}

	private run(wanted: WantedAccount): void {
		if (this.stop.signal.aborted) return;
		const { name, settings } = wanted;
		const { logger, operations } = this.dependencies;
		const open = async (signal: AbortSignal): Promise<OpenAccount> =>
			await operations.open(wanted.config(), name, signal);
		this.running.set(
			name,
			new RunningAccount({ name, settings, logger, permits: this.permits, open }),
		);
	}

	/** Removes the data, then the note about it; another process may have the account open yet. */
	private async remove(wanted: WantedAccount): Promise<void> {
		const { operations, logger } = this.dependencies;
		try {
			await operations.remove(wanted.config());
			await this.requiredRegistry().remove(wanted.name);
			logger.info(`the account '${wanted.name}' was deleted`);
		} catch (error) {
			logger.warn(`the account '${wanted.name}' is not deleted yet`, { ...failureOf(error) });
		}
	}
}

function fromConfiguration({ name }: WantedAccount): Error {
	return accountErrors.create('fromConfiguration', {
		message: `The account '${name}' is named by the configuration.`,
	});
}
