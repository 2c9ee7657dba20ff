import * as z from 'zod';
import { identityValues, relationshipValues } from './attribute-values';
import { contentType, fixed, isObject, tagged } from './content-type';
import { identityValueTypes } from './content-types';
import { addressField, dateField, listField, tagsField, textField } from './fields';
import {
	confidentialities,
	iqlQueryCreationHints,
	relationshipAttributeCreationHints,
} from './hints';

const validity = { validFrom: dateField.nullish(), validTo: dateField.nullish() };

/** docs/protocol/content.md 7.1 */
export const identityAttribute = contentType('IdentityAttribute', () => ({
	value: tagged(identityValues),
	tags: tagsField.optional(),
	owner: addressField,
	...validity,
}));

/** docs/protocol/content.md 7.2 */
export const relationshipAttribute = contentType('RelationshipAttribute', () => ({
	value: tagged(relationshipValues),
	key: textField({ max: 100 }),
	isTechnical: z.boolean().default(false),
	confidentiality: z.enum(confidentialities),
	owner: addressField,
	...validity,
}));

export const anyAttribute = tagged(() => [identityAttribute, relationshipAttribute]);

/** docs/protocol/content.md 8.1 */
export const identityAttributeQuery = contentType('IdentityAttributeQuery', () => ({
	valueType: z.enum(identityValueTypes),
	tags: tagsField.optional(),
	...validity,
}));

/** docs/protocol/content.md 8.2 */
export const relationshipAttributeQuery = contentType('RelationshipAttributeQuery', () => ({
	key: textField({ max: 100 }),
	owner: addressField,
	attributeCreationHints: fixed(() => relationshipAttributeCreationHints),
	...validity,
}));

/** docs/protocol/content.md 8.3 */
export const thirdPartyRelationshipAttributeQuery = contentType(
	'ThirdPartyRelationshipAttributeQuery',
	() => ({
		key: textField({ max: 100 }),
		owner: z.enum(['thirdParty', 'recipient', '']),
		thirdParty: listField(addressField, { required: true, min: 1 }),
		...validity,
	}),
	{
		adjust: (value) => {
			const thirdParty = value['thirdParty'];
			if (typeof thirdParty === 'string' || isObject(thirdParty))
				value['thirdParty'] = [thirdParty];
		},
	},
);

/** docs/protocol/content.md 8.4; the syntax of the query text is not looked at. */
export const iqlQuery = contentType('IQLQuery', () => ({
	queryString: textField({ min: 1, max: 4096 }),
	attributeCreationHints: fixed(() => iqlQueryCreationHints).nullish(),
}));
