import type { INodeProperties } from 'n8n-workflow';
import { peerLocator } from './locators';

/** Options of templates for their recipient and their password, in alphabetical order. */
export const protectionOptions: INodeProperties[] = [
	{
		...peerLocator(),
		displayName: 'Only For',
		name: 'forIdentity',
		description: 'The only person who can open the template',
	},
	{
		displayName: 'Password',
		name: 'password',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		description: 'Needed to open the template. 4 to 16 digits are offered as a PIN.',
	},
	{
		displayName: 'Password Was Sent By',
		name: 'passwordLocationIndicator',
		type: 'options',
		options: [
			{ name: 'Email', value: 'Email' },
			{ name: 'Letter', value: 'Letter' },
			{ name: 'Registration Letter', value: 'RegistrationLetter' },
			{ name: 'Text Message', value: 'SMS' },
			{ name: 'Website', value: 'Website' },
		],
		default: 'Email',
		description: 'Tells the person where to look for the password',
	},
];

/** Password of an object that a peer has protected. */
export const openingPassword: INodeProperties = {
	displayName: 'Password',
	name: 'password',
	type: 'string',
	typeOptions: { password: true },
	default: '',
	description: 'Needed if the object is protected by a password or PIN',
};
