import type { INodeProperties } from 'n8n-workflow';

/*
 * Conditions under `hide`, because the public API of n8n up to 2.20 requires every field with a
 * condition under `show` while the field of that condition is absent.
 */
const withPostgres = { hide: { storage: ['sqlite'] } };
const withTls = { hide: { storage: ['sqlite'], postgresSsl: ['disable'] } };

/** Fields for an account in PostgreSQL, with the labels of n8n's own credential. */
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
		description: 'An existing database with encoding UTF8, for example the database of n8n',
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
			'Contains the tables of the default account. Every other account has a schema of its own, named after this one, with a colon and the account name.',
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
			'Certificate of the authority that signed the server certificate, if n8n does not know it already',
	},
];
