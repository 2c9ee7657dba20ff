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
				description: 'One field per item of the request',
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
				fieldWords: { singular: 'item', plural: 'items' },
				addAllFields: true,
				multiKeyMatch: false,
				supportAutoMap: true,
			},
		},
		description:
			'An empty field is answered with one of your own attributes; an empty proposal is accepted as it is',
	},
	{
		displayName: 'Optional Items Left Empty',
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
		description: 'What to do with items that need not be accepted and have no answer above',
	},
	{
		displayName: 'Rejected Items',
		name: 'rejectedItems',
		type: 'string',
		displayOptions: useForm,
		default: '',
		placeholder: 'e.g. PhoneNumber, Consent',
		description: 'Comma-separated names of items to reject in any case',
	},
	{
		displayName: 'Answer',
		name: 'answer',
		type: 'json',
		typeOptions: { rows: 8 },
		displayOptions: { show: { answerMode: ['json'] } },
		default: jsonExample,
		required: true,
		description: "One entry per item of the request in 'items', in its order",
	},
];
