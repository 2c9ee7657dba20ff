import type { INodeProperties } from 'n8n-workflow';
import { forOperation } from '../../descriptions/common';
import { languageLocator } from '../../descriptions/locators';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { toRecord } from '../../output/to-items';

const fields: INodeProperties[] = [
	{
		...languageLocator(),
		default: { __rl: true, mode: 'list', value: 'en', cachedResultName: 'English' },
		description: 'Announcements that have no text in this language come in English',
	},
];

const inputSchema = parameterSchema((z, { locator }) => z.object({ language: locator }));

export const getAnnouncements: Operation = {
	properties: forOperation('account', 'getAnnouncements', fields),
	output: 'announcement',

	async execute(call) {
		const { gateway, signal } = call;
		const { language } = await parseParameters(call, fields, inputSchema);
		const found = await gateway.announcements.list({ language }, { signal });
		return found.map((announcement) => toRecord(announcement));
	},
};
