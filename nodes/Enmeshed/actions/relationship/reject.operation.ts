import { decisionOperation } from './decide';

export const reject = decisionOperation('reject', (gateway, id, options) =>
	gateway.relationships.reject(id, options),
);
