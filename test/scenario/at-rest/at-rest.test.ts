import type { Gateway, GatewayConfigInput } from '../../../core';
import { describeWithPostgres, TestDatabase } from '../../support/postgres';
import { SandboxNetwork } from '../../support/gateways';
import { bringBack } from './before';
import { dumpPostgres, dumpSqlite, foundIn } from './dumps';
import { play, type Story } from './story';

jest.setTimeout(120_000);

/* README, 'The passphrase': what a database shows to who has not its key. */
let network: SandboxNetwork;

beforeEach(async () => {
	network = await SandboxNetwork.open();
});

afterEach(() => network.close());

const expectNoSecret = ({ secrets, contents }: Story, dump: readonly string[]): void => {
	expect([...Object.values(secrets), ...Object.values(contents)]).not.toContain('');
	expect(foundIn(dump, secrets)).toEqual([]);
};

const title = 'shows nothing that opens something';

async function told(config: GatewayConfigInput): Promise<Story> {
	const gateway: Gateway = await network.gateway(config);
	const story = await play(gateway, await network.gateway());
	await gateway.close();
	return story;
}

/** Everything that a request, a mail or a client's own thing holds, and lists that ask for it. */
async function expectAllReadable(gateway: Gateway, secrets: Story['secrets']): Promise<void> {
	const found = async (query: object): Promise<number> =>
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

describe('a database in SQLite', () => {
	it(title, async () => {
		const folder = network.newFolder();
		expectNoSecret(await told(network.config(folder)), dumpSqlite(folder));
	});

	it('shows none that a former version has left there either', async () => {
		const folder = network.newFolder();
		const { secrets } = await told(network.config(folder));
		bringBack(folder);
		expect(foundIn(dumpSqlite(folder), secrets)).toContain('reference of a file that is offered');
		const gateway = await network.gateway(network.config(folder));
		await expectAllReadable(gateway, secrets);
		await gateway.close();
		expect(foundIn(dumpSqlite(folder), secrets)).toEqual([]);
	});

	it('gives back what it has sealed', async () => {
		const gateway = await network.gateway();
		const { secrets } = await play(gateway, await network.gateway());
		await expectAllReadable(gateway, secrets);
	});
});

describeWithPostgres('a database in PostgreSQL', () => {
	it(title, async () => {
		const database = await TestDatabase.create();
		try {
			const store = { store: database.config, passphrase: 'correct horse' };
			const story = await told({ ...network.config(), ...store });
			const { secrets } = story;
			const dump = await dumpPostgres(database);
			expectNoSecret({ ...story, secrets: { ...secrets, passphrase: store.passphrase } }, dump);
		} finally {
			await database.drop();
		}
	});
});
