import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { isoInstant, systemClock } from '../base/clock';
import { correlated } from '../base/correlation';
import type { Logger } from '../base/logger';
import { loggablePath } from './canonical-path';
import type { RequestCount } from './monitoring';
import type { ServerEnvironment } from './server-environment';

const maxCorrelationId = 100;

/**
 * Names the request, counts its answer, says how long it took, and writes one line about it
 * (docs/protocol/http-api.md 2.3, 15.5).
 */
export function observeRequests(
	logger: Logger,
	count: RequestCount,
): MiddlewareHandler<ServerEnvironment> {
	return async (context, next) => {
		const startedAtMs = performance.now();
		const correlationId = plain(context.req.header('x-correlation-id')) ?? randomUUID();
		context.set('correlationId', correlationId);
		context.set('roles', []);
		await correlated(correlationId, next);
		const durationMs = Math.round(performance.now() - startedAtMs);
		context.res.headers.set('x-response-time', isoInstant(systemClock.now()));
		context.res.headers.set('x-response-duration-ms', String(durationMs));
		const { status } = context.res;
		count.add(status);
		const path = loggablePath(new URL(context.req.url).pathname);
		logger.info(`${context.req.method} ${path} ${status} -- ${durationMs}ms`, { correlationId });
	};
}

/** It goes into logs and headers of other calls. */
function plain(given: string | undefined): string | undefined {
	const text = given
		?.replace(/[^ -~]/g, '')
		.trim()
		.slice(0, maxCorrelationId);
	return text === '' ? undefined : text;
}
