import { decisionOperation } from './decide';

export const requestReactivation = decisionOperation(
	'requestReactivation',
	(gateway, id, options) => gateway.relationships.requestReactivation(id, options),
);
