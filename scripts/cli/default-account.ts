import { Gateway, isGatewayError, type GatewayFacade, type Logger } from '../../core';
import {
	parseHostedAccounts,
	RunningAccount,
	startModules,
	type AccountOperations,
	type Metrics,
	type ServerConfig,
	type Settings,
} from '../../core/server';
import { gatewayConfigOf } from './gateway-settings';

/** Configuration of a start. */
export interface Start {
	readonly config: ServerConfig;
	/** the same settings, unparsed */
	readonly settings: Settings;
	readonly logger: Logger;
	readonly metrics: Metrics;
}

/** The account whose routes stand beside `/accounts`. */
interface DefaultAccount {
	/** use cases; undefined while the account could not be opened yet */
	readonly facade: GatewayFacade | undefined;
	/** @returns a function that stops them */
	startModules(): Promise<() => Promise<void> | void>;
	close(): Promise<void>;
}

/**
 * Opens the default account. If it is the only one, a failure ends the start; beside others of the
 * configuration it is tried again, and holds up none of them.
 */
export async function openDefaultAccount(
	start: Start,
	operations: AccountOperations,
): Promise<DefaultAccount> {
	const { config, settings, logger } = start;
	if (parseHostedAccounts(settings).size === 0) return await openOnlyAccount(start);
	const name = config.database.dbName;
	const open = (signal: AbortSignal) => operations.open(config, name, signal);
	const account = new RunningAccount({ name, settings: '', logger, open });
	await account.tried;
	return {
		get facade() {
			return account.facade;
		},
		startModules: () => Promise.resolve(() => undefined),
		close: () => account.close(),
	};
}

async function openOnlyAccount({ config, logger, metrics }: Start): Promise<DefaultAccount> {
	const name = config.database.dbName;
	const instruments = metrics.instrumentsOf(name);
	const gateway = await Gateway.open(gatewayConfigOf(config), { logger, instruments });
	const figures = metrics.addAccount(name, { facade: gateway });
	try {
		await checkConnection(gateway, logger);
	} catch (error) {
		figures.release();
		await gateway.close();
		throw error;
	}
	return {
		facade: gateway,
		startModules: async () => {
			const { connectorVersion } = config.infrastructure.httpServer;
			const context = { facade: gateway, logger, eventVersion: connectorVersion };
			const modules = await startModules(context, config.modules);
			return () => modules.close();
		},
		close: async () => {
			figures.release();
			await gateway.close();
		},
	};
}

/**
 * Checks that the account can be used at its Backbone. The stored data of a deleted identity can
 * still be read, so its gateway starts.
 */
async function checkConnection({ account }: Gateway, logger: Logger): Promise<void> {
	try {
		await account.checkConnection();
	} catch (error) {
		if (!isGatewayError(error) || error.code !== 'error.gateway.identity.deleted') throw error;
		logger.warn(`${error.message} Only stored data can be read.`, { code: error.code });
	}
}
