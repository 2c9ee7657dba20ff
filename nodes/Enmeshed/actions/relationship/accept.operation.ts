import { decisionOperation } from './decide';

export const accept = decisionOperation('accept', (gateway, id, options) =>
	gateway.relationships.accept(id, options),
);
