import type { Clock } from '../base/clock';
import type { CloseStack } from '../base/close-stack';
import type { Instruments } from '../base/observation/instruments';
import type { Logger } from '../base/logger';
import type { Random } from '../base/random';
import type { Timings } from '../base/timings';
import type { Backbone } from '../backbone/port/backbone';
import type { GatewayConfig } from '../config';
import type { OpenedAccount } from '../domain/identity/account';
import type { EventConsumers } from '../events/consumers';
import type { AccountStore } from '../store/account/account-store';
import type { ReplaceableBackbone } from './replaceable-backbone';

/** An opened account, from which the services are built. */
export interface ServiceDependencies {
	readonly config: GatewayConfig;
	readonly store: AccountStore;
	readonly backbone: ReplaceableBackbone;
	readonly account: OpenedAccount;
	readonly clock: Clock;
	readonly random: Random;
	readonly timings: Timings;
	readonly logger: Logger;
	readonly instruments: Instruments;
	readonly consumers: EventConsumers;
	readonly closing: CloseStack;
	/** aborts all background work */
	readonly stop: AbortController;
	readonly openBackbone: (config: GatewayConfig['backbone'], logger: Logger) => Backbone;
}
