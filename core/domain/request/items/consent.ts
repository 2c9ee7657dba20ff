import { accepted, answeredBy } from './answers';
import type { ItemHandler } from './item-handler';

/** 'Do you agree to this?' (docs/protocol/consumption.md 6.1). */
export const consentHandler: ItemHandler = {
	accept: () => Promise.resolve({ response: accepted('AcceptResponseItem') }),
	checkResponse: (item, response) => answeredBy(['AcceptResponseItem'], item, response),
};
