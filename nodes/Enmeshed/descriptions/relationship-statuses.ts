import type { INodeProperties } from 'n8n-workflow';

/** Field for selecting relationship states, sorted by name like all long lists. */
export const relationshipStatuses: INodeProperties = {
	displayName: 'Relationship Status',
	name: 'statuses',
	type: 'multiOptions',
	options: [
		{ name: 'Active', value: 'Active', description: 'Messages can be exchanged' },
		{
			name: 'Deletion Proposed',
			value: 'DeletionProposed',
			description: 'The peer has removed the ended relationship on its side',
		},
		{ name: 'Pending', value: 'Pending', description: 'Waiting to be accepted' },
		{ name: 'Rejected', value: 'Rejected', description: 'Was not accepted' },
		{ name: 'Revoked', value: 'Revoked', description: 'Was taken back before it was accepted' },
		{ name: 'Terminated', value: 'Terminated', description: 'Was ended after it was active' },
	],
	default: [],
};
