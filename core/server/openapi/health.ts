import type { Hono } from 'hono';
import * as z from 'zod';
import { waitOrAbort } from '../../base/abort';
import { isGatewayError } from '../../base/errors';
import { SingleFlight } from '../../base/single-flight';
import { systemClock } from '../../base/clock';
import type { GatewayFacade } from '../../facade/gateway-facade';
import { jsonAnswer } from '../route-answer';
import type { ServerEnvironment } from '../server-environment';

const stateSchema = z.enum(['healthy', 'unhealthy']);
type State = z.infer<typeof stateSchema>;

/** @see docs/protocol/http-api.md 8.14 */
export const healthSchema = z.object({
	isHealthy: z.boolean(),
	services: z.object({
		database: stateSchema,
		backboneConnection: stateSchema,
		backboneAuthentication: stateSchema,
	}),
});
export type Health = z.infer<typeof healthSchema>;

/** Answer of `/health/ready`; `isClosing` is true once the process was asked to stop. */
export const readinessSchema = z.object({
	isReady: z.boolean(),
	database: stateSchema,
	isClosing: z.boolean(),
});
type Readiness = z.infer<typeof readinessSchema>;

/** Answer of `/health/live`, which the process gives while it works. */
export const livenessSchema = z.object({ isLive: z.literal(true) });

export const healthPaths = ['/health', '/health/live', '/health/ready'] as const;

/** Registers the routes about the health, which need no key. */
export function addHealth(
	app: Hono<ServerEnvironment>,
	health: HealthCheck,
	closing: AbortSignal,
): void {
	app.get('/health', async () => {
		const state = await health.look();
		return jsonAnswer(state, state.isHealthy ? 200 : 500, { isTagged: state.isHealthy });
	});
	app.get('/health/live', () => jsonAnswer({ isLive: true }, 200));
	app.get('/health/ready', async () => {
		const database = await health.lookAtDatabase();
		const isClosing = closing.aborted;
		const isReady = database === 'healthy' && !isClosing;
		return jsonAnswer({ isReady, database, isClosing } satisfies Readiness, isReady ? 200 : 503);
	});
}

const databaseMs = 1_000;
const backboneMs = 3_000;
/** Milliseconds for which a successful login counts as proof of health. */
const authenticatedForMs = 5 * 60_000;

/**
 * Reports the gateway's health; concurrent calls share one check (docs/protocol/http-api.md 15.4).
 */
export class HealthCheck {
	private readonly flight = new SingleFlight<Health>();

	private readonly databaseFlight = new SingleFlight<State>();

	private authenticatedUntil = 0;

	constructor(private readonly account: GatewayFacade['account']) {}

	look(): Promise<Health> {
		return this.flight.run(async () => {
			let isDeleted = false;
			const reach = async (signal: AbortSignal): Promise<void> => {
				isDeleted = await this.reachBackbone(signal);
			};
			const [database, backboneConnection, authentication] = await Promise.all([
				this.lookAtDatabase(),
				stateOf(reach, backboneMs),
				stateOf((signal) => this.authenticate(signal), backboneMs),
			]);
			// The access token of a deleted identity is accepted until it expires.
			const backboneAuthentication = isDeleted ? 'unhealthy' : authentication;
			const services = { database, backboneConnection, backboneAuthentication };
			const isHealthy = Object.values(services).every((state) => state === 'healthy');
			return { isHealthy, services };
		});
	}

	lookAtDatabase(): Promise<State> {
		return this.databaseFlight.run(() =>
			stateOf((signal) => this.account.getSyncStatus({ signal }), databaseMs),
		);
	}

	/**
	 * Sends a request that needs no login; any answer proves that the Backbone is reachable.
	 *
	 * @returns whether the identity of the account was deleted
	 */
	private async reachBackbone(signal: AbortSignal): Promise<boolean> {
		try {
			const { isDeleted } = await this.account.checkIfDeleted({ signal });
			return isDeleted;
		} catch (error) {
			const status = isGatewayError(error) ? error.facts.status : undefined;
			if (typeof status !== 'number' || status >= 500) throw error;
			return false;
		}
	}

	private async authenticate(signal: AbortSignal): Promise<void> {
		if (systemClock.now() < this.authenticatedUntil) return;
		await this.account.checkConnection({ signal });
		this.authenticatedUntil = systemClock.now() + authenticatedForMs;
	}
}

async function stateOf(
	look: (signal: AbortSignal) => Promise<unknown>,
	timeoutMs: number,
): Promise<State> {
	const signal = AbortSignal.timeout(timeoutMs);
	try {
		await waitOrAbort(look(signal), { signal });
		return 'healthy';
	} catch {
		return 'unhealthy';
	}
}
