import type { Logger } from '../../base/logger';
import type { GatewayFacade } from '../../facade/gateway-facade';
import type { ConnectorVersion } from '../connector-version';

/** Dependencies of every module, beside its own settings. */
export interface ModuleDependencies {
	readonly facade: GatewayFacade;
	/** logger whose lines begin with the name of the module */
	readonly logger: Logger;
	/** version of the events that webhooks and brokers get unless they name one; default: 6 */
	readonly eventVersion?: ConnectorVersion | undefined;
	/** aborts when the modules close; a module then starts no new work */
	readonly signal: AbortSignal;
}

export interface RunningModule {
	/** Resolves when the module has no work in progress; the gateway stays open until then. */
	close(): Promise<void> | void;
}

/**
 * Background task of the gateway. It has started when its promise resolves. An error until then
 * stops the start of the gateway; later errors are handled and logged by the module itself.
 */
export type Module<Settings> = (
	context: ModuleDependencies,
	settings: Settings,
) => RunningModule | Promise<RunningModule>;
