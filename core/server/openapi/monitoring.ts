import type { Hono } from 'hono';
import { isoInstant, systemClock } from '../../base/clock';
import { isGatewayError } from '../../base/errors';
import { monitoringRoles, requireRole } from '../authentication/roles';
import type { HealthCheck } from './health';
import { jsonAnswer } from '../route-answer';
import type { ServerEnvironment } from '../server-environment';
import type { BuildInfo, ServerOptions } from '../server-options';

export const monitoringNames = ['Version', 'Requests', 'Support'];
const unknownBuild: BuildInfo = { build: 'unknown', date: 'unknown', commit: 'unknown' };

/** Counts answers by status since the start of the server. */
export class RequestCount {
	private readonly since = isoInstant(systemClock.now());

	private readonly byStatus = new Map<number, number>();

	add(status: number): void {
		this.byStatus.set(status, (this.byStatus.get(status) ?? 0) + 1);
	}

	toJSON(): object {
		const counts = [...this.byStatus];
		return {
			since: this.since,
			requestCount: counts.reduce((total, [, count]) => total + count, 0),
			requestCountByStatus: Object.fromEntries(counts),
		};
	}
}

/**
 * Registers the routes for operators, which answer without envelopes (docs/protocol/http-api.md
 * 8.14).
 */
export function addMonitoring(
	app: Hono<ServerEnvironment>,
	options: ServerOptions,
	{ health, count }: { readonly health: HealthCheck; readonly count: RequestCount },
): void {
	const version = {
		version: options.version,
		...(options.build ?? unknownBuild),
		runtimeVersion: options.version,
		modules: {},
	};
	const { connectorVersion } = options;
	// In version 6 the same roles open all routes, those that do not exist included.
	for (const name of connectorVersion === 7 ? monitoringNames : ['*']) {
		const roles = monitoringRoles(name);
		app.get(`/Monitoring/${name}`, async (context, next) => {
			requireRole(context.get('roles'), roles);
			await next();
		});
	}
	app.get('/Monitoring/Version', () => jsonAnswer(version, 200));
	app.get('/Monitoring/Requests', () => jsonAnswer(count, 200));
	app.get('/Monitoring/Support', async () =>
		jsonAnswer(
			{
				version,
				health: await health.look(),
				configuration: options.configuration,
				identityInfo: await identityOf(options.facade),
			},
			200,
		),
	);
}

async function identityOf(facade: ServerOptions['facade']): Promise<object> {
	try {
		return await facade.account.getIdentity();
	} catch (error) {
		return { error: isGatewayError(error) ? error.code : 'unknown' };
	}
}
