import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Gateway } from '../../core';
import { describeWithPostgres, TestDatabase } from '../support/postgres';
import { arrivals, inOneHour, relate, SandboxNetwork, settle } from '../support/gateways';

/* README, 'The passphrase': what a database shows to who has not its key. */
let network: SandboxNetwork;

beforeEach(async () => {
	network = await SandboxNetwork.open();
});

afterEach(() => network.close());

/** Everything that a story writes, by what it is. */
async function play(gateway: Gateway, peer: Gateway): Promise<Record<string, string>> {
	const { addressB: to } = await relate(gateway, peer);
	const expiresAt = inOneHour();
	const content = { '@type': 'ArbitraryRelationshipTemplateContent', value: 'template content' };
	const passwordProtection = { password: '918273', passwordIsPin: true as const };
	const template = await gateway.templates.create({ content, expiresAt, passwordProtection });
	const token = await gateway.tokens.create({
		content: { any: 'token content' },
		expiresAt,
		ephemeral: false,
		passwordProtection: { password: 'token password' },
	});
	const file = await gateway.files.upload(
		{ title: 'file title', filename: 'file name.txt', mimetype: 'text/plain' },
		Buffer.from('file content'),
	);
	await gateway.messages.send({
		recipients: [to],
		content: { '@type': 'Mail', to: [to], subject: 'mail subject', body: 'mail body' },
		attachments: [file.id],
	});
	const { truncatedReference: fileReference, ownershipToken = '' } = await gateway.files.upload(
		{ filename: 'a file to hand over', mimetype: 'text/plain' },
		Buffer.from('file content'),
	);
	await gateway.outgoingRequests.create({
		content: {
			items: [
				{
					'@type': 'TransferFileOwnershipRequestItem',
					mustBeAccepted: true,
					fileReference,
					ownershipToken,
				},
			],
		},
		peer: to,
	});
	await gateway.attributes.create({
		content: { value: { '@type': 'GivenName', value: 'attribute value' } },
	});
	await settle(peer);
	await arrivals(gateway);
	return {
		'address of a peer': to,
		'content of a template': 'template content',
		'PIN of a template': passwordProtection.password,
		'reference of a template': template.truncatedReference,
		'content of a token': 'token content',
		'password of a token': 'token password',
		'reference of a token': token.truncatedReference,
		'title of a file': 'file title',
		'name of a file': 'file name.txt',
		'content of a file': 'file content',
		'reference of a file': file.truncatedReference,
		'ownership token of a file': file.ownershipToken ?? '',
		'reference of a file in a request': fileReference,
		'ownership token of a file in a request': ownershipToken,
		'subject of a mail': 'mail subject',
		'text of a mail': 'mail body',
		'value of an attribute': 'attribute value',
	};
}

/** Every value of every row. */
function dumpSqlite(folder: string): string[] {
	const file = readdirSync(folder).find((name) => name.endsWith('.sqlite')) ?? '';
	const db = new DatabaseSync(join(folder, file), { readOnly: true });
	try {
		const tables = db.prepare("select name from sqlite_schema where type = 'table'").all();
		return tables.flatMap(({ name }) =>
			valuesOf(db.prepare(`select * from "${String(name)}"`).all()),
		);
	} finally {
		db.close();
	}
}

async function dumpPostgres(database: TestDatabase): Promise<string[]> {
	const tables = await database.query<{ name: string }>(
		"select tablename as name from pg_tables where schemaname = 'enmeshed'",
	);
	const values: string[] = [];
	for (const { name } of tables) {
		values.push(...valuesOf(await database.query(`select * from enmeshed."${name}"`)));
	}
	return values;
}

const valuesOf = (rows: readonly object[]): string[] =>
	rows.flatMap((row) => Object.values(row).map(String));

/** Ownership tokens may contain quotation marks and backslashes. */
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

const expectShown = (
	written: Readonly<Record<string, string>>,
	values: readonly string[],
): void => {
	expect(Object.values(written)).not.toContain('');
	const shown = Object.entries(written)
		.filter(([, text]) => values.some((value) => value.includes(inJson(text))))
		.map(([what]) => what);
	expect(shown.sort()).toEqual([
		'address of a peer',
		'content of a template',
		'name of a file',
		'ownership token of a file in a request',
		'reference of a file in a request',
		'subject of a mail',
		'text of a mail',
		'title of a file',
		'value of an attribute',
	]);
};

const title =
	'shows addresses and contents, and of what opens something only what a request contains';

describe('a database in SQLite', () => {
	it(title, async () => {
		const folder = network.newFolder();
		const gateway = await network.gateway(network.config(folder));
		const written = await play(gateway, await network.gateway());
		await gateway.close();
		expectShown(written, dumpSqlite(folder));
	});
});

describeWithPostgres('a database in PostgreSQL', () => {
	it(title, async () => {
		const database = await TestDatabase.create();
		try {
			const store = { store: database.config, passphrase: 'correct horse' };
			const gateway = await network.gateway({ ...network.config(), ...store });
			const written = await play(gateway, await network.gateway());
			await gateway.close();
			expectShown({ ...written, passphrase: store.passphrase }, await dumpPostgres(database));
		} finally {
			await database.drop();
		}
	});
});
