import { decisionOperation } from './decide';

export const rejectReactivation = decisionOperation('rejectReactivation', (gateway, id, options) =>
	gateway.relationships.rejectReactivation(id, options),
);
