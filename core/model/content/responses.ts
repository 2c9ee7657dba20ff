import * as z from 'zod';
import { anyAttribute } from './attributes';
import { contentType, fixed, namedType, tagged, type ContentType } from './content-type';
import { otherResponseItemTypes } from './content-types';
import { addressField, idField, listField, textField } from './fields';
import { readThirdPartyOfVersion7 } from './requests';

/** The member that every response item has, validated after its own. */
const result = { result: z.string() };

/** docs/protocol/content.md 6.2. One entry per type. */
export const builtResponseItems: readonly ContentType[] = [
	contentType(
		'ReadAttributeAcceptResponseItem',
		() => ({
			attributeId: idField,
			attribute: anyAttribute,
			thirdPartyAddress: addressField.nullish(),
			...result,
		}),
		{ adjust: readThirdPartyOfVersion7 },
	),
	contentType('ShareAttributeAcceptResponseItem', () => ({ attributeId: idField, ...result })),
	contentType('RejectResponseItem', () => ({
		code: textField({ max: 200 }).optional(),
		message: textField({ max: 1000 }).optional(),
		...result,
	})),
	contentType('ErrorResponseItem', () => ({
		code: textField({ max: 200 }),
		message: textField({ max: 1000 }),
		...result,
	})),
	contentType('AttributeAlreadySharedAcceptResponseItem', () => ({
		attributeId: idField,
		...result,
	})),
	contentType('AttributeSuccessionAcceptResponseItem', () => ({
		predecessorId: idField,
		successorId: idField,
		successorContent: anyAttribute,
		...result,
	})),
];

const responseItems = (): readonly ContentType[] => [
	...builtResponseItems,
	...otherResponseItemTypes.map((name) => namedType(name)),
];

export const responseItemGroup = contentType('ResponseItemGroup', () => ({
	items: listField(tagged(responseItems), { required: true, min: 1 }),
}));

/** docs/protocol/content.md 6.1 */
export const response = contentType('Response', () => ({
	result: z.string(),
	requestId: idField,
	items: listField(
		tagged(() => [responseItemGroup, ...responseItems()]),
		{ required: true, min: 1 },
	),
}));

export const responseWrapper = contentType('ResponseWrapper', () => ({
	requestId: idField,
	requestSourceReference: idField,
	requestSourceType: z.enum(['RelationshipTemplate', 'Message']),
	response: fixed(() => response),
}));
