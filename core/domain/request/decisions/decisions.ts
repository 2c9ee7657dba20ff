import { isJsonObject, type JsonObject } from '../../../model/json';
import { requestErrors } from '../request-errors';

/** Decision about one item or group (docs/protocol/consumption.md 5.4). */
export type Decision =
	| {
			readonly kind: 'item';
			readonly accept: boolean;
			/** whole entry, because the parameters of the item's type stand beside `accept` */
			readonly parameters: JsonObject;
	  }
	| { readonly kind: 'group'; readonly items: readonly Decision[] };

export type ItemDecision = Extract<Decision, { kind: 'item' }>;

/** limit above any possible request, because the size of content is bounded */
const maxEntries = 10_000;

/**
 * Reads the decisions of a caller, one entry per item of the request.
 *
 * @throws `error.runtime.requestDeserialization`, `error.runtime.servalError`
 */
export function readDecisions(input: unknown): Decision[] {
	const items = isJsonObject(input) ? input['items'] : undefined;
	if (items === undefined) throw malformed('items', 'is missing');
	if (!Array.isArray(items)) {
		throw requestErrors.create('noList', {
			message: "'items' is not valid: expected a list.",
			facts: { field: 'items' },
		});
	}
	return items.map((entry, index) => readEntry(entry, `items.${index}`, true));
}

function readEntry(entry: unknown, field: string, mayBeGroup: boolean): Decision {
	if (!isJsonObject(entry)) throw malformed(field, 'expected an object');
	const { accept, items } = entry;
	if (accept === undefined && Array.isArray(items)) {
		if (!mayBeGroup) throw malformed(field, 'groups do not nest');
		if (items.length > maxEntries) throw malformed(field, `expected at most ${maxEntries} entries`);
		const inner = items.map((one, index) => readEntry(one, `${field}.items.${index}`, false));
		return { kind: 'group', items: inner };
	}
	// Stricter than official software, which takes any value: the text "false" must not accept an
	// item.
	if (typeof accept !== 'boolean') throw malformed(`${field}.accept`, 'expected true or false');
	return { kind: 'item', accept, parameters: entry };
}

/** True when at least one item is accepted. */
export function accepts(decisions: readonly Decision[]): boolean {
	return decisions.some((one) => (one.kind === 'group' ? accepts(one.items) : one.accept));
}

function malformed(field: string, problem: string): Error {
	return requestErrors.create('invalidContent', {
		message: `'${field}' is not valid: ${problem}.`,
		facts: { field },
	});
}
