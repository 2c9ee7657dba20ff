import type { RequestItemOf } from '../../../model/content/requests/request-items';
import { requestErrors } from '../request-errors';
import { accepted, answeredBy } from './answers';
import type { ItemHandler } from './item-handler';

/** Handles 'Log in, please' (docs/protocol/consumption.md 6.1). */
export const authenticationHandler: ItemHandler<RequestItemOf<'AuthenticationRequestItem'>> = {
	accept: () => Promise.resolve({ response: accepted('AcceptResponseItem') }),
	checkResponse: (item, response) => answeredBy(['AcceptResponseItem'], item, response),
};

/** Handles 'Do you agree to this?' (docs/protocol/consumption.md 6.1). */
export const consentHandler: ItemHandler<RequestItemOf<'ConsentRequestItem'>> = {
	accept: () => Promise.resolve({ response: accepted('AcceptResponseItem') }),
	checkResponse: (item, response) => answeredBy(['AcceptResponseItem'], item, response),
};

/** Handles 'Please write something' (docs/protocol/consumption.md 6.2). */
export const freeTextHandler: ItemHandler<RequestItemOf<'FreeTextRequestItem'>> = {
	checkAccept: (_item, { freeText }) =>
		Promise.resolve(
			typeof freeText === 'string'
				? undefined
				: requestErrors.create('invalidAcceptParameters', {
						message: "'freeText' is not valid: expected text.",
						facts: { field: 'freeText' },
					}),
		),
	accept: (_item, { freeText = '' }) =>
		Promise.resolve({ response: accepted('FreeTextAcceptResponseItem', { freeText }) }),
	checkResponse: (item, response) => answeredBy(['FreeTextAcceptResponseItem'], item, response),
};
