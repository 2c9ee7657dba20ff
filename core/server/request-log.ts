import { randomUUID } from 'node:crypto';
import { SpanKind } from '@opentelemetry/api';
import type { Context, MiddlewareHandler } from 'hono';
import { isoInstant, systemClock } from '../base/clock';
import { correlated } from '../base/observation/correlation';
import type { Logger } from '../base/logger';
import { noRoles } from './authentication/roles';
import { loggablePath } from './input/canonical-path';
import { addressOf } from './input/request-address';
import { methodOf, routeOf } from './metrics/add-metrics';
import type { Metrics } from './metrics/metrics';
import type { RequestCount } from './openapi/monitoring';
import type { ServerEnvironment } from './server-environment';
import { inSpan, inTraceOf } from './tracing';

const maxCorrelationId = 100;

/** What learns of every answered request. */
export interface RequestObservers {
	readonly logger: Logger;
	readonly count?: RequestCount;
	readonly metrics?: Metrics | undefined;
}

/**
 * Assigns a correlation id to each request, counts its answer, measures its duration, opens a span
 * for it, and logs one line about it (docs/protocol/http-api.md 2.3, 15.5).
 */
export function observeRequests({
	logger,
	count,
	metrics,
}: RequestObservers): MiddlewareHandler<ServerEnvironment> {
	return async (context, next) => {
		const startedAtMs = performance.now();
		const correlationId = plain(context.req.header('x-correlation-id')) ?? randomUUID();
		context.set('correlationId', correlationId);
		context.set('roles', noRoles);
		await inRequestSpan(context, async () => {
			await correlated(correlationId, next);
			const exactMs = performance.now() - startedAtMs;
			const durationMs = Math.round(exactMs);
			context.res.headers.set('x-response-time', isoInstant(systemClock.now()));
			context.res.headers.set('x-response-duration-ms', String(durationMs));
			const { status } = context.res;
			count?.add(status);
			metrics?.requestAnswered({
				...{ method: methodOf(context), route: routeOf(context) },
				...{ status, durationMs: exactMs },
			});
			const path = loggablePath(addressOf(context.req.url).path);
			logger.info(`${context.req.method} ${path} ${status} -- ${durationMs}ms`, { correlationId });
		});
	};
}

/** Runs the work for a request in a span, which is named after the route once this is known. */
async function inRequestSpan(
	context: Context<ServerEnvironment>,
	work: () => Promise<void>,
): Promise<void> {
	const method = methodOf(context);
	await inTraceOf(context.env.incoming.headers, () =>
		inSpan(method, { kind: SpanKind.SERVER }, async (span) => {
			let status = 500;
			try {
				await work();
				({ status } = context.res);
			} finally {
				const route = routeOf(context);
				span.setName(`${method} ${route}`);
				span.setAttributes({
					'http.request.method': method,
					'http.route': route,
					'http.response.status_code': status,
					'enmeshed.correlation_id': context.get('correlationId'),
				});
				span.end(String(status), status >= 500);
			}
		}),
	);
}

/** Accepts a client's id only if it is safe in logs and headers. */
function plain(given: string | undefined): string | undefined {
	const text = given
		?.replace(/[^ -~]/g, '')
		.trim()
		.slice(0, maxCorrelationId);
	return text === '' ? undefined : text;
}
