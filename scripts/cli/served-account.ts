import type { GatewayConfigInput } from '../../core';
import { parseAccountConfig, pinCertificates, readSettings } from '../../core/server';
import { gatewayConfigOf } from './gateway-settings';

/**
 * Opens the account of the HTTP gateway like `serve`; certificates are pinned from then on.
 *
 * @param file configuration file; absent: the default search of `serve`
 */
export async function servedAccount(file: string | undefined): Promise<GatewayConfigInput> {
	const config = parseAccountConfig(await readSettings({ file, environment: process.env }));
	pinCertificates(config);
	return gatewayConfigOf(config);
}
