import * as z from 'zod';
import { isJsonObject } from '../../json';
import {
	contentType,
	fixed,
	fixedAndWritten,
	unexpectedIssue,
	type ContentOf,
	type Flat,
} from '../content-type';
import { confidentialities } from '../content-types';
import { identityValueTypes, relationshipValueTypes } from '../values/value-types';
import { addressField, listField, tagsField, textField, validityShape } from '../fields';
import { valueHints } from '../values/hints';
import { maxIqlLength, parseIql } from './iql';

const identityValueType = () => z.enum(identityValueTypes);

/** @see docs/protocol/content.md 8.1 */
export const identityAttributeQuery = contentType('IdentityAttributeQuery', () => ({
	/** type of the wanted values */
	valueType: identityValueType(),
	/** tags of which a value must have at least one */
	tags: tagsField.optional(),
	...validityShape,
}));

/** @see docs/protocol/content.md 8.2 */
export const relationshipAttributeCreationHints = contentType(
	'RelationshipAttributeCreationHints',
	() => ({
		/** title of a new attribute */
		title: textField({ max: 100 }),
		/** type of its value */
		valueType: z.enum(relationshipValueTypes),
		/** explanation that a person reads */
		description: textField({ max: 1000 }).optional(),
		/** what values may be entered */
		valueHints: fixedAndWritten(() => valueHints).nullish(),
		/** confidentiality of a new attribute */
		confidentiality: z.enum(confidentialities),
	}),
);

/** @see docs/protocol/content.md 8.2 */
export const relationshipAttributeQuery = contentType('RelationshipAttributeQuery', () => ({
	/** name of the attribute in the relationship */
	key: textField({ max: 100 }),
	/** address of the side that owns it; empty: the recipient */
	owner: addressField,
	/** how the peer creates a missing attribute */
	attributeCreationHints: z.preprocess(
		(value, context) => {
			if (typeof value !== 'object' && value !== undefined) {
				context.addIssue({
					code: 'custom',
					message: 'expected an object',
					params: unexpectedIssue,
				});
			}
			return value;
		},
		fixed(() => relationshipAttributeCreationHints),
	),
	...validityShape,
}));

/** @see docs/protocol/content.md 8.3 */
export const thirdPartyRelationshipAttributeQuery = contentType(
	'ThirdPartyRelationshipAttributeQuery',
	() => ({
		/** name of the attribute in the relationship of the peer */
		key: textField({ max: 100 }),
		/** side that owns it; empty: any */
		owner: z.enum(['thirdParty', 'recipient', '']),
		/** addresses of the other sides of these relationships */
		thirdParty: listField(addressField, { required: true, min: 1 }),
		...validityShape,
	}),
	{
		adjust: (value) => {
			const thirdParty = value['thirdParty'];
			if (typeof thirdParty === 'string' || isJsonObject(thirdParty)) {
				value['thirdParty'] = [thirdParty];
			}
		},
	},
);

/** @see docs/protocol/content.md 8.4 */
export const iqlQueryCreationHints = contentType('IQLQueryCreationHints', () => ({
	/** type of a new value */
	valueType: identityValueType(),
	/** tags of a new value */
	tags: tagsField.optional(),
}));

/** @see docs/protocol/content.md 8.4 */
export const iqlQuery = contentType('IQLQuery', () => ({
	/** expression in the query language */
	queryString: z.string().superRefine((text, context) => {
		const message = queryProblem(text);
		if (message !== undefined) context.addIssue({ code: 'custom', message });
	}),
	/** how the peer creates a value if none matches */
	attributeCreationHints: fixed(() => iqlQueryCreationHints).nullish(),
}));

/** Query for attributes of the peer about itself. */
export type IdentityAttributeQuery = Flat<ContentOf<typeof identityAttributeQuery>>;
/** Query for an attribute of the relationship. */
export type RelationshipAttributeQuery = Flat<ContentOf<typeof relationshipAttributeQuery>>;
/** Query for attributes of the peer's other relationships. */
export type ThirdPartyRelationshipAttributeQuery = Flat<
	ContentOf<typeof thirdPartyRelationshipAttributeQuery>
>;
/** Query by an expression. */
export type IqlQuery = Flat<ContentOf<typeof iqlQuery>>;

/** What a peer is asked for. */
export type AttributeQuery =
	| IdentityAttributeQuery
	| RelationshipAttributeQuery
	| ThirdPartyRelationshipAttributeQuery
	| IqlQuery;

function queryProblem(text: string): string | undefined {
	if (text.length > maxIqlLength) return `expected at most ${maxIqlLength} characters`;
	const result = parseIql(text);
	if (result.isValid) return undefined;
	const { line, column } = result.problem;
	return `not a query from character ${column} of line ${line} on`;
}
