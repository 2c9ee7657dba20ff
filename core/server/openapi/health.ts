import * as z from 'zod';
import { waitOrAbort } from '../../base/abort';
import { isGatewayError } from '../../base/errors';
import { SingleFlight } from '../../base/single-flight';
import { systemClock } from '../../base/clock';
import type { GatewayFacade } from '../../facade/gateway-facade';

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

const databaseMs = 1_000;
const backboneMs = 3_000;
/** Milliseconds for which a successful login counts as proof of health. */
const authenticatedForMs = 5 * 60_000;

/**
 * Reports the gateway's health; concurrent calls share one check (docs/protocol/http-api.md 15.4).
 */
export class HealthCheck {
	private readonly flight = new SingleFlight<Health>();

	private authenticatedUntil = 0;

	constructor(private readonly account: GatewayFacade['account']) {}

	look(): Promise<Health> {
		return this.flight.run(async () => {
			let isDeleted = false;
			const reach = async (signal: AbortSignal): Promise<void> => {
				isDeleted = await this.reachBackbone(signal);
			};
			const [database, backboneConnection, authentication] = await Promise.all([
				stateOf((signal) => this.account.getSyncStatus({ signal }), databaseMs),
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
