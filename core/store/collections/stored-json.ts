import { storeErrors } from '../store-errors';

/**
 * Parses JSON that was validated when it was written.
 *
 * @throws `error.gateway.store.corruptRow`
 */
export function readJson<Value extends object>(
	text: string,
	place: { readonly table: string; readonly id: string },
): Value {
	let value: Value;
	try {
		value = JSON.parse(text);
	} catch (cause) {
		throw corruptRow(place, cause);
	}
	if (typeof value !== 'object' || value === null) throw corruptRow(place);
	return value;
}

export function corruptRow(
	place: { readonly table: string; readonly id: string },
	cause?: unknown,
): Error {
	return storeErrors.create('corruptRow', {
		message: `The row '${place.id}' of '${place.table}' is not readable.`,
		facts: { table: place.table, id: place.id },
		cause,
	});
}
