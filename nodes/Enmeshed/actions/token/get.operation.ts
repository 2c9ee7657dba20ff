import { forOperation, simplify } from '../../descriptions/common';
import { tokenLocator } from '../../descriptions/locators';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { simplifyToken } from '../../output/simplify';
import { toRecord } from '../../output/to-items';

const fields = [tokenLocator(), simplify];

const inputSchema = parameterSchema((z, { locator }) =>
	z.object({ token: locator, simplify: z.boolean() }),
);

export const get: Operation = {
	properties: forOperation('token', 'get', fields),
	output: 'token',

	async execute(call) {
		const parameters = await parseParameters(call, fields, inputSchema);
		const token = await call.gateway.tokens.get(parameters.token, { signal: call.signal });
		return [toRecord(parameters.simplify ? simplifyToken(token) : token)];
	},
};
