import type { MiddlewareHandler } from 'hono';
import type { Logger } from '../base/logger';
import type { ServerEnvironment } from './server-environment';

/** Paths of version 7 that version 6 does not have (docs/protocol/connector-7.md 1). */
const onlyOfVersion7 =
	/^\/api\/core\/v1\/attributes\/(own\/identity|(own\/shared|peer)\/did(:|%3a)[^/]+|[^/]+\/forwardingDetails)\/?$/i;

/** Logs once what to set when a client expects version 7 where version 6 is served. */
export function hintAtVersion7(logger: Logger): MiddlewareHandler<ServerEnvironment> {
	let isLogged = false;
	return async (context, next) => {
		if (!isLogged && onlyOfVersion7.test(context.req.path)) {
			isLogged = true;
			logger.warn(
				"a client expects version 7 of the interface below /api/core/v1, where version 6 is served: set 'infrastructure.httpServer.connectorVersion' to 7",
			);
		}
		await next();
	};
}
