import { getManyCreated } from '../../operation/get-many';
import { simplifyToken } from '../../output/simplify';

export const getAll = getManyCreated({
	resource: 'token',
	output: 'token',
	plural: 'Tokens',
	list: (gateway, query, options) => gateway.tokens.list(query, options),
	simplify: simplifyToken,
});
