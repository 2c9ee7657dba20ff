import type { Gateway } from '../../../core';
import type { ShownItem, ShownValue } from '../shown/request';
import { attributeAnswer } from './attribute-answer';
import { formFieldInput } from './form-field-input';
import { objectOf, textOf, type Entry } from './request-entries';
import { attributeText } from './value-texts';
import { labelInText, labelOf } from './words';

/** What an item's type decides about its appearance. */
type Appearance = Pick<ShownItem, 'heading' | 'answer'> &
	Partial<Pick<ShownItem, 'values' | 'text' | 'link' | 'obstacle'>>;

type Describe = (item: Entry, gateway: Gateway) => Promise<Appearance> | Appearance;

const confirm = (label: string, isPreset: boolean): Pick<ShownItem, 'answer'> => ({
	answer: { kind: 'confirm', label, isPreset },
});

const nothingFits =
	'You have nothing that fits. It would have to come from another contact, and cannot be entered here.';

const descriptions: Readonly<Record<string, Describe>> = {
	AuthenticationRequestItem: () => ({
		heading: 'Log in',
		...confirm('Yes, it is me who logs in', false),
	}),
	ConsentRequestItem: ({ consent, link, linkDisplayText }) => ({
		heading: 'Consent',
		text: String(consent),
		...linkOf(link, linkDisplayText),
		...confirm('I agree', false),
	}),
	FreeTextRequestItem: (item) => ({
		heading: 'Your answer',
		text: String(item['freeText']),
		answer: {
			kind: 'input',
			input: { ...responseInput(item), name: 'freeText', label: 'Your answer', kind: 'multiline' },
		},
	}),
	FormFieldRequestItem: (item) => {
		const label = item.title ?? 'Your answer';
		const input = formFieldInput(objectOf(item['settings']), label, item.mustBeAccepted === true);
		const answer = { kind: 'input' as const, input: input ?? { ...responseInput(item), label } };
		return { heading: label, answer, ...(input === undefined ? unknownKind : {}) };
	},
	ReadAttributeRequestItem: async (item, gateway) => {
		const answer = await attributeAnswer(gateway, item);
		const cannot = answer.stored.length + answer.forms.length === 0;
		return { heading: askedFor(item), answer, ...(cannot ? { obstacle: nothingFits } : {}) };
	},
	ProposeAttributeRequestItem: async (item, gateway) => ({
		heading: askedFor(item),
		answer: await attributeAnswer(gateway, item),
	}),
	CreateAttributeRequestItem: (item) => ({
		heading: `Keep ${nameOf(item)}`,
		values: [attributeOf(item)],
		...confirm('Add this to my data', true),
	}),
	ShareAttributeRequestItem: (item) => ({
		heading: `Receive ${nameOf(item)}`,
		values: [attributeOf(item)],
		...confirm('Accept this', true),
	}),
	RegisterAttributeListenerRequestItem: (item) => ({
		heading: `Offer ${queriedName(item)} later`,
		text: 'As soon as you have such data, your wallet may offer it to this contact.',
		...confirm('Allow this', true),
	}),
	DeleteAttributeRequestItem: async (item, gateway) => ({
		heading: 'Delete what you received',
		values: await storedValues(gateway, String(item['attributeId'])),
		answer: {
			kind: 'input',
			input: { ...responseInput(item), name: 'deletionDate', label: 'Delete on', kind: 'date' },
		},
	}),
	ShareAuthorizationRequestRequestItem: ({ authorizationRequestUrl }) => ({
		heading: 'Present a credential',
		text: String(authorizationRequestUrl),
		...confirm('Accept', false),
		...noCredentials,
	}),
	ShareCredentialOfferRequestItem: ({ credentialOfferUrl }) => ({
		heading: 'Receive a credential',
		text: String(credentialOfferUrl),
		...confirm('Accept', false),
		...noCredentials,
	}),
	TransferFileOwnershipRequestItem: async (item, gateway) => ({
		heading: 'Take over a file',
		...(await fileValues(gateway, String(item['fileReference']))),
		...confirm('Become the owner of this file', true),
	}),
};

const noCredentials = {
	obstacle: 'This wallet can neither receive nor present credentials. You can only decline this.',
};

const unknownKind = {
	obstacle:
		'This wallet does not know this kind of question. A newer app may be able to answer it.',
};

/** Describes an item in the words of the page. */
export async function shownItem(item: Entry, path: string, gateway: Gateway): Promise<ShownItem> {
	const describe = Object.hasOwn(descriptions, item['@type'])
		? descriptions[item['@type']]
		: undefined;
	const appearance = (await describe?.(item, gateway)) ?? {
		heading: labelOf(item['@type'].replace(/RequestItem$/, '')),
		...confirm('Accept', false),
		...unknownKind,
	};
	const { title, description } = item;
	return {
		path,
		required: item.mustBeAccepted === true,
		values: [],
		...appearance,
		...(title === undefined ? {} : { heading: title }),
		...(description === undefined ? {} : { description }),
	};
}

const responseInput = ({ mustBeAccepted }: Entry) =>
	({ name: 'response', label: '', kind: 'text', required: mustBeAccepted === true }) as const;

/** Peers may send any address; the page must not follow an address that runs a script. */
export function linkOf(link: unknown, text: unknown): Pick<ShownItem, 'link'> {
	if (typeof link !== 'string' || !/^https?:\/\//i.test(link)) return {};
	return { link: { url: link, text: textOf(text) ?? link } };
}

function askedFor(item: Entry): string {
	const name = queriedName(item);
	return name.charAt(0).toUpperCase() + name.slice(1);
}

/** What a query asks for, inside a sentence. */
function queriedName(item: Entry): string {
	const query = objectOf(item['query']);
	const hints = objectOf(query['attributeCreationHints']);
	const title = textOf(hints['title']);
	if (title !== undefined) return title;
	const type = textOf(query['valueType']) ?? textOf(hints['valueType']);
	return type === undefined ? (textOf(query['key']) ?? 'some of your data') : labelInText(type);
}

const attributeOf = (item: Entry): ShownValue => attributeText(objectOf(item['attribute']));

function nameOf(item: Entry): string {
	const value = objectOf(objectOf(item['attribute'])['value']);
	return textOf(value['title']) ?? labelInText(String(value['@type'] ?? 'Attribute'));
}

async function storedValues({ attributes }: Gateway, id: string): Promise<ShownValue[]> {
	const found = await attributes.get(id).catch(() => undefined);
	return found === undefined ? [] : [attributeText(found.content)];
}

async function fileValues(
	{ files }: Gateway,
	reference: string,
): Promise<Partial<Pick<ShownItem, 'values' | 'obstacle'>>> {
	try {
		const { title, filename, filesize } = await files.getOrLoad({ reference });
		const label = title === '' ? filename : title;
		return { values: [{ label, text: `${filename}, ${filesize} bytes` }] };
	} catch {
		return { obstacle: 'The file cannot be loaded. It may have been deleted or have expired.' };
	}
}
