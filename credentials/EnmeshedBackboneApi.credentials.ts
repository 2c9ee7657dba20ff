import type { Icon, ICredentialType, INodeProperties } from 'n8n-workflow';
import { postgresFields } from './postgres-fields';

/** Address of the Backbone, and the identity that this gateway has there. */
export class EnmeshedBackboneApi implements ICredentialType {
	name = 'enmeshedBackboneApi';

	displayName = 'Enmeshed Backbone API';

	icon: Icon = {
		light: 'file:../icons/enmeshed.svg',
		dark: 'file:../icons/enmeshed.dark.svg',
	};

	documentationUrl =
		'https://github.com/n8n-nodes-enmeshed/n8n-nodes-enmeshed/blob/main/docs/connecting.md';

	properties: INodeProperties[] = [
		{
			displayName: 'Backbone URL',
			name: 'backboneUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://backbone.example.com',
			description: 'Address of the Backbone, without any path',
		},
		{
			displayName: 'Client ID',
			name: 'clientId',
			type: 'string',
			default: '',
			required: true,
			description: 'Provided by the operator of the Backbone',
		},
		{
			displayName: 'Client Secret',
			name: 'clientSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'Provided together with the client ID',
		},
		{
			displayName: 'Account Name',
			name: 'accountName',
			type: 'string',
			default: '',
			placeholder: 'e.g. customer-service',
			description:
				"Distinguishes several identities on this n8n instance. The identity is created on first use. Empty means 'default'. Anyone with the client secret and this name can open the account: on an n8n that several people share, enter a storage passphrase as well.",
		},
		{
			displayName: 'Storage Passphrase',
			name: 'storagePassphrase',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'Encrypts the stored keys of the identity. SQLite can use a key file beside the data instead; PostgreSQL requires a passphrase. Keep it safe: without it the identity is lost.',
		},
		{
			displayName: 'Storage',
			name: 'storage',
			type: 'options',
			options: [
				{
					name: 'PostgreSQL',
					value: 'postgres',
					description: 'A database that several n8n processes share: needed in queue mode',
				},
				{
					name: 'SQLite',
					value: 'sqlite',
					description: 'A file in the n8n data folder, for n8n on one machine',
				},
			],
			default: 'sqlite',
			description: 'Where the identity, its messages and its events are kept',
		},
		...postgresFields,
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add Option',
			default: {},
			options: [
				{
					displayName: 'Address Hostname',
					name: 'addressHostname',
					type: 'string',
					default: '',
					placeholder: 'e.g. backbone.example.com',
					description:
						'Host name in the addresses of this Backbone, if you reach it under another name',
				},
				{
					displayName: 'Allow Unencrypted Connection',
					name: 'allowPlainHttp',
					type: 'boolean',
					default: false,
					description:
						'Whether an account that was created over https may be used over http, where its password can be intercepted',
				},
				{
					displayName: 'Client Secret Was Changed',
					name: 'clientWasRenewed',
					type: 'boolean',
					default: true,
					description:
						'Whether the client secret above replaces another one. The previous one, to enter below, then proves once that the stored identity is yours. Not needed with a storage passphrase.',
				},
				{
					displayName: 'Push Address',
					name: 'pushAddress',
					type: 'string',
					default: '',
					placeholder: 'e.g. https://push.example.com',
					description:
						'Address of the push service, if it differs from the Backbone. Empty means the Backbone URL.',
				},
				{
					displayName: 'Seal Contents',
					name: 'sealContents',
					type: 'boolean',
					default: false,
					description:
						'Whether mails, attributes, addresses and the like are encrypted in the database when the account is created. An existing account stays as it is.',
				},
				{
					displayName: 'SQLite Folder',
					name: 'sqliteFolder',
					type: 'string',
					default: '',
					placeholder: 'e.g. /home/node/.n8n/enmeshed',
					description:
						"Absolute path of the folder that holds the accounts kept in SQLite. Empty means the folder 'enmeshed' in the n8n data folder.",
				},
			],
		},
		{
			// Not among the options, because n8n masks only secrets outside of collections.
			displayName: 'Previous Client Secret',
			name: 'previousClientSecret',
			type: 'string',
			typeOptions: { password: true },
			displayOptions: { hide: { '/options.clientWasRenewed': [{ _cnd: { not: true } }] } },
			default: '',
			description: 'The secret that was in use until now. You can remove it after the first run.',
		},
	];
}
