import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, type Gateway } from '../../../core';
import { Receiver } from '../../core/publish/webhooks/support/receiver';
import { apiKey } from '../../core/server/support/http-gateway';
import { mailTo, TestNetwork } from '../../support/gateways';
import { describeWithPostgres, TestDatabase } from '../../support/postgres/postgres';
import { testProgram } from '../../support/quick/test-program';
import { until } from '../../support/until';

jest.setTimeout(180_000);

/* Two processes of `serve` with one configuration and one database (docs/adr/0050) */
const program = testProgram('scripts/cli/cli.ts');
const keyOfAll = 'Opens-Every-Account-0123456789-ab!';
const names = ['north', 'south', 'created'];
const mailsBefore = 15;
const mailsAfter = 10;

interface Served {
	readonly address: string;
	readonly child: ChildProcess;
}

async function serve(config: string): Promise<Served> {
	const child = spawn(process.execPath, [program, 'serve', '--config', config], {
		env: { PATH: process.env.PATH },
	});
	let said = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
	}
	const address = (): string | undefined => /listening on (http:\S+)/.exec(said)?.[1];
	await until(() => {
		if (child.exitCode !== null) throw new Error(said);
		return address() !== undefined;
	});
	return { child, address: address() ?? '' };
}

async function end({ child }: Served, signal: NodeJS.Signals): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const ended = once(child, 'exit');
	child.kill(signal);
	await ended;
}

async function ask<Result>(
	{ address }: Served,
	call: string,
	{ key = keyOfAll, json }: { readonly key?: string; readonly json?: unknown } = {},
): Promise<Result> {
	const [method = '', path = ''] = call.split(' ');
	const answer = await fetch(address + path, {
		method,
		headers: { 'x-api-key': key, 'content-type': 'application/json' },
		...(json === undefined ? {} : { body: JSON.stringify(json) }),
	});
	if (!answer.ok) throw new Error(`${call}: ${answer.status} ${await answer.text()}`);
	return ((await answer.json()) as { result: Result }).result;
}

const areRunning = async (served: Served): Promise<boolean> => {
	const accounts = await ask<Array<{ state: string }>>(served, 'GET /accounts', { key: apiKey });
	return accounts.filter(({ state }) => state === 'running').length === names.length;
};

/** @returns address of the account */
async function relate(served: Served, name: string, peer: Gateway): Promise<string> {
	const template = await ask<{ truncatedReference: string }>(
		served,
		`POST /accounts/${name}/api/v2/RelationshipTemplates/Own`,
		{
			json: {
				expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
				content: { '@type': 'ArbitraryRelationshipTemplateContent', value: {} },
			},
		},
	);
	const { id } = await peer.templates.loadPeer({ reference: template.truncatedReference });
	const creationContent = { '@type': 'ArbitraryRelationshipCreationContent' as const, value: {} };
	await peer.relationships.create({ templateId: id, creationContent });
	const query = { status: 'Active', 'template.id': id };
	let address = '';
	await until(async () => {
		await peer.account.sync();
		address = (await peer.relationships.list({ query }))[0]?.peer ?? '';
		return address !== '';
	});
	return address;
}

/** Sends a mail once the account has received enough mails. */
async function send({ messages }: Gateway, to: string, subject: string): Promise<string> {
	let id = '';
	await until(async () => {
		try {
			({ id } = await messages.send(mailTo(to, subject)));
		} catch (error) {
			if (!String(codeOf(error)).endsWith('maxNumberOfUnreceivedMessagesReached')) throw error;
		}
		return id !== '';
	});
	return id;
}

describeWithPostgres('two processes of serve', () => {
	it('share several accounts, and one takes over all when the other is killed', async () => {
		const database = await TestDatabase.create();
		const network = await TestNetwork.open();
		const receiver = await Receiver.open();
		const { user, password, host, port, database: db } = database.config;
		const accepting = { autoAcceptPendingRelationships: { enabled: true } };
		const modules = {
			...accepting,
			sse: { enabled: true },
			sync: { enabled: true, interval: 1 },
			registeredWebhooks: { allowPrivateTargets: true },
		};
		const config = join(network.newFolder(), 'config.json');
		const { baseUrl } = network.config().backbone;
		const keys = { all: { key: keyOfAll, accounts: ['*'] } };
		writeFileSync(
			config,
			JSON.stringify({
				transportLibrary: {
					baseUrl,
					platformClientId: 'test',
					platformClientSecret: 'test',
				},
				database: {
					driver: 'postgres',
					connectionString: `postgres://${user}:${encodeURIComponent(password ?? '')}@${host}:${port}/${db}`,
					passphrase: 'correct horse',
				},
				infrastructure: {
					httpServer: {
						port: 0,
						connectorVersion: 6,
						apiKey,
						authentication: { apiKey: { keys } },
					},
				},
				accounts: { north: { modules }, south: { modules } },
			}),
		);
		const first = await serve(config);
		const second = await serve(config);
		try {
			await ask(first, 'POST /accounts', { key: apiKey, json: { name: 'created', modules } });
			for (const served of [first, second]) await until(() => areRunning(served));
			const peer = await network.gateway();
			const accounts = new Map<string, string>();
			for (const name of names) {
				accounts.set(name, await relate(first, name, peer));
				await ask(second, `POST /accounts/${name}/api/v2/Webhooks`, {
					json: { url: `${receiver.url}/${name}`, events: ['consumption.messageProcessed'] },
				});
			}
			const sent = new Map<string, string[]>(names.map((name) => [name, []]));
			const mailAll = async (count: number): Promise<void> => {
				for (let number = 0; number < count; number++) {
					for (const [name, address] of accounts) {
						sent.get(name)?.push(await send(peer, address, `${name} ${number}`));
					}
				}
			};
			const sending = mailAll(mailsBefore);
			await until(() => receiver.received.length >= names.length);
			await end(first, 'SIGKILL');
			await sending;
			await mailAll(mailsAfter);

			for (const name of names) {
				const expected = [...(sent.get(name) ?? [])].sort();
				const ofAccount = () => receiver.received.filter(({ path }) => path === `/${name}`);
				await until(
					() =>
						new Set(ofAccount().map(({ body }) => body.data.message.id)).size === expected.length,
				);
				const stored = await ask<Array<{ id: string }>>(
					second,
					`GET /accounts/${name}/api/v2/Messages`,
				);
				expect(stored.map(({ id }) => id).sort()).toEqual(expected);
				// A repeated delivery has the id of the first one, by which receivers know it.
				const deliveries = new Map(
					ofAccount().map(({ body, headers }) => [
						headers['webhook-id'],
						body.data.message.id as string,
					]),
				);
				expect([...deliveries.values()].sort()).toEqual(expected);
				const { delivery } = (
					await ask<Array<{ delivery: { waiting: number; parked: number } }>>(
						second,
						`GET /accounts/${name}/api/v2/Webhooks`,
					)
				)[0] ?? { delivery: undefined };
				expect(delivery).toMatchObject({ waiting: 0 });
			}
		} finally {
			await end(first, 'SIGKILL');
			await end(second, 'SIGTERM');
			await network.close();
			await receiver.down();
			await database.drop();
		}
	});
});
