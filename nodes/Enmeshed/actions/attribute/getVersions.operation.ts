import { forOperation } from '../../descriptions/common';
import { attributeLocator } from '../../descriptions/locators';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { simplifyAttribute } from '../../output/simplify';
import { toRecord } from '../../output/to-items';

const fields = [attributeLocator('searchAllAttributes')];

const inputSchema = parameterSchema((z, { locator }) => z.object({ attribute: locator }));

export const getVersions: Operation = {
	properties: forOperation('attribute', 'getVersions', fields),
	output: 'attribute',

	async execute(call) {
		const { gateway, signal } = call;
		const { attribute: id } = await parseParameters(call, fields, inputSchema);
		const versions = await gateway.attributes.versions(id, { signal });
		return versions.map((version) => toRecord(simplifyAttribute(version)));
	},
};
