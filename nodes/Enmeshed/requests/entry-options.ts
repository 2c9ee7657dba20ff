import type { INodeProperties } from 'n8n-workflow';
import type { ItemKind } from './item-kinds';
import { expression, thirdParties, validity, valueHints } from './query-fields';

const title: INodeProperties = {
	displayName: 'Title',
	name: 'title',
	type: 'string',
	default: '',
	description: 'Shown to the person. At most 200 characters.',
};

const forEveryKind: INodeProperties[] = [
	{
		displayName: 'Description',
		name: 'description',
		type: 'string',
		default: '',
		description: 'Shown to the person below the title. At most 500 characters.',
	},
	{
		displayName: 'Metadata',
		name: 'metadata',
		type: 'json',
		default: '{}',
		description: 'A JSON object of your own; software at the peer may read it',
	},
	{
		displayName: 'Require Manual Decision',
		name: 'requireManualDecision',
		type: 'boolean',
		default: true,
		description: 'Whether a person has to decide, even where the peer answers automatically',
	},
];

const attributeDescription: INodeProperties = {
	displayName: 'Attribute Description',
	name: 'attributeDescription',
	type: 'string',
	default: '',
	description: 'What a relationship attribute is about; stored with the attribute',
};

const tags: INodeProperties = {
	displayName: 'Tags',
	name: 'tags',
	type: 'string',
	default: '',
	placeholder: 'e.g. x:private, x:work',
	description:
		"Comma-separated tags that begin with 'x:'. A requested attribute must have one of them; a created or proposed attribute gets all.",
};

const technical: INodeProperties = {
	displayName: 'Technical',
	name: 'isTechnical',
	type: 'boolean',
	default: false,
	description: 'Whether a created or proposed relationship attribute is hidden from people',
};

const requiresInteraction: INodeProperties = {
	displayName: 'Must Be Confirmed Deliberately',
	name: 'requiresInteraction',
	type: 'boolean',
	default: true,
	description:
		'Whether the wallet should ask for more than one button, for example for a ticked box. Only sent to peers that are known to have version 7.',
};

/** Options of single kinds of entries, beside the options of every kind. */
const optionsOfKinds: ReadonlyArray<readonly [ItemKind[], INodeProperties[]]> = [
	[['askFor'], [title, expression, tags, ...validity]],
	[
		['askForSeveral', 'askToOfferLater', 'propose'],
		[title, tags, ...validity],
	],
	[['create'], [title, tags]],
	[
		['askForRelationshipAttribute'],
		[title, attributeDescription, thirdParties, ...validity, valueHints],
	],
	[['createRelationshipAttribute'], [title, attributeDescription, technical]],
	[
		['proposeRelationshipAttribute'],
		[title, attributeDescription, technical, ...validity, valueHints],
	],
	[['askForConsent'], [title, requiresInteraction]],
	[
		['askForCredential', 'askToDelete', 'freeText', 'handOverFile', 'offerCredential', 'share'],
		[title],
	],
	// These kinds have a title of their own.
	[['formField', 'logIn'], []],
];

/**
 * One collection for each group of kinds, all with the same name, of which the editor shows one.
 */
export function entryOptions(
	forKinds: (...kinds: ItemKind[]) => INodeProperties['displayOptions'],
): INodeProperties[] {
	return optionsOfKinds.map(([kinds, options]) => ({
		displayName: 'Options',
		name: 'itemOptions',
		type: 'collection',
		placeholder: 'Add Option',
		displayOptions: forKinds(...kinds) ?? {},
		default: {},
		options: byLabel([...forEveryKind, ...options]),
	}));
}

/** Sorts options by their labels. */
export function byLabel(options: readonly INodeProperties[]): INodeProperties[] {
	return [...options].sort((one, other) => one.displayName.localeCompare(other.displayName, 'en'));
}
