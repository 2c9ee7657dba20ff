import {
	moveAccount,
	type Gateway,
	type GatewayConfigInput,
	type ListQueryInput,
} from '../../../core';
import { describeWithPostgres, TestDatabase } from '../../support/postgres/postgres';
import { SandboxNetwork } from '../../support/gateways';
import { placeIn } from '../account-transfer/places';
import { dumpPostgres, dumpSqlite, foundIn } from './dumps';
import { play, type Story } from './story';

jest.setTimeout(120_000);

/* README, 'The passphrase': what a database shows without its key. */
let network: SandboxNetwork;

beforeEach(async () => {
	network = await SandboxNetwork.open();
});

afterEach(() => network.close());

const ways = [
	['sealed', true],
	['in clear', false],
] as const;

/** Kept at the Backbone only, or in one record with something that opens. */
const neverShown = [
	'content of a file',
	'text of a draft',
	'value of a setting',
	'value of identity metadata',
];

/** Never what opens something; and contents only where they are not sealed. */
function expectShown(
	{ secrets, contents }: Story,
	dump: readonly string[],
	sealContents: boolean,
): void {
	expect([...Object.values(secrets), ...Object.values(contents)]).not.toContain('');
	expect(foundIn(dump, secrets)).toEqual([]);
	const shown = Object.keys(contents).filter((what) => !neverShown.includes(what));
	expect(foundIn(dump, contents)).toEqual(sealContents ? [] : shown.sort());
}

async function told(config: GatewayConfigInput): Promise<Story> {
	const gateway: Gateway = await network.gateway(config);
	const story = await play(gateway, await network.gateway());
	await gateway.close();
	return story;
}

/** Everything that a request, a mail or a client's own thing holds, and lists that ask for it. */
async function expectAllReadable(gateway: Gateway, secrets: Story['secrets']): Promise<void> {
	const found = async (query: ListQueryInput): Promise<number> =>
		(await gateway.messages.list({ query })).length;
	const inSubject = secrets['reference in the subject of a mail'] ?? '';
	const shown = JSON.stringify([
		await gateway.incomingRequests.list(),
		await gateway.outgoingRequests.list(),
		await gateway.messages.list(),
		await gateway.settings.list(),
		await gateway.drafts.list(),
	]);
	const expected = Object.entries(secrets).filter(([what]) =>
		/ in (a|the) | is offered/.test(what),
	);
	expect(expected).toHaveLength(9);
	expect(expected.filter(([, text]) => !shown.includes(JSON.stringify(text).slice(1, -1)))).toEqual(
		[],
	);
	expect(await found({ 'content.subject': `See ${inSubject}` })).toBe(1);
	expect(await found({ 'content.subject': `~${inSubject}` })).toBe(1);
	expect(await found({ 'content.body': '~look at' })).toBe(1);
	expect(await found({ 'content.body': `^Please` })).toBe(1);
}

describe.each(ways)('a database in SQLite, with contents %s', (_name, sealContents) => {
	it('shows what the README says', async () => {
		const folder = network.newFolder();
		const story = await told({ ...network.config(folder), sealContents });
		expectShown(story, dumpSqlite(folder), sealContents);
	});

	it('gives back what it has sealed', async () => {
		const gateway = await network.gateway({ ...network.config(), sealContents });
		const { secrets } = await play(gateway, await network.gateway());
		await expectAllReadable(gateway, secrets);
	});
});

it('an account stays as it was made, whatever the configuration says later', async () => {
	const folder = network.newFolder();
	const config = network.config(folder);
	const made = await network.gateway({ ...config, sealContents: false });
	await made.close();
	const story = await told({ ...config, sealContents: true });
	expectShown(story, dumpSqlite(folder), false);
});

it('an account in clear is sealed where it is moved to', async () => {
	const [folder, other] = [network.newFolder(), network.newFolder()];
	const story = await told({ ...network.config(folder), sealContents: false });
	const { clientId, clientSecret } = network.credentials;
	const to = { ...placeIn(other), clientSecret, sealContents: true };
	const from = { ...placeIn(folder), clientSecret };
	await moveAccount({ from, to, client: { clientId, clientSecret } });
	expectShown(story, dumpSqlite(other), true);
	await expectAllReadable(await network.gateway(network.config(other)), story.secrets);
});

describeWithPostgres('a database in PostgreSQL', () => {
	it.each(ways)('shows what the README says, with contents %s', async (_name, sealContents) => {
		const database = await TestDatabase.create();
		try {
			const store = { store: database.config, passphrase: 'correct horse' };
			const story = await told({ ...network.config(), ...store, sealContents });
			const secrets = { ...story.secrets, passphrase: store.passphrase };
			expectShown({ ...story, secrets }, await dumpPostgres(database), sealContents);
		} finally {
			await database.drop();
		}
	});
});
