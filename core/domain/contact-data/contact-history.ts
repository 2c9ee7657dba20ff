import type { Cancellable } from '../../base/abort';
import { isoInstant } from '../../base/clock';
import { contactHistoryInputSchema } from '../../model/input/contact-data';
import type { HistoryEntryDto } from '../../model/record/contact-data';
import { contactErrors } from '../contact/contact-errors';
import { requireAddress } from '../contact/contact-input';
import { currentRelationship } from '../current-relationship';
import type { Account } from '../identity/account';
import { historySources } from './history-sources';
import { readPosition, readTimeline } from './timeline';
import { invalidInput } from '../input-errors';
import { parseInput } from '../validation';
import type { Needs } from '../needs';

interface ContactHistoryDependencies extends Needs<'store' | 'clock'> {
	readonly account: Pick<Account, 'address' | 'backboneBaseUrl'>;
}

/** Reads what has happened between this account and a person. */
export class ContactHistory {
	constructor(private readonly dependencies: ContactHistoryDependencies) {}

	/**
	 * Lists the history of a person, the newest entry first.
	 *
	 * @param input `kinds`, `after`, `before`, `limit`, `position`
	 * @throws `error.gateway.contacts.notFound`, `error.runtime.validation.invalidPropertyValue`
	 */
	async list(
		address: string,
		input: unknown = {},
		options: Cancellable = {},
	): Promise<HistoryEntryDto[]> {
		requireAddress(address);
		const { kinds, position, ...asked } = parseInput(contactHistoryInputSchema, input);
		const { store, account, clock } = this.dependencies;
		const place = position === undefined ? undefined : readPosition(position);
		const sources = historySources({
			peer: address,
			ownAddress: account.address,
			backboneBaseUrl: account.backboneBaseUrl,
			now: isoInstant(clock.now()),
		}).filter(({ kind }) => kinds.length === 0 || kinds.includes(kind));
		if (position !== undefined && !sources.some(({ name }) => name === place?.source)) {
			throw invalidInput(
				"'position' is not valid: expected the position of an entry that the same kinds have listed.",
				'position',
			);
		}
		if ((await store.read((tx) => currentRelationship(tx, address), options)) === undefined) {
			throw unknownContact(address);
		}
		return await readTimeline(store, sources, { ...asked, place }, options);
	}
}

export function unknownContact(address: string): Error {
	return contactErrors.create('notFound', {
		message: 'There is no contact with this address in this account.',
		facts: { address },
	});
}
