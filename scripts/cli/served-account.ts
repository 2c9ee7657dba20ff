import type { GatewayConfigInput } from '../../core';
import { parseServerConfig, pinCertificates, readSettings } from '../../core/server';
import { gatewayConfigOf } from './gateway-settings';

/**
 * The account of the HTTP gateway, as `serve` would open it; certificates are pinned from then on.
 *
 * @param file absent: the configuration that `serve` finds by itself
 */
export async function servedAccount(file: string | undefined): Promise<GatewayConfigInput> {
	const config = parseServerConfig(await readSettings({ file, environment: process.env }));
	pinCertificates(config);
	return gatewayConfigOf(config);
}
