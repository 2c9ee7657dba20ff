import type { INodeProperties } from 'n8n-workflow';
import type { FieldSchemas, Zod } from '../fields/parse-parameters';
import { readRedirect } from '../waiting-page/page-state';
import { builtInTexts, type PageTexts } from '../waiting-page/page-texts';
import { textMember } from '../helpers/members';

/** Names of the texts of the page, as the editor shows them. */
const textNames: Readonly<Record<keyof PageTexts, string>> = {
	answered: 'After the Answer',
	redirecting: 'After the Answer, Before the Next Page',
	offline: 'Connection Lost',
	continue: 'Continue Button',
	rejected: 'Declined',
	rejectedDetail: 'Declined, Details',
	expired: 'Expired',
	expiredDetail: 'Expired, Details',
	gone: 'No Longer Active',
	goneDetail: 'No Longer Active, Details',
	entering: 'One Moment',
	open: 'Open in the App',
	qrCode: 'QR Code for Screen Readers',
	scan: 'Scan the Code',
	progress: 'Some Have Answered',
	thanksWithoutName: 'Thank You',
	thanks: 'Thank You With Name',
	validFor: 'Valid For',
	validUntil: 'Valid Until',
	waiting: 'Waiting',
};

const textFields = Object.entries(textNames).map(([name, displayName]): INodeProperties => {
	const usual = textMember(builtInTexts['en'] ?? {}, name) ?? '';
	const placeholders = usual.match(/\{\w+\}/g) ?? [];
	return {
		displayName,
		name,
		type: 'string',
		default: '',
		placeholder: `e.g. ${usual}`,
		...(placeholders.length === 0
			? {}
			: { description: `With ${placeholders.join(' and ')} in it` }),
	};
});

export const pageText: INodeProperties = {
	displayName: 'Page Text',
	name: 'pageText',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	placeholder: 'e.g. Scan the code to share your name and your email address.',
	description: 'Shown above the QR code',
};

/** Replaces texts of the page one by one. */
export const pageTexts: INodeProperties = {
	displayName: 'Page Texts',
	name: 'pageTexts',
	type: 'collection',
	placeholder: 'Add Text',
	default: {},
	description:
		'Texts of the page in other words or another language. The others are in German or English.',
	options: textFields,
};

/** Options of the page, for the options of the operation. */
export const pageOptions: INodeProperties[] = [
	{
		displayName: 'Page Language',
		name: 'language',
		type: 'options',
		options: [
			{ name: 'English', value: 'en' },
			{ name: 'German', value: 'de' },
			{
				name: 'Language of the Visitor',
				value: 'auto',
				description: 'German or English, as the browser of the visitor prefers',
			},
		],
		default: 'auto',
		description: 'Language of the texts that the page has by itself',
	},
	{
		displayName: 'Page Title',
		name: 'pageTitle',
		type: 'string',
		default: '',
		placeholder: 'e.g. Log in at Example Organisation',
		description:
			'Headline of the page that shows the QR code to the visitor. Without it, the title is the headline.',
	},
	{
		displayName: 'Redirect URL',
		name: 'redirectUrl',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://example.com/welcome?request={requestId}',
		description:
			"Where the visitor is sent after accepting, instead of the 'Thank you'. Must begin with https://, or http:// on your own computer. {requestId} in it becomes the ID of the answered request.",
	},
	{
		displayName: 'Seconds to Show the Answer',
		name: 'secondsToShow',
		type: 'number',
		typeOptions: { minValue: 3, maxValue: 60 },
		default: 3,
		description:
			'How long the execution waits after the answer, so that the page can still show it. People who answer on the same phone need some seconds to return to the page.',
	},
];

/** Schemas of the page's fields. */
export function pageSchemas(z: Zod) {
	return {
		pageText: z.string('Expected text').default(''),
		pageTexts: z.record(z.string(), z.string('Expected text')),
	};
}

/** Schemas of {@link pageOptions}. */
export function pageOptionSchemas(z: Zod, { number, optionalText }: FieldSchemas) {
	return {
		language: z.enum(['auto', 'de', 'en']).default('auto'),
		redirectUrl: z.preprocess(
			(value) => (value === '' || value === null ? undefined : value),
			z
				.string('Expected text')
				.max(2_000, 'At most 2000 characters')
				.refine((address) => readRedirect(address) !== undefined, 'Expected https://…')
				.optional(),
		),
		pageTitle: optionalText,
		secondsToShow: number.pipe(z.number().min(3, 'At least 3').max(60, 'At most 60')).default(3),
	};
}
