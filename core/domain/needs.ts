import type { Backbone } from '../backbone/port/backbone';
import type { Clock } from '../base/clock';
import type { Logger } from '../base/logger';
import type { Random } from '../base/random';
import type { Store } from '../store/store';
import type { Observers } from './observers';

/** What many services of an account are given. */
interface SharedDependencies {
	readonly store: Store;
	readonly backbone: Backbone;
	readonly clock: Clock;
	readonly random: Random;
	readonly logger: Logger;
	readonly observers: Observers;
}

/** The shared dependencies that a service needs. */
export type Needs<Name extends keyof SharedDependencies> = Pick<SharedDependencies, Name>;
