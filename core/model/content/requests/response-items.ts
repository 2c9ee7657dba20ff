import * as z from 'zod';
import { anyAttribute, identityAttribute } from '../attributes';
import { contentType, fixed, type ContentOf, type Flat } from '../content-type';
import { addressField, dateField, idField, listField, textField } from '../fields';
import { maxFormTextLength } from '../values/form-field-settings';
import { readThirdPartyOfVersion7 } from './request-items';

/**
 * Member that every response item has, validated after its own members; its text is not checked.
 */
const itemShape = () => ({
	/** `Accepted`, `Rejected` or `Error` */
	result: z.string(),
});

/** Response items in the order of docs/protocol/content.md 6.2. */
export const responseItems = [
	contentType('AcceptResponseItem', itemShape),
	contentType('RejectResponseItem', () => ({
		/** code of the reason */
		code: textField({ max: 200 }).optional(),
		/** reason in words */
		message: textField({ max: 1000 }).optional(),
		...itemShape(),
	})),
	contentType('ErrorResponseItem', () => ({
		/** code of the reason */
		code: textField({ max: 200 }),
		/** reason in words */
		message: textField({ max: 1000 }),
		...itemShape(),
	})),
	contentType('CreateAttributeAcceptResponseItem', () => ({
		/** id of the attribute at the peer */
		attributeId: idField,
		...itemShape(),
	})),
	contentType('ShareAttributeAcceptResponseItem', () => ({
		/** id of the attribute at the peer */
		attributeId: idField,
		...itemShape(),
	})),
	contentType(
		'ReadAttributeAcceptResponseItem',
		() => ({
			/** id of the attribute at the peer */
			attributeId: idField,
			/** attribute that the peer shares */
			attribute: anyAttribute,
			/** other side of the relationship from which it comes */
			thirdPartyAddress: addressField.nullish(),
			...itemShape(),
		}),
		{ adjust: readThirdPartyOfVersion7 },
	),
	contentType('ProposeAttributeAcceptResponseItem', () => ({
		/** id of the attribute at the peer */
		attributeId: idField,
		/** attribute that the peer shares */
		attribute: anyAttribute,
		...itemShape(),
	})),
	contentType('DeleteAttributeAcceptResponseItem', () => ({
		/** ISO time of the deletion */
		deletionDate: dateField,
		...itemShape(),
	})),
	contentType('FreeTextAcceptResponseItem', () => ({
		/** text that the person has entered */
		freeText: z.string(),
		...itemShape(),
	})),
	contentType('FormFieldAcceptResponseItem', () => ({
		/** what the person has entered */
		response: formFieldAnswer(),
		...itemShape(),
	})),
	contentType('RegisterAttributeListenerAcceptResponseItem', () => ({
		/** id of the listener at the peer */
		listenerId: textField({ max: 30 }),
		...itemShape(),
	})),
	contentType('TransferFileOwnershipAcceptResponseItem', () => ({
		/** id of the attribute at the peer */
		attributeId: idField,
		/** attribute that the peer shares */
		attribute: fixed(() => identityAttribute),
		...itemShape(),
	})),
	contentType('AttributeAlreadySharedAcceptResponseItem', () => ({
		/** id of the attribute at the peer */
		attributeId: idField,
		...itemShape(),
	})),
	contentType('AttributeSuccessionAcceptResponseItem', () => ({
		/** id of the version before */
		predecessorId: idField,
		/** id of the new version */
		successorId: idField,
		/** new version */
		successorContent: anyAttribute,
		...itemShape(),
	})),
];

/** Answer to one item of a request. */
export type ResponseItem = Flat<ContentOf<(typeof responseItems)[number]>>;
export type ResponseItemOf<Type extends ResponseItem['@type']> = Extract<
	ResponseItem,
	{ '@type': Type }
>;

function formFieldAnswer() {
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
