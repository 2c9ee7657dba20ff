import * as z from 'zod';
import { contentType, namedType, tagged, type ContentType } from './content-type';
import { confidentialities, version7ValueTypes } from './content-types';
import { addressField, tagsField, textField, validityShape } from './fields';
import { identityValues } from './values/identity-values';
import { relationshipValues } from './values/relationship-values';

/**
 * Attribute values that only version 7 knows, kept without validation (docs/protocol/content.md
 * 13.2).
 */
export const version7Values: readonly ContentType[] = version7ValueTypes.map((name) =>
	namedType(name),
);

/** @see docs/protocol/content.md 7.1 */
export const identityAttribute = contentType('IdentityAttribute', () => ({
	value: tagged(() => [...Object.values(identityValues()), ...version7Values]),
	tags: tagsField.optional(),
	owner: addressField,
	...validityShape,
}));

/** @see docs/protocol/content.md 7.2 */
export const relationshipAttribute = contentType(
	'RelationshipAttribute',
	() => ({
		value: tagged(() => Object.values(relationshipValues())),
		key: textField({ max: 100 }),
		isTechnical: z.boolean(),
		confidentiality: z.enum(confidentialities),
		owner: addressField,
		...validityShape,
	}),
	{
		adjust: (value) => {
			if (value['isTechnical'] === undefined) value['isTechnical'] = false;
		},
	},
);

export const anyAttribute = tagged(() => [identityAttribute, relationshipAttribute]);
