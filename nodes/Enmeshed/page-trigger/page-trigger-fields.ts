import type { INodeProperties } from 'n8n-workflow';
import { contentFields } from '../actions/relationshipTemplate/create-fields';
import { purpose } from '../descriptions/purpose';
import { qrCodeFormat } from '../descriptions/qr-code';
import { byLabel } from '../requests/entry-options';
import { requestOptions } from '../requests/request-fields';
import { pageOptions, pageText, pageTexts } from '../waiting/page-fields';

const notice: INodeProperties = {
	displayName:
		'Open the test URL or the production URL above: the page shows a QR code, and an answer in the wallet starts the workflow. <a href="https://github.com/n8n-nodes-enmeshed/n8n-nodes-enmeshed/blob/main/docs/waiting.md" target="_blank">More info</a>.',
	name: 'pageNotice',
	type: 'notice',
	default: '',
};

/** Fields for the content of the template; people who are connected are always asked, too. */
export const pageContentFields: INodeProperties[] = contentFields.map((field) =>
	field.name === 'askConnectedPeers' ? { ...field, default: true } : field,
);

const whoCanAnswer: INodeProperties = {
	displayName: 'Who Can Answer',
	name: 'whoCanAnswer',
	type: 'options',
	options: [
		{ name: 'New and Connected People', value: 'all' },
		{
			name: 'Only Connected People',
			value: 'connected',
			description: 'New people who answer are refused, and do not start the workflow',
		},
	],
	default: 'all',
};

const acceptAutomatically: INodeProperties = {
	displayName: 'Accept Automatically',
	name: 'acceptAutomatically',
	type: 'boolean',
	displayOptions: { show: { whoCanAnswer: ['all'] } },
	default: true,
	description: 'Whether the relationship is accepted when a new person has accepted the request',
};

const afterTheAnswer: INodeProperties = {
	displayName: 'After the Answer',
	name: 'afterTheAnswer',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'Show a Text', value: 'text' },
		{ name: 'Redirect to a Page', value: 'redirect' },
	],
	default: 'text',
};

const answeredText: INodeProperties = {
	displayName: 'Text',
	name: 'answeredText',
	type: 'string',
	displayOptions: { show: { afterTheAnswer: ['text'] } },
	default: '',
	placeholder: 'e.g. Your answer has arrived. You can close this page.',
	description: "Shown below 'Thank you' and the name",
};

const redirectUrl: INodeProperties = {
	displayName: 'Redirect URL',
	name: 'redirectUrl',
	type: 'string',
	displayOptions: { show: { afterTheAnswer: ['redirect'] } },
	default: '',
	required: true,
	placeholder: 'e.g. https://example.com/welcome?request={requestId}',
	description:
		'Where the visitor is sent after accepting. Must begin with https://, or http:// on your own computer. {requestId} in it becomes the ID of the answered request.',
};

const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: byLabel([
		{
			displayName: 'Codes per Minute',
			name: 'codesPerMinute',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 1000 },
			default: 60,
			description:
				'How many visitors get a code within a minute. Further visitors wait a moment, so that robots cannot use up what the Backbone allows.',
		},
		{
			displayName: 'Minutes Valid',
			name: 'minutesValid',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 1440 },
			default: 10,
			description: 'How long the QR code of a visitor can be used',
		},
		{
			displayName: 'Path',
			name: 'path',
			type: 'string',
			default: '',
			placeholder: 'e.g. log-in',
			description: 'Last part of the URL of the page. Without it, n8n chooses one.',
		},
		{
			displayName: 'Start When Declined',
			name: 'startWhenDeclined',
			type: 'boolean',
			default: false,
			description:
				"Whether a connected person who declines starts the workflow as well, with 'Rejected' as the result",
		},
		qrCodeFormat,
		...pageOptions.filter(({ name }) => name === 'language' || name === 'pageTitle'),
		...requestOptions,
	]),
};

/** Fields that the page has beside the content of the template. */
export const pageSettingFields: INodeProperties[] = [
	purpose,
	pageText,
	whoCanAnswer,
	acceptAutomatically,
	afterTheAnswer,
	answeredText,
	redirectUrl,
	options,
	pageTexts,
];

/** The fields of the Enmeshed Page Trigger. */
export const pageTriggerFields: INodeProperties[] = [
	notice,
	...pageContentFields.filter(({ name }) => name !== 'askConnectedPeers'),
	...pageSettingFields,
];
