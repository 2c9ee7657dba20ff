import type { INodePropertyOptions } from 'n8n-workflow';

/**
 * Kinds of entries with their labels in the form, the most used ones first. What most requests ask
 * for needs no entry.
 */
export const itemKinds = [
	{
		name: 'Ask For Consent',
		value: 'askForConsent',
		description: 'The peer agrees to a text, for example to terms and conditions',
	},
	{
		name: 'Ask For',
		value: 'askFor',
		description: "The peer shares something about itself; for usual types use 'Ask For' above",
	},
	{
		name: 'Ask For Several',
		value: 'askForSeveral',
		description: 'The peer shares several things about itself, with the same options for all',
	},
	{
		name: 'Share',
		value: 'share',
		description: 'The peer gets one of your own attributes',
	},
	{
		name: 'Form Field',
		value: 'formField',
		description: 'The peer fills in a field, which is not stored as an attribute',
	},
	{
		name: 'Free Text',
		value: 'freeText',
		description: 'The peer answers a text with a text. Wallets of version 7 do not know this.',
	},
	{
		name: 'Create on the Other Side',
		value: 'create',
		description: 'The peer adds something about itself that you know',
	},
	{
		name: 'Propose',
		value: 'propose',
		description: 'The peer shares something about itself; you suggest the value',
	},
	{
		name: 'Create Relationship Attribute',
		value: 'createRelationshipAttribute',
		description: 'Both sides keep something about their relationship, such as a customer number',
	},
	{
		name: 'Ask For Relationship Attribute',
		value: 'askForRelationshipAttribute',
		description: 'The peer stores something about your relationship',
	},
	{
		name: 'Propose Relationship Attribute',
		value: 'proposeRelationshipAttribute',
		description: 'The peer stores something about your relationship; you suggest the value',
	},
	{
		name: 'Log In (Authentication)',
		value: 'logIn',
		description: 'The peer confirms that it is the one who logs in',
	},
	{
		name: 'Hand Over File',
		value: 'handOverFile',
		description: 'The peer becomes the owner of one of your files',
	},
	{
		name: 'Ask to Delete',
		value: 'askToDelete',
		description: 'The peer deletes an attribute that you have shared with it',
	},
	{
		name: 'Ask to Offer Later',
		value: 'askToOfferLater',
		description:
			'The peer offers such an attribute as soon as it has one. Wallets of version 7 do not know this.',
	},
	{
		name: 'Offer Credential',
		value: 'offerCredential',
		description:
			'The peer gets a credential from an issuer (OpenID4VCI). Only wallets of version 7.5 and later know this.',
	},
	{
		name: 'Ask For Credential',
		value: 'askForCredential',
		description:
			'The peer presents a credential to a verifier (OpenID4VP). Only wallets of version 7.5 and later know this.',
	},
] as const satisfies readonly INodePropertyOptions[];

export type ItemKind = (typeof itemKinds)[number]['value'];
