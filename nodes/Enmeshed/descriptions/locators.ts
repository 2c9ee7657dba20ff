import type { INodeProperties } from 'n8n-workflow';

const addressPattern = '^did:e:[a-z0-9.-]+:dids:[0-9a-f]{22}$';

/** Required field for an object that a person picks from a list or names otherwise. */
function locator(displayName: string, name: string): INodeProperties {
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { __rl: true, mode: 'list', value: '' },
		required: true,
	};
}

/**
 * Names an object of the input item, as triggers give it. An object from a list is the same for
 * all items.
 */
function fromItem(mode: 'id' | 'address', member: string): Pick<INodeProperties, 'default'> {
	return { default: { __rl: true, mode, value: `={{ $json.${member} }}` } };
}

/** Picks a relationship by the name of its peer. */
export function relationshipLocator(): INodeProperties {
	return {
		...locator('Relationship', 'relationship'),
		...fromItem('id', 'relationshipId'),
		...listOrId('searchRelationships', 'REL', 'relationship'),
	};
}

/** Picks a template by its title. */
export function templateLocator(): INodeProperties {
	return {
		...locator('Template', 'template'),
		...listOrId('searchTemplates', 'RLT', 'template'),
	};
}

/** Picks one of the newest messages by its subject. */
export function messageLocator(): INodeProperties {
	return {
		...locator('Message', 'message'),
		...listOrId('searchMessages', 'MSG', 'message'),
	};
}

/** Picks a file by title or name. */
export function fileLocator(): INodeProperties {
	return {
		...locator('File', 'file'),
		...listOrId('searchFiles', 'FIL', 'file'),
	};
}

/** Picks the reference of a file by the file's title or name. */
export function fileReferenceLocator(): INodeProperties {
	return {
		...locator('File', 'fileReference'),
		description: 'An uploaded or loaded file',
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod: 'searchFileReferences', searchable: true },
			},
			{
				displayName: 'By Reference',
				name: 'reference',
				type: 'string',
				placeholder: 'e.g. {{ $json.truncatedReference }}',
				hint: "As 'File: Upload' returns it",
			},
		],
	};
}

/**
 * Picks an attribute by type and value.
 *
 * @param searchListMethod `searchAttributes` for own attributes that can be shared,
 * `searchSharedAttributes` for own attributes that peers have, `searchOwnAttributes` for attributes
 * that can get a new version, `searchAllAttributes` for all of them and for attributes that peers
 * shared
 */
export function attributeLocator(
	searchListMethod:
		| 'searchAllAttributes'
		| 'searchAttributes'
		| 'searchOwnAttributes'
		| 'searchSharedAttributes' = 'searchAttributes',
): INodeProperties {
	return {
		...locator('Attribute', 'attribute'),
		...listOrId(searchListMethod, 'ATT', 'attribute'),
	};
}

/** Picks a request by title, peer and status. */
export function requestLocator(
	searchListMethod: 'searchIncomingRequests' | 'searchOutgoingRequests',
): INodeProperties {
	return {
		...locator('Request', 'request'),
		...fromItem('id', 'requestId'),
		...listOrId(searchListMethod, 'REQ', 'request'),
	};
}

/** Picks a problem by its subject and its cause. */
export function problemLocator(): INodeProperties {
	return {
		...locator('Problem', 'problem'),
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod: 'searchProblems', searchable: true },
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. EVT000000000042@webhook:orders',
				hint: "As 'Get Problems' returns it, for example {{ $json.id }}",
			},
		],
	};
}

/** Picks a country by its name; the value is its code. */
export function countryLocator(): INodeProperties {
	return {
		...locator('Country', 'country'),
		...listOrCode('searchCountries', 'DE', '^[A-Z]{2}$', "two capital letters, such as 'DE'"),
	};
}

/** Picks a language by its name; the value is its code. */
export function languageLocator(): INodeProperties {
	return {
		...locator('Language', 'language'),
		...listOrCode('searchLanguages', 'de', '^[a-z]{2}$', "two small letters, such as 'de'"),
	};
}

/**
 * Picks the address of a peer by its name.
 *
 * @param searchListMethod `searchActivePeers` for operations that need a reachable peer
 */
export function peerLocator(
	searchListMethod: 'searchPeers' | 'searchActivePeers' | 'searchContacts' = 'searchPeers',
): INodeProperties {
	return {
		displayName: 'Peer',
		name: 'peer',
		type: 'resourceLocator',
		default: { __rl: true, mode: 'list', value: '' },
		...(searchListMethod === 'searchActivePeers' ? fromItem('address', 'peer') : {}),
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod, searchable: true },
			},
			{
				displayName: 'By Address',
				name: 'address',
				type: 'string',
				placeholder: 'e.g. did:e:backbone.example.com:dids:4f1c0a2b9d8e7f60513244',
				validation: [
					{
						type: 'regex',
						properties: {
							regex: addressPattern,
							errorMessage: "An address starts with 'did:e:' and ends with 22 letters and digits",
						},
					},
				],
			},
		],
	};
}

/** Picks the addresses of several peers by their names. */
export function severalPeers(label: string, name: string, description: string): INodeProperties {
	return {
		displayName: `${label} Names or IDs`,
		name,
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: 'loadActivePeers' },
		default: [],
		description: `${description}. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.`,
	};
}

/** Picks the address of a contact by its name. */
export function contactLocator(): INodeProperties {
	return {
		...peerLocator('searchContacts'),
		displayName: 'Contact',
		name: 'contact',
		required: true,
	};
}

function listOrId(
	searchListMethod: string,
	prefix: string,
	noun: string,
): Pick<INodeProperties, 'modes'> {
	return {
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod, searchable: true },
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: `e.g. ${prefix}a1B2c3D4e5F6g7H8i`,
				validation: [
					{
						type: 'regex',
						properties: {
							regex: `^${prefix}[A-Za-z0-9]{17}$`,
							errorMessage: `The ID of ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun} is '${prefix}' followed by 17 letters or digits`,
						},
					},
				],
			},
		],
	};
}

function listOrCode(
	searchListMethod: 'searchCountries' | 'searchLanguages',
	example: string,
	regex: string,
	form: string,
): Pick<INodeProperties, 'modes'> {
	return {
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod, searchable: true },
			},
			{
				displayName: 'By Code',
				name: 'code',
				type: 'string',
				placeholder: `e.g. ${example}`,
				validation: [{ type: 'regex', properties: { regex, errorMessage: `A code has ${form}` } }],
			},
		],
	};
}
