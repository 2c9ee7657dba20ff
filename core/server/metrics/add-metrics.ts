import type { Context, Hono } from 'hono';
import { matchedRoutes } from 'hono/route';
import { monitoringRoles, requireRole } from '../authentication/roles';
import type { ServerEnvironment } from '../server-environment';
import type { ServerOptions } from '../server-options';

export const metricsPath = '/metrics';

/** Registers the figures for Prometheus, for the roles of `/Monitoring`. */
export function addMetrics(
	app: Hono<ServerEnvironment>,
	{ metrics }: Pick<ServerOptions, 'metrics'>,
): void {
	if (metrics === undefined) return;
	const roles = monitoringRoles('metrics');
	app.get(metricsPath, async (context) => {
		requireRole(context.get('roles'), roles);
		return new Response(await metrics.text(), {
			headers: { 'content-type': metrics.contentType, 'cache-control': 'no-store' },
		});
	});
}

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Method for figures and spans, of which there are few. */
export const methodOf = (context: Context): string =>
	knownMethods.has(context.req.method) ? context.req.method : 'other';

/** Pattern of the route that a request matches, which contains nothing of the request. */
export function routeOf(context: Context): string {
	return matchedRoutes(context).find(({ path }) => !path.includes('*'))?.path ?? 'unknown';
}
