import { confidentialities } from '../../model/content/content-types';
import { identityValueTypes } from '../../model/content/values/value-types';
import type { AttributeField, FieldCondition } from '../../store/store';
import { columnConditions, readTerm, type QueryValue } from '../query/query-terms';

type Mark = FieldCondition<AttributeField>;

/**
 * Condition on an indexed column that holds for every attribute of a kind and for no other
 * attribute. The kind itself is not indexed: such an index would cost a page per attribute, and its
 * two values are hardly selective.
 */
const marks: ReadonlyMap<string, Mark> = new Map<string, Mark>([
	['IdentityAttribute', { field: 'valueType', op: 'in', value: identityValueTypes }],
	['RelationshipAttribute', { field: 'confidentiality', op: 'in', value: confidentialities }],
]);

/** Builds the conditions for `content.@type` in a query. */
export function kindConditions(given: QueryValue) {
	const asked = columnConditions<AttributeField>('contentType', 'text', given);
	const terms = (typeof given === 'string' ? [given] : given).map(readTerm);
	const wanted = terms.filter(({ op }) => op === 'eq').map(({ text }) => text);
	if (wanted.length === 0) return asked;
	const known = [...new Set(wanted)].flatMap((kind) => marks.get(kind) ?? []);
	if (known.length === 0) return [...asked, { field: 'contentType', op: 'in', value: [] } as const];
	return known.length === 1 ? [...known, ...asked] : asked;
}
