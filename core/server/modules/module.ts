import type { Logger } from '../../base/logger';
import type { GatewayFacade } from '../../facade';

/** What every module is given beside its own settings. */
export interface ModuleContext {
	readonly facade: GatewayFacade;
	/** its lines begin with the name of the module */
	readonly logger: Logger;
	/** aborts when the modules are told to close: no new work then */
	readonly signal: AbortSignal;
}

export interface RunningModule {
	/** Resolves when nothing of it is under way any more; the gateway is still open until then. */
	close(): Promise<void> | void;
}

/**
 * Something that runs beside the requests. It has started when its promise resolves; what it throws
 * until then stops the start of the gateway, and what fails later is its own to tell and to survive.
 */
export type Module<Settings> = (
	context: ModuleContext,
	settings: Settings,
) => RunningModule | Promise<RunningModule>;
