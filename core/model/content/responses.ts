import { z } from 'zod';
import { identityAttribute, relationshipAttribute } from './attributes';
import { otherResponseItemTypes } from './content-types';
import {
	addressField,
	contentType,
	fixed,
	idField,
	namedType,
	tagged,
	textField,
	type ContentType,
} from './fields';

const result = { result: z.string() };
const anyAttribute = tagged(() => [identityAttribute, relationshipAttribute]);

/** docs/protocol/content.md 6.2 */
const responseItems: readonly ContentType[] = [
	contentType('ReadAttributeAcceptResponseItem', {
		attributeId: idField,
		attribute: anyAttribute,
		thirdPartyAddress: addressField.nullish(),
		...result,
	}),
	contentType('ShareAttributeAcceptResponseItem', { attributeId: idField, ...result }),
	contentType('RejectResponseItem', {
		code: textField(200).optional(),
		message: textField(1000).optional(),
		...result,
	}),
	contentType('ErrorResponseItem', { code: textField(200), message: textField(1000), ...result }),
	contentType('AttributeAlreadySharedAcceptResponseItem', { attributeId: idField, ...result }),
	contentType('AttributeSuccessionAcceptResponseItem', {
		predecessorId: idField,
		successorId: idField,
		successorContent: anyAttribute,
		...result,
	}),
	...otherResponseItemTypes.map((name) => namedType(name)),
];

const responseItemGroup = contentType('ResponseItemGroup', {
	items: z.array(tagged(() => responseItems)).min(1),
});

/** docs/protocol/content.md 6.1 */
export const response = contentType('Response', {
	result: z.string(),
	requestId: idField,
	items: z.array(tagged(() => [responseItemGroup, ...responseItems])).min(1),
});

export const responseWrapper = contentType('ResponseWrapper', {
	requestId: idField,
	requestSourceReference: idField,
	requestSourceType: z.enum(['RelationshipTemplate', 'Message']),
	response: fixed(() => response),
});
