import type { Logger } from '../base/logger';
import type { GatewayFacade } from '../facade';
import type { StreamTimes } from './event-stream/stream-body';
import type { CorsConfig, JwtBearerConfig } from './config/http-server-config';

/** Where the program comes from, as far as its build knew (docs/protocol/http-api.md 8.14). */
export interface BuildInfo {
	/** number of the build */
	readonly build: string;
	/** when it was built */
	readonly date: string;
	readonly commit: string;
}

/** How long a client may take to send, before it is cut off. */
export interface Patience {
	readonly headersMs: number;
	/** headers and body together */
	readonly requestMs: number;
}

/** What the HTTP face needs to know; everything else comes from the facade. */
export interface ServerOptions {
	readonly facade: GatewayFacade;
	readonly logger: Logger;
	readonly host: string;
	/** 0: any free one */
	readonly port: number;
	readonly apiKey?: string | undefined;
	readonly jwtBearer?: JwtBearerConfig | undefined;
	readonly cors: CorsConfig;
	/** offers the routes for deleting the own identity, and gives the API key their role */
	readonly debug: boolean;
	/** default: true; false leaves health and monitoring alone */
	readonly hasApi?: boolean;
	/** file of the viewer, packed with gzip; without it there is neither an OpenAPI document nor its page */
	readonly documentationScript?: string | undefined;
	/** lets the page keep the API key in the browser's storage; default: false */
	readonly persistAuth?: boolean;
	readonly version: string;
	readonly build?: BuildInfo | undefined;
	/** shown by GET /Monitoring/Support, without secrets */
	readonly configuration: unknown;
	/** how long a wrong key waits for its answer; default: 1 to 4 seconds */
	readonly refusalDelayMs?: () => number;
	/** of the event stream, where they are not the usual ones */
	readonly streamTimes?: Partial<StreamTimes>;
	/** default: 10 seconds for the headers, a minute for all of it */
	readonly patience?: Patience;
	/** how long requests that are under way may go on when the server closes; default: 10 seconds */
	readonly drainMs?: number;
}
