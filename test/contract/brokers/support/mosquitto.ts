import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectAsync } from 'mqtt';
import { freePort } from '../../../../scripts/n8n/free-port';
import { BrokerProcess, findProgram } from './broker-process';
import { password, type BrokerKind, type Received, type TestBroker } from './test-broker';

const program = findProgram('mosquitto');
const passwords = findProgram('mosquitto_passwd');

export const mosquitto: BrokerKind = {
	type: 'MQTT',
	missing:
		program === undefined || passwords === undefined ? 'mosquitto is not installed' : undefined,
	destinationOf: (event) => event.replaceAll('.', '/'),
	properties: { qos: 1, retain: false },
	create: async () => {
		const folder = mkdtempSync(join(tmpdir(), 'enmeshed-mosquitto-'));
		const port = await freePort();
		const access = join(folder, 'access');
		const writeAccess = (refused?: string): void => {
			const denied = refused === undefined ? [] : [`topic deny ${refused.replaceAll('.', '/')}`];
			writeFileSync(access, ['user gateway', 'topic readwrite #', ...denied, ''].join('\n'));
		};
		writeAccess();
		writeFileSync(join(folder, 'users'), '');
		execFileSync(passwords ?? '', ['-b', join(folder, 'users'), 'gateway', password]);
		const settings = [
			`listener ${port} 127.0.0.1`,
			'allow_anonymous false',
			`password_file ${join(folder, 'users')}`,
			`acl_file ${access}`,
			`user ${process.env.USER ?? 'root'}`,
		];
		writeFileSync(join(folder, 'mosquitto.conf'), settings.join('\n'));
		const url = (at = port, word = password): string =>
			`mqtt://gateway:${encodeURIComponent(word)}@127.0.0.1:${at}`;
		const open = () => connectAsync(url(), { reconnectPeriod: 0, connectTimeout: 5_000 });
		const broker = new BrokerProcess({
			program: program ?? '',
			words: ['-c', join(folder, 'mosquitto.conf')],
			folder,
			ready: async () => await (await open()).endAsync(),
		});
		return {
			port,
			settings: (change = {}) => ({
				type: 'MQTT',
				configuration: { url: url(change.port, change.password) },
			}),
			start: () => broker.start(),
			stop: () => broker.stop(),
			subscribe: async () => {
				const received: Received[] = [];
				const client = await open();
				client.on('error', () => undefined);
				client.on('message', (to, body, { qos, retain }) => {
					received.push({ to, body: body.toString(), properties: { qos, retain } });
				});
				await client.subscribeAsync('#', { qos: 1 });
				return { received, close: async () => void client.end(true) };
			},
			refuse: async (event, isRefused) => {
				writeAccess(isRefused ? event : undefined);
				broker.signal('SIGHUP');
			},
			dispose: async () => {
				await broker.stop();
				rmSync(folder, { recursive: true, force: true });
			},
		} satisfies TestBroker;
	},
};
