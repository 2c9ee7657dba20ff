import type { RequestItem } from '../../model/content/requests/request-items';
import { handlerOf } from './items';
import type { CreatedKey } from './items/item-handler';

/**
 * Finds a relationship attribute that several of the items would create, or undefined: each owner,
 * key and value type can exist once (docs/protocol/consumption.md 4.2, 5.5).
 *
 * @param recipient address that `''` stands for; undefined while the recipient is unknown
 */
export function doubleKey(
	items: readonly RequestItem[],
	recipient: string | undefined,
): CreatedKey | undefined {
	const seen = new Set<string>();
	for (const item of items) {
		const created = handlerOf(item).createdKey?.(item);
		if (created === undefined) continue;
		const owner = created.owner === '' ? (recipient ?? '') : created.owner;
		const triple = JSON.stringify([owner, created.key, created.valueType]);
		if (seen.has(triple)) return created;
		seen.add(triple);
	}
	return undefined;
}
