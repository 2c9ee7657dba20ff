import {
	accountExists,
	exportAccount,
	Gateway,
	importAccount,
	isGatewayError,
	parseGatewayConfig,
	removeAccount,
	type AccountPlace,
	type Logger,
} from '../../core';
import {
	CloseStack,
	startModules,
	type AccountOperations,
	type Metrics,
	type OpenAccount,
	type ServerConfig,
} from '../../core/server';
import { gatewayConfigOf } from './gateway-settings';

/** What `serve` does with the accounts besides the default one. */
export function accountOperations(logger: Logger, metrics?: Metrics): AccountOperations {
	return {
		open: (config, name, signal) =>
			open(config, { name, logger: logger.child(name), signal, metrics }),
		exists: (config) => accountExists(placeOf(config)),
		remove: (config) => removeAccount(placeOf(config)),
		export: async (config, file, password) => {
			await exportAccount({ from: placeOf(config), file, password, retire: false });
		},
		import: async (config, file, password) => {
			await importAccount({ to: placeOf(config), file, password });
		},
	};
}

interface Opening {
	readonly name: string;
	readonly logger: Logger;
	readonly signal: AbortSignal;
	readonly metrics?: Metrics | undefined;
}

/**
 * Opens an account and starts its modules. A Backbone that is away does not hold it up: the account
 * can be read meanwhile, and its sync tries again.
 */
async function open(
	config: ServerConfig,
	{ name, logger, signal, metrics }: Opening,
): Promise<OpenAccount> {
	const closing = new CloseStack(logger);
	try {
		const instruments = metrics?.instrumentsOf(name);
		const observed = { logger, ...(instruments === undefined ? {} : { instruments }) };
		const gateway = await Gateway.open(gatewayConfigOf(config), observed, { signal });
		closing.add('gateway', () => gateway.close());
		const figures = metrics?.addAccount(name, { facade: gateway });
		closing.add('figures', () => figures?.release());
		await requireLogin(gateway, logger, signal);
		const { connectorVersion } = config.infrastructure.httpServer;
		const modules = await startModules(
			{ facade: gateway, logger, eventVersion: connectorVersion },
			config.modules,
		);
		closing.add('modules', () => modules.close());
		return { facade: gateway, close: () => closing.close() };
	} catch (error) {
		await closing.close();
		throw error;
	}
}

/** @throws the reason for which the Backbone refuses the account, unless it is just away */
async function requireLogin(gateway: Gateway, logger: Logger, signal: AbortSignal): Promise<void> {
	try {
		await gateway.account.checkConnection({ signal });
	} catch (error) {
		const isUsable =
			isGatewayError(error) &&
			(error.kind === 'unavailable' || error.code === 'error.gateway.identity.deleted');
		if (!isUsable) throw error;
		logger.warn(error.message, { code: error.code });
	}
}

function placeOf(config: ServerConfig): AccountPlace {
	const { account, store, passphrase, backbone } = parseGatewayConfig(gatewayConfigOf(config));
	return { account, store, passphrase, clientSecret: backbone.clientSecret };
}
