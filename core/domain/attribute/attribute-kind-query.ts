import {
	confidentialities,
	identityValueTypes,
	version7ValueTypes,
} from '../../model/content/content-types';
import type { AttributeField, FieldCondition } from '../../store/store';
import { columnConditions, readTerm, type QueryValue } from '../query-terms';

type Mark = FieldCondition<AttributeField>;

/**
 * What only attributes of a kind have, and have always: the kind itself has no index, because it would
 * cost every attribute a page for two values that hardly tell rows apart.
 */
const marks: ReadonlyMap<string, Mark> = new Map<string, Mark>([
	[
		'IdentityAttribute',
		{ field: 'valueType', op: 'in', value: [...identityValueTypes, ...version7ValueTypes] },
	],
	['RelationshipAttribute', { field: 'confidentiality', op: 'in', value: confidentialities }],
]);

/** `content.@type` of a query. */
export function kindConditions(given: QueryValue) {
	const asked = columnConditions<AttributeField>('contentType', 'text', given);
	const terms = (typeof given === 'string' ? [given] : given).map(readTerm);
	const wanted = terms.filter(({ op }) => op === 'eq').map(({ text }) => text);
	if (wanted.length === 0) return asked;
	const known = [...new Set(wanted)].flatMap((kind) => marks.get(kind) ?? []);
	if (known.length === 0) return [...asked, { field: 'contentType', op: 'in', value: [] } as const];
	return known.length === 1 ? [...known, ...asked] : asked;
}
