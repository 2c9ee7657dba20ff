import type { INodeProperties } from 'n8n-workflow';

/** Names what a template is for: picked from those used before, or typed. */
export const purpose: INodeProperties = {
	displayName: 'Purpose',
	name: 'purpose',
	type: 'resourceLocator',
	default: { __rl: true, mode: 'list', value: '' },
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchPurposes', searchable: true },
		},
		{
			displayName: 'By Name',
			name: 'name',
			type: 'string',
			placeholder: 'e.g. newsletter',
			validation: [
				{
					type: 'regex',
					properties: { regex: '^.{1,100}$', errorMessage: 'A purpose has 1 to 100 characters' },
				},
			],
		},
	],
	description:
		'What the template is for. Triggers, contacts and lists can be limited to it, so that several onboardings do not disturb each other. It stays in this account: people do not see it.',
};
