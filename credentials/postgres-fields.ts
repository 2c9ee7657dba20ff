import type { INodeProperties } from 'n8n-workflow';

/*
 * Conditions under `hide`: the public API of n8n up to 2.20 requires every field that has one under `show`
 * as long as the field of the condition is absent.
 */
const withPostgres = { hide: { storage: ['sqlite'] } };
const withTls = { hide: { storage: ['sqlite'], postgresSsl: ['disable'] } };

/** Shown when an account is kept in PostgreSQL; labels as in n8n's own credential for it. */
export const postgresFields: INodeProperties[] = [
	{
		displayName: 'Host',
		name: 'postgresHost',
		type: 'string',
		displayOptions: withPostgres,
		default: 'localhost',
		description: 'Host name or address of the PostgreSQL server, version 13 or later',
	},
	{
		displayName: 'Port',
		name: 'postgresPort',
		type: 'number',
		displayOptions: withPostgres,
		default: 5432,
	},
	{
		displayName: 'Database',
		name: 'postgresDatabase',
		type: 'string',
		displayOptions: withPostgres,
		default: '',
		placeholder: 'e.g. n8n',
		description: 'An existing database with encoding UTF8; it may be the one of n8n',
	},
	{
		displayName: 'User',
		name: 'postgresUser',
		type: 'string',
		displayOptions: withPostgres,
		default: '',
		description: 'Needs the right to create schemas in the database',
	},
	{
		displayName: 'Password',
		name: 'postgresPassword',
		type: 'string',
		typeOptions: { password: true },
		displayOptions: withPostgres,
		default: '',
	},
	{
		displayName: 'Schema',
		name: 'postgresSchema',
		type: 'string',
		displayOptions: withPostgres,
		default: 'enmeshed',
		description:
			'Holds the tables of the default account. Every other account has a schema of its own, called like this one, a colon and the account name.',
	},
	{
		displayName: 'SSL',
		name: 'postgresSsl',
		type: 'options',
		displayOptions: withPostgres,
		options: [
			{ name: 'Disable', value: 'disable' },
			{ name: 'Require', value: 'require' },
		],
		default: 'disable',
		description: 'Whether the connection is encrypted and the certificate of the server is checked',
	},
	{
		displayName: 'Ignore SSL Issues (Insecure)',
		name: 'postgresAllowUnauthorizedCerts',
		type: 'boolean',
		displayOptions: withTls,
		default: false,
		description: 'Whether to connect even if the certificate of the server cannot be verified',
	},
	{
		displayName: 'CA Certificate',
		name: 'postgresCa',
		type: 'string',
		typeOptions: { rows: 3 },
		displayOptions: withTls,
		default: '',
		placeholder: 'e.g. -----BEGIN CERTIFICATE-----',
		description:
			'Of the authority that signed the certificate of the server, if n8n does not know it already',
	},
];
