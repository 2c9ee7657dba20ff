import { decisionOperation } from './decide';

export const acceptReactivation = decisionOperation('acceptReactivation', (gateway, id, options) =>
	gateway.relationships.acceptReactivation(id, options),
);
