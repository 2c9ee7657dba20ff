import type { Account } from '../identity/account';
import type { ObjectChanges } from '../object-changes';
import type { Needs } from '../needs';

/** Dependencies of the file services. */
export interface FileDependencies extends Needs<'store' | 'backbone' | 'clock' | 'random'> {
	readonly account: Account;
	readonly changes: ObjectChanges;
}
