import type { Logger } from '../base/logger';
import type { GatewayFacade } from '../facade/gateway-facade';
import type { AccountHost } from './accounts/account-host';
import type { StreamTimes } from './event-stream/stream-body';
import type { AuthenticationConfig } from './config/authentication-config';
import type { AdminConfig } from './config/admin-config';
import type { CorsConfig } from './config/http-server-config';
import type { JwtBearerConfig } from './config/jwt-bearer-config';
import type { Metrics } from './metrics/metrics';
import type { ConnectorVersion } from './connector-version';

/** Origin of the program, as far as known at build time (docs/protocol/http-api.md 8.14). */
export interface BuildInfo {
	/** build number */
	readonly build: string;
	/** time of the build */
	readonly date: string;
	readonly commit: string;
}

/** Limits for sending a request, after which the client is disconnected. */
export interface RequestTimeouts {
	readonly headersMs: number;
	/** milliseconds for headers and body together */
	readonly requestMs: number;
	/**
	 * milliseconds that a client without key or token has for its request, and then for reading the
	 * answer; default: 5 seconds
	 */
	readonly unauthenticatedMs?: number;
}

/** What the audit records besides changes, refusals, downloads and exports. */
export interface AuditOptions {
	/** true to record every other call of the interface, too */
	readonly reads: boolean;
}

/** Configuration of the HTTP gateway; everything else comes from the facade. */
export interface ServerOptions {
	readonly facade: GatewayFacade;
	/** name of the account below `/accounts`; absent for the default account */
	readonly accountName?: string | undefined;
	readonly logger: Logger;
	readonly host: string;
	/** 0 for any free port */
	readonly port: number;
	/** version of the interface below `/api/core/v1`; default: 6 */
	readonly connectorVersion?: ConnectorVersion | undefined;
	/** accounts that are served below `/accounts`, and managed there; default: none */
	readonly accounts?: AccountHost | undefined;
	/** keys and tokens of version 7; the next two belong to version 6 */
	readonly authentication?: AuthenticationConfig | undefined;
	readonly apiKey?: string | undefined;
	readonly jwtBearer?: JwtBearerConfig | undefined;
	readonly cors: CorsConfig;
	/** addresses or networks of proxies whose X-Forwarded-For is believed, besides loopback */
	readonly trustedProxies?: readonly string[] | undefined;
	/**
	 * enables the routes that delete the account's own identity, and grants the API key their role
	 */
	readonly debug: boolean;
	/** settings of the page for operators */
	readonly admin?: AdminConfig | undefined;
	/** folder with the files of this page; without it there is no such page */
	readonly adminPage?: string | undefined;
	/** rows about who did what; absent: none are written */
	readonly audit?: AuditOptions | undefined;
	/** figures of the process for GET /metrics; without them there is no such route */
	readonly metrics?: Metrics | undefined;
	/** default: true; false serves health and monitoring only */
	readonly hasApi?: boolean;
	/**
	 * path of the viewer's script, packed with gzip; without it neither the OpenAPI document nor its
	 * page is served
	 */
	readonly documentationScript?: string | undefined;
	/** allows the page to store the API key in the browser; default: false */
	readonly persistAuth?: boolean;
	readonly version: string;
	readonly build?: BuildInfo | undefined;
	/** shown by GET /Monitoring/Support; must not contain secrets */
	readonly configuration: unknown;
	/** delay of the answer to a wrong key; default: 1 to 4 seconds */
	readonly refusalDelayMs?: () => number;
	/** overrides the default times of the event stream */
	readonly streamTimes?: Partial<StreamTimes>;
	/** default: 10 seconds for the headers, one minute for the whole request */
	readonly timeouts?: RequestTimeouts;
	/**
	 * milliseconds that requests in progress have to finish when the server closes; default: 10
	 * seconds
	 */
	readonly drainMs?: number;
}

/** The same for a server that starts before its default account is open. */
export interface ServedOptions extends Omit<ServerOptions, 'facade'> {
	readonly facade: GatewayFacade | (() => GatewayFacade | undefined);
}
