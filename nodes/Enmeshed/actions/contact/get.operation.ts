import { forOperation } from '../../descriptions/common';
import { contactLocator } from '../../descriptions/locators';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { simplifyContact } from '../../output/simplify';
import { toRecord } from '../../output/to-items';

const fields = [contactLocator()];

const inputSchema = parameterSchema((z, { locator }) => z.object({ contact: locator }));

export const get: Operation = {
	properties: forOperation('contact', 'get', fields),
	output: 'contact',

	async execute(call) {
		const { gateway, signal } = call;
		const { contact } = await parseParameters(call, fields, inputSchema);
		return [toRecord(simplifyContact(await gateway.contacts.get(contact, { signal })))];
	},
};
