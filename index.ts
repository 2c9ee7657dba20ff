/**
 * The library for TypeScript programs outside n8n: everything that the nodes use. Exports no
 * schemas, so that its types need no other package.
 */
export {
	Gateway,
	GatewayError,
	acquireGateway,
	closeAllGateways,
	codeOf,
	createLogger,
	isEventName,
	isGatewayError,
	isKnownEvent,
	openLetters,
	parseGatewayConfig,
	parseInstant,
	probeCredential,
	silentLogger,
} from './core';
export type * from './core';
