import { forOperation, simplify } from '../../descriptions/common';
import { fileLocator } from '../../descriptions/locators';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { simplifyFile } from '../../output/simplify';
import { toRecord } from '../../output/to-items';

const fields = [fileLocator(), simplify];

const inputSchema = parameterSchema((z, { locator }) =>
	z.object({ file: locator, simplify: z.boolean() }),
);

export const get: Operation = {
	properties: forOperation('file', 'get', fields),
	output: 'file',

	async execute(call) {
		const parameters = await parseParameters(call, fields, inputSchema);
		const file = await call.gateway.files.get(parameters.file, { signal: call.signal });
		return [toRecord(parameters.simplify ? simplifyFile(file) : file)];
	},
};
