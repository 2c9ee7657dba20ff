import type { JsonObject } from '../../../model/json';
import { authenticationHandler } from './authentication';
import { consentHandler } from './consent';
import { createAttributeHandler } from './create-attribute';
import { deleteAttributeHandler } from './delete-attribute';
import { formFieldHandler } from './form-field';
import { freeTextHandler } from './free-text';
import type { ItemHandler } from './item-handler';
import { proposeAttributeHandler } from './propose-attribute';
import { readAttributeHandler } from './read-attribute';
import { registerAttributeListenerHandler } from './register-attribute-listener';
import { shareAttributeHandler } from './share-attribute';
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

/** Undefined for types that are only known by name. */
export function handlerOf(item: JsonObject): ItemHandler | undefined {
	const type = item['@type'];
	if (typeof type !== 'string' || !Object.hasOwn(handlers, type)) return undefined;
	return handlers[type as keyof typeof handlers];
}
