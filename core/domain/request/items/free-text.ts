import { requestErrors } from '../request-errors';
import { accepted, answeredBy } from './answers';
import type { ItemHandler } from './item-handler';

/** 'Please write something' (docs/protocol/consumption.md 6.2). */
export const freeTextHandler: ItemHandler = {
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
