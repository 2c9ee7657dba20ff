import { NodeHelpers, type ICredentialDataDecryptedObject, type INode } from 'n8n-workflow';
import { EnmeshedBackboneApi } from '../../credentials/EnmeshedBackboneApi.credentials';

const { properties } = new EnmeshedBackboneApi();
const main = ['backboneUrl', 'clientId', 'clientSecret'];
const ofPostgres = ['Host', 'Port', 'Database', 'User', 'Password', 'Schema', 'Ssl'].map(
	(name) => `postgres${name}`,
);
const ofTls = ['postgresAllowUnauthorizedCerts', 'postgresCa'];

/** The fields that the form shows, with defaults where nothing is given, as the editor fills it. */
function shownWith(given: ICredentialDataDecryptedObject): string[] {
	const defaults = Object.fromEntries(properties.map(({ name, default: value }) => [name, value]));
	const node: Pick<INode, 'typeVersion'> = { typeVersion: 1 };
	return properties
		.filter((property) =>
			NodeHelpers.displayParameter({ ...defaults, ...given } as never, property, node, null),
		)
		.map(({ name }) => name);
}

describe('the fields of the credential', () => {
	/*
	 * The public API of n8n up to 2.20 makes a schema of the fields, in which each that has a condition
	 * under `show` is required while the field of the condition is absent.
	 */
	it('that the public API requires are the three main ones', () => {
		const required = properties
			.filter(
				({ required: is, displayOptions }) => is === true || displayOptions?.show !== undefined,
			)
			.map(({ name }) => name);
		expect(required).toEqual(main);
	});

	it.each<[string, ICredentialDataDecryptedObject, readonly string[]]>([
		['with defaults', {}, []],
		['with SQLite', { storage: 'sqlite', postgresSsl: 'require' }, []],
		['with PostgreSQL', { storage: 'postgres' }, ofPostgres],
		[
			'with PostgreSQL and encryption',
			{ storage: 'postgres', postgresSsl: 'require' },
			[...ofPostgres, ...ofTls],
		],
		[
			'after a change of the client',
			{ options: { clientWasRenewed: true } },
			['previousClientSecret'],
		],
	])('are shown %s', (_name, given, conditional) => {
		const shown = shownWith(given);
		const all = [...ofPostgres, ...ofTls, 'previousClientSecret'];
		expect(all.filter((name) => shown.includes(name)).sort()).toEqual([...conditional].sort());
		expect(shown).toEqual(expect.arrayContaining([...main, 'storage', 'options']));
	});
});
