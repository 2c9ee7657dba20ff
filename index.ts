/**
 * The library: everything that the nodes use, for TypeScript programs outside n8n. Schemas stay
 * inside, so that its types need no other package.
 */
export {
	Gateway,
	GatewayError,
	acquireGateway,
	closeAllGateways,
	codeOf,
	createLogger,
	isGatewayError,
	parseGatewayConfig,
	parseInstant,
	probeCredential,
	silentLogger,
} from './core';
export type * from './core';
