import * as z from 'zod';
import { anyAttribute, identityAttribute } from '../attributes';
import { contentType, fixed, type ContentType } from '../content-type';
import { addressField, dateField, idField, listField, textField } from '../fields';
import { maxFormTextLength } from '../values/form-field-settings';
import { readThirdPartyOfVersion7 } from './request-items';

/**
 * Member that every response item has, validated after its own members; its text is not checked.
 */
const itemShape = () => ({ result: z.string() });

/** Response items in the order of docs/protocol/content.md 6.2. */
export const responseItems: readonly ContentType[] = [
	contentType('AcceptResponseItem', itemShape),
	contentType('RejectResponseItem', () => ({
		code: textField({ max: 200 }).optional(),
		message: textField({ max: 1000 }).optional(),
		...itemShape(),
	})),
	contentType('ErrorResponseItem', () => ({
		code: textField({ max: 200 }),
		message: textField({ max: 1000 }),
		...itemShape(),
	})),
	contentType('CreateAttributeAcceptResponseItem', () => ({
		attributeId: idField,
		...itemShape(),
	})),
	contentType('ShareAttributeAcceptResponseItem', () => ({
		attributeId: idField,
		...itemShape(),
	})),
	contentType(
		'ReadAttributeAcceptResponseItem',
		() => ({
			attributeId: idField,
			attribute: anyAttribute,
			thirdPartyAddress: addressField.nullish(),
			...itemShape(),
		}),
		{ adjust: readThirdPartyOfVersion7 },
	),
	contentType('ProposeAttributeAcceptResponseItem', () => ({
		attributeId: idField,
		attribute: anyAttribute,
		...itemShape(),
	})),
	contentType('DeleteAttributeAcceptResponseItem', () => ({
		deletionDate: dateField,
		...itemShape(),
	})),
	contentType('FreeTextAcceptResponseItem', () => ({ freeText: z.string(), ...itemShape() })),
	contentType('FormFieldAcceptResponseItem', () => ({
		response: formFieldAnswer(),
		...itemShape(),
	})),
	contentType('RegisterAttributeListenerAcceptResponseItem', () => ({
		listenerId: textField({ max: 30 }),
		...itemShape(),
	})),
	contentType('TransferFileOwnershipAcceptResponseItem', () => ({
		attributeId: idField,
		attribute: fixed(() => identityAttribute),
		...itemShape(),
	})),
	contentType('AttributeAlreadySharedAcceptResponseItem', () => ({
		attributeId: idField,
		...itemShape(),
	})),
	contentType('AttributeSuccessionAcceptResponseItem', () => ({
		predecessorId: idField,
		successorId: idField,
		successorContent: anyAttribute,
		...itemShape(),
	})),
];

function formFieldAnswer(): z.ZodType {
	return z.union(
		[
			textField({ min: 1, max: maxFormTextLength }),
			z.number(),
			z.boolean(),
			listField(z.string(), { required: true }),
		],
		'expected text, a number, true or false or a list of texts',
	);
}
