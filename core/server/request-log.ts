import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { isoInstant, systemClock } from '../base/clock';
import { correlated } from '../base/correlation';
import type { Logger } from '../base/logger';
import { noRoles } from './authentication/roles';
import { loggablePath } from './input/canonical-path';
import { addressOf } from './input/request-address';
import type { RequestCount } from './openapi/monitoring';
import type { ServerEnvironment } from './server-environment';

const maxCorrelationId = 100;

/**
 * Assigns a correlation id to each request, counts its answer, measures its duration, and logs one
 * line about it (docs/protocol/http-api.md 2.3, 15.5).
 */
export function observeRequests(
	logger: Logger,
	count: RequestCount,
): MiddlewareHandler<ServerEnvironment> {
	return async (context, next) => {
		const startedAtMs = performance.now();
		const correlationId = plain(context.req.header('x-correlation-id')) ?? randomUUID();
		context.set('correlationId', correlationId);
		context.set('roles', noRoles);
		await correlated(correlationId, next);
		const durationMs = Math.round(performance.now() - startedAtMs);
		context.res.headers.set('x-response-time', isoInstant(systemClock.now()));
		context.res.headers.set('x-response-duration-ms', String(durationMs));
		const { status } = context.res;
		count.add(status);
		const path = loggablePath(addressOf(context.req.url).path);
		logger.info(`${context.req.method} ${path} ${status} -- ${durationMs}ms`, { correlationId });
	};
}

/** Accepts a client's id only if it is safe in logs and headers. */
function plain(given: string | undefined): string | undefined {
	const text = given
		?.replace(/[^ -~]/g, '')
		.trim()
		.slice(0, maxCorrelationId);
	return text === '' ? undefined : text;
}
