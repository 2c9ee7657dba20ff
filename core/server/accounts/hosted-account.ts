import { sleep } from '../../base/abort';
import { backOffMs } from '../../base/back-off';
import { isoInstant, systemClock } from '../../base/clock';
import { codeOf, isGatewayError } from '../../base/errors';
import type { Logger } from '../../base/logger';
import type { Semaphore } from '../../base/semaphore';
import type { GatewayFacade } from '../../facade/gateway-facade';
import { inSettings } from '../setting-words';
import type { OpenAccount } from './account-operations';
import type { HostedState, OpeningFailure } from './account-view';

/** Waits between attempts to open an account. */
const openingPauses = { firstMs: 2_000, longestMs: 5 * 60_000 };

export interface HostedAccountDependencies {
	readonly name: string;
	/** stored settings with which it is opened, as JSON */
	readonly settings: string;
	readonly logger: Logger;
	/** limits how many accounts are opened at a time */
	readonly permits?: Semaphore | undefined;
	open(signal: AbortSignal): Promise<OpenAccount>;
}

/**
 * One account of the HTTP gateway while it should be open. An account that cannot be opened is
 * tried again, and holds up no other.
 */
export class RunningAccount {
	failure: OpeningFailure | undefined;

	/** error behind the failure */
	error: unknown;

	/** Resolves when the account was tried to be opened once. */
	readonly tried: Promise<void>;

	private onTried: () => void = () => undefined;

	private account: OpenAccount | undefined;

	private readonly stop = new AbortController();

	private readonly running: Promise<void>;

	constructor(private readonly dependencies: HostedAccountDependencies) {
		this.tried = new Promise((resolve) => (this.onTried = resolve));
		this.running = this.keepOpen(this.stop.signal);
	}

	get settings(): string {
		return this.dependencies.settings;
	}

	/** Use cases of the account; absent while it is not open. */
	get facade(): GatewayFacade | undefined {
		return this.account?.facade;
	}

	get state(): HostedState {
		if (this.account !== undefined) return 'running';
		return this.failure === undefined ? 'starting' : 'failed';
	}

	/** Closes the account, also while it is being opened. */
	async close(): Promise<void> {
		this.stop.abort(new DOMException('The account closes.', 'AbortError'));
		await this.running;
		const { account } = this;
		this.account = undefined;
		await account?.close();
	}

	private async keepOpen(signal: AbortSignal): Promise<void> {
		const { name, logger, permits } = this.dependencies;
		for (let attempt = 1; !signal.aborted; attempt++) {
			try {
				const open = (): Promise<OpenAccount> => this.dependencies.open(signal);
				this.account = await (permits === undefined ? open() : permits.run(open, { signal }));
				this.failure = undefined;
				logger.info(`the account '${name}' is open`);
				return;
			} catch (error) {
				if (signal.aborted) return;
				this.failure = failureOf(error);
				this.error = error;
				const { code } = this.failure;
				const facts = isGatewayError(error) ? this.failure : { code, reason: String(error) };
				logger.error(`the account '${name}' cannot be opened`, { ...facts });
			} finally {
				this.onTried();
			}
			const pauseMs = backOffMs(attempt, openingPauses);
			await sleep(pauseMs, { signal, background: true }).catch(() => undefined);
		}
	}
}

/** What an operator may read about a failure. */
export function failureOf(error: unknown): OpeningFailure {
	const at = isoInstant(systemClock.now());
	if (!isGatewayError(error)) {
		const message = 'The account failed for an unexpected reason; the log has more.';
		return { code: codeOf(error) ?? 'error.connector.unexpected', message, at };
	}
	const { code, message, remedy } = error;
	return {
		code,
		message,
		...(remedy === undefined ? {} : { remedy: inSettings(remedy) }),
		at,
	};
}
