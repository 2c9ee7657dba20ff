import { binaryPropertyName, forOperation } from '../../descriptions/common';
import { fileLocator } from '../../descriptions/locators';
import { toBinary } from '../../operation/binary';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { simplifyFile } from '../../output/simplify';
import { toRecord } from '../../output/to-items';

const fields = [
	fileLocator(),
	{ ...binaryPropertyName, hint: 'The name of the output binary field to put the file in' },
];

const inputSchema = parameterSchema((z, { text, locator }) =>
	z.object({ file: locator, binaryPropertyName: text }),
);

export const download: Operation = {
	properties: forOperation('file', 'download', fields),
	output: 'file',

	async execute(call) {
		const { gateway, signal } = call;
		const parameters = await parseParameters(call, fields, inputSchema);
		const file = await gateway.files.get(parameters.file, { signal });
		const downloaded = await gateway.files.download(file.id, { signal });
		const binary = await toBinary(call, downloaded, parameters.binaryPropertyName);
		return [toRecord(simplifyFile(file), binary)];
	},
};
