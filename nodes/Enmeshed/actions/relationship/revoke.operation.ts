import { decisionOperation } from './decide';

export const revoke = decisionOperation('revoke', (gateway, id, options) =>
	gateway.relationships.revoke(id, options),
);
