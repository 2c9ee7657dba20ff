import type { RequestItem, RequestItemOf } from '../../../model/content/requests/request-items';
import { credentialItemHandler } from './credential-items';
import { createAttributeHandler } from './create-attribute';
import { deleteAttributeHandler } from './delete-attribute';
import { formFieldHandler } from './form-field';
import type { ItemHandler } from './item-handler';
import { proposeAttributeHandler } from './propose-attribute';
import { readAttributeHandler } from './read-attribute';
import { registerAttributeListenerHandler } from './register-attribute-listener';
import { shareAttributeHandler } from './share-attribute';
import { authenticationHandler, consentHandler, freeTextHandler } from './simple-items';
import { transferFileOwnershipHandler } from './transfer-file-ownership';

const handlers: {
	readonly [Type in RequestItem['@type']]: ItemHandler<RequestItemOf<Type>>;
} = {
	AuthenticationRequestItem: authenticationHandler,
	ConsentRequestItem: consentHandler,
	CreateAttributeRequestItem: createAttributeHandler,
	DeleteAttributeRequestItem: deleteAttributeHandler,
	FormFieldRequestItem: formFieldHandler,
	FreeTextRequestItem: freeTextHandler,
	ProposeAttributeRequestItem: proposeAttributeHandler,
	ReadAttributeRequestItem: readAttributeHandler,
	RegisterAttributeListenerRequestItem: registerAttributeListenerHandler,
	ShareAttributeRequestItem: shareAttributeHandler,
	TransferFileOwnershipRequestItem: transferFileOwnershipHandler,
	ShareAuthorizationRequestRequestItem: credentialItemHandler,
	ShareCredentialOfferRequestItem: credentialItemHandler,
};

/** Returns the handler of an item. */
export function handlerOf({ '@type': type }: RequestItem): ItemHandler {
	return handlers[type];
}
