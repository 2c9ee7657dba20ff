import type { JsonObject } from '../../../model/json';
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

const handlers = {
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
} as const satisfies Record<string, ItemHandler>;

/** Returns the handler of an item; undefined for types that are only known by name. */
export function handlerOf(item: JsonObject): ItemHandler | undefined {
	const type = item['@type'];
	if (typeof type !== 'string' || !Object.hasOwn(handlers, type)) return undefined;
	return handlers[type as keyof typeof handlers];
}
