import { throwIfAborted, type Cancellable } from '../base/abort';
import { systemClock, type Clock } from '../base/clock';
import { CloseStack } from '../base/close-stack';
import { noInstruments, type Instruments } from '../base/observation/instruments';
import { silentLogger, type Logger } from '../base/logger';
import { systemRandom, type Random } from '../base/random';
import { usualTimings, type Timings } from '../base/timings';
import type { Backbone } from '../backbone/port/backbone';
import { HttpBackbone } from '../backbone/http/http-backbone';
import { identityErrors } from '../domain/identity/identity-errors';
import { IdentityService } from '../domain/identity/identity-service';
import { requireOwnBackbone } from '../domain/identity/own-backbone';
import { purposesOfPeers } from '../domain/purposes';
import { EventConsumers } from '../events/consumers';
import type { GatewayFacade } from '../facade/gateway-facade';
import { parseGatewayConfig, type GatewayConfig, type GatewayConfigInput } from '../config';
import type { AccountStore, ProofOptions, StoreDependencies } from '../store/account/account-store';
import { accountHome, openStore } from '../store/open-store';
import { warnOfOldSqlite } from '../store/sqlite/sqlite-version';
import { keepParts } from './gateway-parts';
import { observedStore } from './observed-store';
import { openFacade } from './open-facade';
import type { ServiceDependencies } from './service-dependencies';
import { replaceable, requireAcceptedClient, warnOfPlainHttp } from './replaceable-backbone';
import { openServices } from './services';

/** What a program may replace in a gateway; everything has a default. */
export interface GatewayDependencies {
	/** receives what the gateway reports; the default is silent */
	readonly logger?: Logger;
	/** time source; the default is the clock of the system */
	readonly clock?: Clock;
	/** source of randomness; the default is the random generator of Node */
	readonly random?: Random;
	/** time limits between processes with the same account; only tests need others */
	readonly timings?: Timings;
	/** observer of calls, syncs and transactions, for figures and traces; the default is none */
	readonly instruments?: Instruments;
	/**
	 * replaces the transport over HTTP
	 *
	 * @internal
	 */
	readonly openBackbone?: (config: GatewayConfig['backbone'], logger: Logger) => Backbone;
}

/** Options of {@link Gateway.reconfigure}. */
export interface ReconfigureOptions extends Cancellable {
	/** receives warnings about the new configuration */
	readonly logger?: Logger;
}

/** One open identity: its use cases, and the operations of the gateway itself. */
export interface Gateway extends GatewayFacade, AsyncDisposable {
	/**
	 * Adopts a changed configuration of the same account after verifying it; running triggers and
	 * their connections continue with it. Another address must belong to the same Backbone.
	 *
	 * @throws `error.gateway.store.wrongPassphrase`, `error.gateway.store.wrongClientSecret` and the
	 * other codes of the account's proof, `error.gateway.identity.belongsToAnotherBackbone`,
	 * `error.gateway.backbone.downgraded`, and the codes of a refused login
	 */
	reconfigure(input: GatewayConfigInput, options?: ReconfigureOptions): Promise<void>;
	/** Stops loops and consumers, then Backbone and store. Further calls have no effect. */
	close(): Promise<void>;
}

/** Opens gateways: `await Gateway.open(config)`. */
export const Gateway = {
	/**
	 * Opens the account's store, creates its identity on first use, and offers the use cases. Needs
	 * the Backbone only if there is no identity yet or the client secret was changed.
	 *
	 * If no identity may be created, a location without an account is left unchanged.
	 *
	 * @throws `error.gateway.configuration.invalid`, the codes of `openStore`, of
	 * `requireAcceptedClient` and of `IdentityService.open`
	 */
	open: async (
		input: GatewayConfigInput,
		dependencies: GatewayDependencies = {},
		options: Cancellable = {},
	): Promise<Gateway> => {
		const parts = await openParts(parseGatewayConfig(input), dependencies, options);
		try {
			return gatewayOf(parts, openFacade(parts, openServices(parts)));
		} catch (error) {
			await parts.closing.close();
			throw error;
		}
	},
};

function gatewayOf(parts: ServiceDependencies, facade: GatewayFacade): Gateway {
	const close = async (): Promise<void> => {
		parts.stop.abort();
		await parts.closing.close();
	};
	const gateway: Gateway = {
		...facade,
		reconfigure: (input, options = {}) => reconfigure(parts, input, options),
		close,
		[Symbol.asyncDispose]: close,
	};
	keepParts(gateway, parts);
	return gateway;
}

async function reconfigure(
	{ account, store, backbone, openBackbone, logger }: ServiceDependencies,
	input: GatewayConfigInput,
	options: ReconfigureOptions,
): Promise<void> {
	const config = parseGatewayConfig(input);
	const next = openBackbone(config.backbone, logger);
	try {
		const { baseUrl } = next;
		const { allowPlainHttp } = config.backbone;
		requireOwnBackbone(account.backboneBaseUrl, { baseUrl, allowPlainHttp });
		await store.prove(config, {
			approveClientSecret: () => requireAcceptedClient(next, options),
		});
		throwIfAborted(options);
		if (baseUrl !== backbone.baseUrl) await backbone.tryLogin(next, options);
	} catch (error) {
		await next.close();
		throw error;
	}
	warnOfPlainHttp(config.backbone, logger);
	await backbone.replace(next);
}

/** Opens the resources that the services need. They are closed in reverse order. */
async function openParts(
	config: GatewayConfig,
	dependencies: GatewayDependencies,
	options: Cancellable,
): Promise<ServiceDependencies> {
	const { logger = silentLogger, clock = systemClock, random = systemRandom } = dependencies;
	const { timings = usualTimings, instruments = noInstruments } = dependencies;
	const openBackbone =
		dependencies.openBackbone ??
		((backbone, log) =>
			HttpBackbone.open({ ...backbone, clock, random, logger: log, instruments }));
	const closing = new CloseStack(logger);
	if (config.store.kind === 'sqlite') warnOfOldSqlite(logger);
	try {
		// Comes first: settings that cannot work must not leave an account behind.
		const backbone = replaceable(openBackbone(config.backbone, logger));
		warnOfPlainHttp(config.backbone, logger);
		const approveClientSecret = (): Promise<void> => requireAcceptedClient(backbone, options);
		const opened = await openAccount(
			config,
			{ clock, random, timings },
			{ approveClientSecret },
		).catch(async (error: unknown) => {
			await backbone.close();
			throw error;
		});
		const store = observedStore(opened, instruments);
		closing.add('store', () => store.close());
		closing.add('backbone', () => backbone.close());
		throwIfAborted(options);
		const identity = new IdentityService({
			store,
			backbone,
			clock,
			random,
			logger: logger.child('identity'),
			addressHostname: config.backbone.addressHostname,
			allowPlainHttp: config.backbone.allowPlainHttp,
			allowCreation: config.allowIdentityCreation,
			oneAttributeId: config.oneAttributeId,
		});
		const account = await identity.open(options);
		const consumers = new EventConsumers(store, clock, purposesOfPeers);
		closing.add('consumers', () => consumers.close());
		const stop = new AbortController();
		return {
			...{ config, store, backbone, account, clock, random, timings, logger },
			...{ consumers, closing, stop, openBackbone, instruments },
		};
	} catch (error) {
		await closing.close();
		throw error;
	}
}

/**
 * If no account may be created, inspects the location first, because opening a store creates it.
 *
 * @throws `error.transport.general.noIdentityFound`, and the codes of `openStore`
 */
async function openAccount(
	config: GatewayConfig,
	deps: StoreDependencies,
	options: ProofOptions,
): Promise<AccountStore> {
	if (!config.allowIdentityCreation) {
		const home = accountHome(config, deps);
		if ((await home.look()) === undefined) {
			throw identityErrors.create('noIdentityFound', {
				message: `There is no account in ${home.name}, and creating one is not allowed.`,
			});
		}
	}
	return await openStore(config, deps, options);
}
