import { accepted, answeredBy } from './answers';
import type { ItemHandler } from './item-handler';

/** 'Log in, please' (docs/protocol/consumption.md 6.1). */
export const authenticationHandler: ItemHandler = {
	accept: () => Promise.resolve({ response: accepted('AcceptResponseItem') }),
	checkResponse: (item, response) => answeredBy(['AcceptResponseItem'], item, response),
};
