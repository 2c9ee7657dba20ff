import * as z from 'zod';
import { isJsonObject } from '../../json';
import { contentType, fixed, fixedAndWritten, unexpectedIssue } from '../content-type';
import { confidentialities, version7ValueTypes } from '../content-types';
import { identityValueTypes, relationshipValueTypes } from '../values/value-types';
import { addressField, listField, tagsField, textField, validityShape } from '../fields';
import { valueHints } from '../values/hints';
import { maxIqlLength, parseIql } from './iql';

const identityValueType = (): z.ZodType<string> =>
	z.enum([...identityValueTypes, ...version7ValueTypes]);

/** @see docs/protocol/content.md 8.1 */
export const identityAttributeQuery = contentType('IdentityAttributeQuery', () => ({
	valueType: identityValueType(),
	tags: tagsField.optional(),
	...validityShape,
}));

/** @see docs/protocol/content.md 8.2 */
export const relationshipAttributeCreationHints = contentType(
	'RelationshipAttributeCreationHints',
	() => ({
		title: textField({ max: 100 }),
		valueType: z.enum(relationshipValueTypes),
		description: textField({ max: 1000 }).optional(),
		valueHints: fixedAndWritten(() => valueHints).nullish(),
		confidentiality: z.enum(confidentialities),
	}),
);

/** @see docs/protocol/content.md 8.2 */
export const relationshipAttributeQuery = contentType('RelationshipAttributeQuery', () => ({
	key: textField({ max: 100 }),
	owner: addressField,
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
		key: textField({ max: 100 }),
		owner: z.enum(['thirdParty', 'recipient', '']),
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
	valueType: identityValueType(),
	tags: tagsField.optional(),
}));

/** @see docs/protocol/content.md 8.4 */
export const iqlQuery = contentType('IQLQuery', () => ({
	queryString: z.string().superRefine((text, context) => {
		const message = queryProblem(text);
		if (message !== undefined) context.addIssue({ code: 'custom', message });
	}),
	attributeCreationHints: fixed(() => iqlQueryCreationHints).nullish(),
}));

function queryProblem(text: string): string | undefined {
	if (text.length > maxIqlLength) return `expected at most ${maxIqlLength} characters`;
	const result = parseIql(text);
	if (result.isValid) return undefined;
	const { line, column } = result.problem;
	return `not a query from character ${column} of line ${line} on`;
}
