import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildSync } from 'esbuild';

/*
 * The MQTT client in a bundle of its own, as the package has it: Node hides deprecations of what lies in
 * node_modules.
 */
const folder = mkdtempSync(join(tmpdir(), 'enmeshed-mqtt-'));
const bundle = join(folder, 'mqtt-client.cjs');

beforeAll(() => {
	buildSync({
		entryPoints: [join(__dirname, '../../../core/publish/brokers/mqtt-client.ts')],
		outfile: bundle,
		bundle: true,
		platform: 'node',
		logLevel: 'error',
	});
});
afterAll(() => rmSync(folder, { recursive: true }));

const program = `
	const { connectMqtt } = require(process.argv[1]);
	const options = { signal: AbortSignal.timeout(5000), setting: 'broker' };
	connectMqtt({ url: process.argv[2] }, options).then(
		() => console.log('connected'),
		(error) => console.log(String(error)),
	);`;

/** What a broker hears first from the client, which then hears nothing. */
async function firstPacket(
	urlAt: (port: number) => string,
): Promise<{ packet: Buffer; said: string }> {
	const heard = Promise.withResolvers<Buffer>();
	const broker = createServer((socket) => {
		socket.on('error', () => undefined);
		socket.once('data', (data) => {
			heard.resolve(data);
			socket.destroy();
		});
	});
	broker.listen(0, '127.0.0.1');
	await once(broker, 'listening');
	const url = urlAt((broker.address() as AddressInfo).port);
	const words = ['--trace-deprecation', '--eval', program, bundle, url];
	const { stdout, stderr } = await promisify(execFile)(process.execPath, words);
	broker.close();
	return { packet: await heard.promise, said: stdout + stderr };
}

it('connects without a deprecation warning of Node, with what its address says', async () => {
	const { packet, said } = await firstPacket(
		(port) => `mqtt://us%40er:pass%3Aword@127.0.0.1:${port}/?clientId=gateway-1`,
	);
	expect(said).not.toMatch(/Deprecation/);
	const text = packet.toString('latin1');
	for (const part of ['MQTT', 'gateway-1', 'us@er', 'pass:word']) expect(text).toContain(part);
});

it.each(['tcp', 'ws'])('connects over %s', async (scheme) => {
	const { packet, said } = await firstPacket((port) => `${scheme}://u@127.0.0.1:${port}/mqtt?a=b`);
	expect(said).not.toMatch(/Deprecation/);
	const first = scheme === 'ws' ? /^GET \/mqtt\?a=b HTTP\/1\.1\r\n/ : /MQTT/;
	expect(packet.toString('latin1')).toMatch(first);
});
