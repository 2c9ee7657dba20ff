import * as z from 'zod';
import { contentType, tagged, type ContentOf, type Flat } from './content-type';
import { confidentialities } from './content-types';
import { addressField, tagsField, textField, validityShape } from './fields';
import { identityValues, type IdentityValue } from './values/identity-values';
import { relationshipValues, type RelationshipAttributeValue } from './values/relationship-values';

/** Value of an identity attribute. */
export type IdentityAttributeValue = IdentityValue;

const identityValue = (): z.ZodType<IdentityAttributeValue> =>
	tagged(() => Object.values(identityValues()));

/** @see docs/protocol/content.md 7.1 */
export const identityAttribute = contentType('IdentityAttribute', () => ({
	/** what is said, with its own `@type` */
	value: identityValue(),
	/** tags that describe the value */
	tags: tagsField.optional(),
	/** address of the identity that the attribute is about; empty: the recipient of a request */
	owner: addressField,
	...validityShape,
}));

const relationshipValue = (): z.ZodType<RelationshipAttributeValue> =>
	tagged(() => Object.values(relationshipValues()));

/** @see docs/protocol/content.md 7.2 */
export const relationshipAttribute = contentType(
	'RelationshipAttribute',
	() => ({
		/** what is agreed, with its own `@type` */
		value: relationshipValue(),
		/** name of the attribute in the relationship */
		key: textField({ max: 100 }),
		/** true if only programs read it */
		isTechnical: z.boolean(),
		/** who may see it: `public`, `protected` or `private` */
		confidentiality: z.enum(confidentialities),
		/** address of the side that owns it; empty: the recipient of a request */
		owner: addressField,
		...validityShape,
	}),
	{
		adjust: (value) => {
			if (value['isTechnical'] === undefined) value['isTechnical'] = false;
		},
	},
);

/** Attribute about its owner. */
export type IdentityAttribute = Flat<ContentOf<typeof identityAttribute>>;
/** Attribute that belongs to one relationship. */
export type RelationshipAttribute = Flat<ContentOf<typeof relationshipAttribute>>;
/** Attribute as peers exchange it. */
export type Attribute = IdentityAttribute | RelationshipAttribute;

export const anyAttribute: z.ZodType<Attribute> = tagged(() => [
	identityAttribute,
	relationshipAttribute,
]);
