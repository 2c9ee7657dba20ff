import { z } from 'zod';
import { identityValues, relationshipValues } from './attribute-values';
import { identityValueTypes } from './content-types';
import {
	addressField,
	contentType,
	dateField,
	objectField,
	tagged,
	tagsField,
	textField,
} from './fields';

/** docs/protocol/content.md 7.1 */
export const identityAttribute = contentType('IdentityAttribute', {
	value: tagged(() => identityValues),
	tags: tagsField.optional(),
	owner: addressField,
	validFrom: dateField.nullish(),
	validTo: dateField.nullish(),
});

/** docs/protocol/content.md 7.2 */
export const relationshipAttribute = contentType('RelationshipAttribute', {
	value: tagged(() => relationshipValues),
	key: textField(100),
	isTechnical: z.boolean().default(false),
	confidentiality: z.enum(['public', 'private', 'protected']),
	owner: addressField,
	validFrom: dateField.nullish(),
	validTo: dateField.nullish(),
});

/** docs/protocol/content.md 8.1 */
export const identityAttributeQuery = contentType('IdentityAttributeQuery', {
	valueType: z.enum(identityValueTypes),
	tags: tagsField.optional(),
	validFrom: dateField.nullish(),
	validTo: dateField.nullish(),
});

/** docs/protocol/content.md 8.2 */
export const relationshipAttributeQuery = contentType('RelationshipAttributeQuery', {
	key: textField(100),
	owner: addressField,
	attributeCreationHints: objectField,
	validFrom: dateField.nullish(),
	validTo: dateField.nullish(),
});

/** docs/protocol/content.md 8.3 */
export const thirdPartyRelationshipAttributeQuery = contentType(
	'ThirdPartyRelationshipAttributeQuery',
	{
		key: textField(100),
		owner: z.enum(['thirdParty', 'recipient', '']),
		thirdParty: z.preprocess(
			(value) => (value === undefined || Array.isArray(value) ? value : [value]),
			z.array(addressField).min(1),
		),
		validFrom: dateField.nullish(),
		validTo: dateField.nullish(),
	},
);

/** docs/protocol/content.md 8.4; the language itself comes with a later version. */
export const iqlQuery = contentType('IQLQuery', {
	queryString: textField(4096, 1),
	attributeCreationHints: objectField.nullish(),
	tags: tagsField.optional(),
});
