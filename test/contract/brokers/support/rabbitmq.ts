import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'amqplib';
import { freePort } from '../../../../scripts/n8n/free-port';
import { BrokerProcess, findProgram } from './broker-process';
import { password, type BrokerKind, type Received, type TestBroker } from './test-broker';

// Not the wrapper for daemons, which wants to be another user.
const program = findProgram('/usr/lib/rabbitmq/bin/rabbitmq-server', 'rabbitmq-server');
const portMapper = findProgram('epmd');
export const exchange = 'enmeshed';

export const rabbitmq: BrokerKind = {
	type: 'AMQP',
	missing:
		program === undefined || portMapper === undefined
			? 'rabbitmq-server is not installed'
			: undefined,
	destinationOf: (event) => `${exchange} ${event}`,
	properties: { deliveryMode: 2 },
	create: async () => {
		const folder = mkdtempSync(join(tmpdir(), 'enmeshed-rabbitmq-'));
		const port = await freePort();
		const environment = environmentOf(folder, port, {
			mapper: await freePort(),
			distribution: await freePort(),
		});
		const url = (at = port, word = password): string =>
			`amqp://gateway:${encodeURIComponent(word)}@127.0.0.1:${at}`;
		const declare = async (): Promise<void> => {
			const connection = await connect(url(), { timeout: 5_000 });
			const channel = await connection.createChannel();
			await channel.assertExchange(exchange, 'topic', { durable: true });
			await connection.close();
		};
		const broker = new BrokerProcess({
			program: program ?? '',
			words: [],
			folder,
			environment,
			ready: declare,
		});
		return {
			port,
			settings: (change = {}) => ({
				type: 'AMQP',
				configuration: { url: url(change.port, change.password), exchange, timeout: 10_000 },
			}),
			start: () => broker.start(),
			stop: () => broker.stop(),
			subscribe: () => subscribe(url()),
			refuse: (event, isRefused) => refuse(url(), event, isRefused),
			dispose: async () => {
				await broker.stop();
				execFileSync(portMapper ?? '', ['-kill'], { env: environment, stdio: 'ignore' });
				rmSync(folder, { recursive: true, force: true });
			},
		} satisfies TestBroker;
	},
};

function environmentOf(
	folder: string,
	port: number,
	ports: { readonly mapper: number; readonly distribution: number },
): NodeJS.ProcessEnv {
	mkdirSync(join(folder, 'data'));
	writeFileSync(join(folder, 'plugins'), '[].');
	const settings = [
		`listeners.tcp.1 = 127.0.0.1:${port}`,
		'default_user = gateway',
		`default_pass = ${password}`,
		'log.console = true',
	];
	writeFileSync(join(folder, 'rabbitmq.conf'), `${settings.join('\n')}\n`);
	return {
		...process.env,
		HOME: folder,
		ERL_EPMD_ADDRESS: '127.0.0.1',
		ERL_EPMD_PORT: String(ports.mapper),
		RABBITMQ_NODENAME: `enmeshed${port}@localhost`,
		RABBITMQ_DIST_PORT: String(ports.distribution),
		RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq.conf'),
		RABBITMQ_CONF_ENV_FILE: join(folder, 'none'),
		RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'plugins'),
		RABBITMQ_MNESIA_BASE: join(folder, 'data'),
		RABBITMQ_LOG_BASE: folder,
		RABBITMQ_LOGS: '-',
		RABBITMQ_PID_FILE: join(folder, 'pid'),
	};
}

async function subscribe(url: string) {
	const received: Received[] = [];
	const connection = await connect(url, { timeout: 10_000 });
	connection.on('error', () => undefined);
	const channel = await connection.createChannel();
	const { queue } = await channel.assertQueue('', { exclusive: true });
	await channel.bindQueue(queue, exchange, '#');
	await channel.consume(
		queue,
		(message) => {
			if (message === null) return;
			const { headers, ...properties } = message.properties;
			const set = Object.entries({ ...headers, ...properties }).filter(
				([, value]) => value !== undefined,
			);
			received.push({
				to: `${message.fields.exchange} ${message.fields.routingKey}`,
				body: message.content.toString(),
				properties: Object.fromEntries(set),
			});
		},
		{ noAck: true },
	);
	return { received, close: async () => await connection.close().catch(() => undefined) };
}

/** A full queue that sends back what does not fit. */
async function refuse(url: string, event: string, isRefused: boolean): Promise<void> {
	const connection = await connect(url, { timeout: 10_000 });
	const channel = await connection.createChannel();
	if (isRefused) {
		await channel.assertQueue('full', {
			arguments: { 'x-max-length': 0, 'x-overflow': 'reject-publish' },
		});
		await channel.bindQueue('full', exchange, event);
	} else await channel.deleteQueue('full');
	await connection.close();
}
