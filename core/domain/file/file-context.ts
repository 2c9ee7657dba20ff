import type { Clock } from '../../base/clock';
import type { Random } from '../../base/random';
import type { Backbone } from '../../backbone/backbone';
import type { Store } from '../../store/store';
import type { Account } from '../identity/account';
import type { ObjectChanges } from '../object-changes';

/** What the services of this noun are made of. */
export interface FileContext {
	readonly store: Store;
	readonly backbone: Backbone;
	readonly account: Account;
	readonly clock: Clock;
	readonly random: Random;
	readonly changes: ObjectChanges;
}
