import type { GatewayConfigInput } from '../../core';
import {
	parseAccountConfig,
	pinCertificates,
	readSettings,
	type ServerConfig,
} from '../../core/server';
import { gatewayConfigOf } from './gateway-settings';

/**
 * Reads what the configuration of `serve` says about its account; certificates are pinned from then
 * on.
 *
 * @param file configuration file; absent: the default search of `serve`
 */
export async function servedConfig(file: string | undefined): Promise<ServerConfig> {
	const config = parseAccountConfig(await readSettings({ file, environment: process.env }));
	pinCertificates(config);
	return config;
}

/** Opens the account of the HTTP gateway like `serve`. */
export async function servedAccount(file: string | undefined): Promise<GatewayConfigInput> {
	return gatewayConfigOf(await servedConfig(file));
}
