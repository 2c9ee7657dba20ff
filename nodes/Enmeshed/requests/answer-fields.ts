import type { INodeProperties } from 'n8n-workflow';

const useForm = { show: { answerMode: ['fields'] } };

const jsonExample = `{
  "items": [
    { "accept": true }
  ]
}`;

/** Fields for the answer to an incoming request: a form built from its items, or JSON instead. */
export const answerFields: INodeProperties[] = [
	{
		displayName: 'Define Answer',
		name: 'answerMode',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Using Fields Below',
				value: 'fields',
				description: 'One field per entry of the request',
			},
			{
				name: 'Using JSON',
				value: 'json',
				description: 'For everything the fields do not offer',
			},
		],
		default: 'fields',
	},
	{
		displayName: 'Answers',
		name: 'answers',
		type: 'resourceMapper',
		displayOptions: useForm,
		default: { mappingMode: 'defineBelow', value: null },
		noDataExpression: true,
		typeOptions: {
			loadOptionsDependsOn: ['request.value'],
			resourceMapper: {
				resourceMapperMethod: 'mapAnswers',
				mode: 'add',
				fieldWords: { singular: 'entry', plural: 'entries' },
				addAllFields: true,
				multiKeyMatch: false,
				supportAutoMap: true,
			},
		},
		description:
			'An empty field is answered with one of your own attributes; an empty proposal is accepted as it is',
	},
	{
		displayName: 'Optional Entries Left Empty',
		name: 'emptyItems',
		type: 'options',
		displayOptions: useForm,
		options: [
			{
				name: 'Accept Where Possible',
				value: 'accept',
				description: 'Reject only what cannot be answered without a value',
			},
			{ name: 'Reject', value: 'reject' },
		],
		default: 'reject',
		description: 'What to do with entries that are not required and have no answer above',
	},
	{
		displayName: 'Rejected Entries Names or IDs',
		name: 'rejectedItems',
		type: 'multiOptions',
		typeOptions: {
			loadOptionsMethod: 'loadRequestEntries',
			loadOptionsDependsOn: ['request.value'],
		},
		displayOptions: useForm,
		default: [],
		description:
			'Entries to reject in any case. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
	{
		displayName: 'Answer',
		name: 'answer',
		type: 'json',
		typeOptions: { rows: 8 },
		displayOptions: { show: { answerMode: ['json'] } },
		default: jsonExample,
		required: true,
		description: "One object for each entry of the request in 'items', in its order",
	},
];
