import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@redis/client';
import { freePort } from '../../../../scripts/n8n/free-port';
import { BrokerProcess, findProgram } from './broker-process';
import { password, type BrokerKind, type Received, type TestBroker } from './test-broker';

const program = findProgram('redis-server');
const all = ['~*', '&*', '+@all'];

export const redis: BrokerKind = {
	type: 'Redis',
	missing: program === undefined ? 'redis-server is not installed' : undefined,
	destinationOf: (event) => event,
	properties: {},
	create: async () => {
		const folder = mkdtempSync(join(tmpdir(), 'enmeshed-redis-'));
		const port = await freePort();
		const words = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder];
		const url = `redis://:${encodeURIComponent(password)}@127.0.0.1:${port}`;
		const open = async () => {
			const client = createClient({ url, socket: { reconnectStrategy: false } });
			client.on('error', () => undefined);
			return await client.connect();
		};
		const command = async (...call: string[]): Promise<void> => {
			const client = await open();
			await client.sendCommand(call);
			await client.close();
		};
		const broker = new BrokerProcess({
			program: program ?? '',
			// A client that may no longer listen is disconnected: the gateway has a user of its own.
			words: [
				...words,
				'--requirepass',
				password,
				'--user',
				'gateway',
				'on',
				`>${password}`,
				...all,
			],
			folder,
			ready: () => command('PING'),
		});
		return {
			port,
			settings: (change = {}) => ({
				type: 'Redis',
				configuration: {
					url: `redis://gateway:${encodeURIComponent(change.password ?? password)}@127.0.0.1:${change.port ?? port}`,
				},
			}),
			start: () => broker.start(),
			stop: () => broker.stop(),
			subscribe: async () => {
				const received: Received[] = [];
				const client = await open();
				await client.pSubscribe('*', (body, to) => received.push({ to, body, properties: {} }));
				return { received, close: async () => void (client.isOpen && client.destroy()) };
			},
			refuse: async (event, isRefused) => {
				const allowed = isRefused ? ['resetchannels', `&not-${event}`] : ['allchannels'];
				await command('ACL', 'SETUSER', 'gateway', ...allowed);
			},
			dispose: async () => {
				await broker.stop();
				rmSync(folder, { recursive: true, force: true });
			},
		} satisfies TestBroker;
	},
};
