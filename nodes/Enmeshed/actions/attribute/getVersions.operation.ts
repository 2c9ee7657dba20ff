import { forOperation } from '../../descriptions/common';
import { attributeLocator } from '../../descriptions/locators';
import type { Operation } from '../../helpers/operation';
import { parameterSchema, parseParameters } from '../../helpers/parse-parameters';
import { simplifyAttribute } from '../../helpers/simplify';
import { toRecord } from '../../helpers/to-items';

const fields = [attributeLocator('searchAllAttributes')];

const inputSchema = parameterSchema((z, { locator }) => z.object({ attribute: locator }));

export const getVersions: Operation = {
	properties: forOperation('attribute', 'getVersions', fields),

	async execute(context) {
		const { gateway, signal } = context;
		const { attribute: id } = await parseParameters(context, fields, inputSchema);
		const versions = await gateway.attributes.versions(id, { signal });
		return versions.map((version) => toRecord(simplifyAttribute(version)));
	},
};
