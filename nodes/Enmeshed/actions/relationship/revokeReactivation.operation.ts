import { decisionOperation } from './decide';

export const revokeReactivation = decisionOperation('revokeReactivation', (gateway, id, options) =>
	gateway.relationships.revokeReactivation(id, options),
);
