import type { Clock } from '../../base/clock';
import type { Random } from '../../base/random';
import type { Backbone } from '../../backbone/port/backbone';
import type { Store } from '../../store/store';
import type { Account } from '../identity/account';
import type { ObjectChanges } from '../object-changes';

/** Dependencies of the file services. */
export interface FileDependencies {
	readonly store: Store;
	readonly backbone: Backbone;
	readonly account: Account;
	readonly clock: Clock;
	readonly random: Random;
	readonly changes: ObjectChanges;
}
