import type { INodeProperties } from 'n8n-workflow';
import type { CreationContentInput } from '../../../../core';
import { forOperation } from '../../descriptions/common';
import { templateLocator } from '../../descriptions/locators';
import { loadCore } from '../../gateway/core';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { PeerProfiles } from '../../gateway/peers';
import { simplifyRelationship } from '../../output/simplify';
import { toRecord } from '../../output/to-items';

const fields: INodeProperties[] = [
	{
		...templateLocator('searchPeerTemplates'),
		description: 'A template of the peer that was loaded into this account before',
	},
	{
		displayName: 'Creation Content',
		name: 'creationContent',
		type: 'json',
		default: '{\n  "@type": "ArbitraryRelationshipCreationContent",\n  "value": {}\n}',
		required: true,
		description: 'Content that the peer receives with the new relationship',
	},
];

const inputSchema = parameterSchema((z, { locator, jsonObject }) =>
	z.object({ template: locator, creationContent: jsonObject }),
);

export const createFromTemplate: Operation = {
	properties: forOperation('relationship', 'createFromTemplate', fields),
	output: 'relationship',

	async execute(call) {
		const { gateway, signal } = call;
		const { template, creationContent } = await parseParameters(call, fields, inputSchema);
		const { judged } = await loadCore();
		const input = {
			templateId: template,
			creationContent: judged<CreationContentInput>(creationContent),
		};
		const relationship = await gateway.relationships.create(input, { signal });
		const profiles = new PeerProfiles(gateway, { signal });
		return [toRecord(await simplifyRelationship(relationship, profiles))];
	},
};
