import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, renameSync, rmSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Gateway } from '../../../core';
import { apiKey } from '../../core/server/support/http-gateway';
import { Forwarder } from '../../support/forwarder';
import { mailTo, relate, SandboxNetwork } from '../../support/gateways';
import { testProgram } from '../../support/quick/test-program';
import { until } from '../../support/until';
import { describeWithPrometheus, PrometheusServer, queriesOfBoard } from './prometheus';

jest.setTimeout(240_000);

/* The alarms of deploy/monitoring in a real Prometheus, with seconds in the place of minutes. */
describeWithPrometheus('the alarms of a served account', () => {
	const program = testProgram('scripts/cli/cli.ts');
	const folder = mkdtempSync(join(tmpdir(), 'enmeshed-alarms-'));
	const firedOnce = new Set<string>();
	let network: SandboxNetwork;
	let toBackbone: Forwarder;
	let receiver: Server;
	let peer: Gateway;
	let own: string;
	let addressOfPeer: string;
	let served: ChildProcess;
	let address: string;
	let prometheus: PrometheusServer;
	let stores: string;

	beforeAll(async () => {
		network = await SandboxNetwork.open({ behaviour: 'kind' });
		toBackbone = await Forwarder.to(Number(new URL(network.backbone.baseUrl).port));
		receiver = createServer((request, response) => {
			request.resume().on('end', () => response.writeHead(200).end());
		});
		await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
		const baseUrl = `http://localhost:${toBackbone.port}`;
		stores = network.newFolder();
		const config = network.config(stores);
		const account = await network.gateway({
			...config,
			account: 'crm',
			backbone: { ...config.backbone, baseUrl },
		});
		peer = await network.gateway();
		({ addressA: own, addressB: addressOfPeer } = await relate(account, peer));
		await account.close();
		await serve(baseUrl);
		const target = new URL(address).host;
		prometheus = await PrometheusServer.start({ target, token: apiKey });
	});

	afterAll(async () => {
		await prometheus.stop();
		served.kill('SIGKILL');
		receiver.close();
		await toBackbone.close();
		await network.close();
		rmSync(folder, { recursive: true });
	});

	async function serve(baseUrl: string): Promise<void> {
		const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
		const file = join(folder, 'config.json');
		writeFileSync(
			file,
			JSON.stringify({
				modules: {
					sync: { enabled: true, interval: 1 },
					sse: { enabled: true },
					webhooks: {
						enabled: true,
						targets: { shop: { url } },
						webhooks: [{ triggers: ['transport.messageReceived'], target: 'shop' }],
					},
				},
			}),
		);
		served = spawn(process.execPath, [program, 'serve', '--config', file], {
			env: {
				PATH: process.env.PATH,
				transportLibrary__baseUrl: baseUrl,
				PLATFORM_CLIENT_ID: 'test',
				PLATFORM_CLIENT_SECRET: 'test',
				API_KEY: apiKey,
				infrastructure__httpServer__port: '0',
				database__folder: stores,
				database__dbName: 'crm',
			},
			stdio: ['ignore', 'pipe', 'ignore'],
		});
		let said = '';
		served.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
		await until(() => said.includes('listening on'), 60_000);
		address = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0] ?? '';
	}

	/** Waits until an alarm fires; notes all others that fire meanwhile. */
	async function fires(name: string): Promise<void> {
		await until(async () => {
			for (const alarm of await prometheus.alarms('firing')) firedOnce.add(alarm);
			return firedOnce.has(name);
		}, 60_000);
	}

	const valueOf = async (expr: string): Promise<number> =>
		Number((await prometheus.query(expr))?.[0]?.value[1] ?? Number.NaN);

	it('do not fire while all is well, and all panels of the board have values', async () => {
		await peer.messages.send(mailTo(own));
		await until(async () => (await valueOf('sum(count_over_time(up[1m]))')) >= 10, 60_000);
		expect(await prometheus.alarms('firing')).toEqual([]);
		expect(await valueOf('enmeshed_push_connected')).toBe(1);
		const empty: string[] = [];
		for (const { panel, expr } of queriesOfBoard()) {
			if (((await prometheus.query(expr)) ?? []).length === 0) empty.push(panel);
		}
		expect(empty).toEqual([]);
	});

	it('fire for a receiver that does not answer, an external event that cannot be applied, and a message without outcome', async () => {
		receiver.close();
		receiver.closeAllConnections();
		await peer.messages.send(mailTo(own));
		await until(async () => (await valueOf('enmeshed_events_waiting')) > 0);
		const failing = { path: /\/Messages\/MSG/, times: Number.POSITIVE_INFINITY } as const;
		network.backbone.faults.add({ ...failing, action: { kind: 'status', status: 500 } });
		await peer.messages.send(mailTo(own));
		network.backbone.faults.add({
			method: 'POST',
			path: /\/Messages$/,
			action: { kind: 'cutAfter' },
		});
		network.backbone.faults.add({
			method: 'GET',
			path: /\/Messages/,
			times: Number.POSITIVE_INFINITY,
			action: { kind: 'status', status: 503 },
		});
		const sent = await fetch(`${address}/api/v2/Messages`, {
			method: 'POST',
			headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
			body: JSON.stringify(mailTo(addressOfPeer)),
		});
		expect(sent.ok).toBe(false);
		await fires('EnmeshedEventsWaiting');
		await fires('EnmeshedProblems');
		await fires('EnmeshedSendsWithoutOutcome');
	});

	it('fire for a Backbone that cannot be reached', async () => {
		await toBackbone.pause();
		await fires('EnmeshedPushDisconnected');
		await fires('EnmeshedBackboneFailing');
		await fires('EnmeshedSyncStopped');
	});

	it('fire for a store that does not answer, and for a gateway that has ended', async () => {
		expect(firedOnce).not.toContain('EnmeshedAccountUnavailable');
		for (const file of readdirSync(stores)) renameSync(join(stores, file), join(folder, file));
		await fires('EnmeshedAccountUnavailable');
		expect(firedOnce).not.toContain('EnmeshedGatewayDown');
		served.kill('SIGKILL');
		await once(served, 'exit');
		await fires('EnmeshedGatewayDown');
		expect(firedOnce.size).toBe(8);
	});
});
