import { decisionOperation } from './decide';

export const terminate = decisionOperation('terminate', (gateway, id, options) =>
	gateway.relationships.terminate(id, options),
);
