import { forOperation, keep, referenceField, simplify } from '../../descriptions/common';
import { openingPassword } from '../../descriptions/protection';
import { defined } from '../../helpers/members';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { simplifyToken } from '../../output/simplify';
import { toRecord } from '../../output/to-items';

const fields = [referenceField, openingPassword, keep, simplify];

const inputSchema = parameterSchema((z, { text, optionalText }) =>
	z.object({
		reference: text,
		password: optionalText,
		keep: z.boolean(),
		simplify: z.boolean(),
	}),
);

export const loadFromReference: Operation = {
	properties: forOperation('token', 'loadFromReference', fields),
	output: 'token',

	async execute(call) {
		const { gateway, signal } = call;
		const parameters = await parseParameters(call, fields, inputSchema);
		const { reference, password } = parameters;
		const input = { reference, ephemeral: !parameters.keep, ...defined({ password }) };
		const token = await gateway.tokens.loadPeer(input, { signal });
		return [toRecord(parameters.simplify ? simplifyToken(token) : token)];
	},
};
