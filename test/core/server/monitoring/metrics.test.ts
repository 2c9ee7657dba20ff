import { connect } from 'node:net';
import { once } from 'node:events';
import type { GatewayFacade } from '../../../../core';
import { Metrics } from '../../../../core/server';
import { authenticationSchema } from '../../../../core/server/config/authentication-config';
import { partsOf } from '../../../../core/gateway/gateway-parts';
import { mailTo, relate, SandboxNetwork } from '../../../support/gateways';
import { until } from '../../../support/until';
import { apiKey, HttpGateway } from '../support/http-gateway';

let network: SandboxNetwork;
beforeAll(async () => {
	network = await SandboxNetwork.open();
});
afterAll(() => network.close());

const newMetrics = () => new Metrics({ version: '1.2.3', reuseMs: 0 });

async function figures(http: HttpGateway): Promise<string> {
	const { status, headers, bytes } = await http.ask('GET /metrics');
	expect([status, headers.get('content-type')]).toEqual([
		200,
		'text/plain; version=0.0.4; charset=utf-8',
	]);
	return new TextDecoder().decode(bytes);
}

/** Values of a metric by its labels as they are written. */
function valuesOf(text: string, name: string): Record<string, number> {
	const lines = [...text.matchAll(new RegExp(`^${name}(?:{(.*)})? (\\S+)$`, 'gm'))];
	return Object.fromEntries(lines.map(([, labels = '', value]) => [labels, Number(value)]));
}

describe('GET /metrics', () => {
	it('needs the roles of /Monitoring', async () => {
		const http = await HttpGateway.open(network, { metrics: newMetrics() });
		expect((await http.ask('GET /metrics', { headers: { 'x-api-key': '' } })).status).toBe(401);
		expect((await http.ask('GET /Metrics/')).status).toBe(200);
		await http.close();
	});

	it('takes the key as a bearer token, the only header that every Prometheus can send', async () => {
		const http = await HttpGateway.open(network, { metrics: newMetrics() });
		const statusWith = async (authorization: string) => {
			const answer = await fetch(`${http.server.address}/metrics`, { headers: { authorization } });
			return answer.status;
		};
		expect(await statusWith(`Bearer ${apiKey}`)).toBe(200);
		expect(await statusWith('Bearer wrong')).toBe(401);
		expect(await statusWith(`Basic ${apiKey}`)).toBe(401);
		await http.close();
	});

	it('needs monitoring:metrics with version 7', async () => {
		const key = (name: string) => `Tests-Have-The-Key-0123456789-${name}`;
		const authentication = authenticationSchema.parse({
			apiKey: {
				keys: {
					prometheus: { key: key('metrics'), scopes: ['monitoring:metrics'] },
					crm: { key: key('others'), scopes: ['core:**', 'monitoring:version'] },
				},
			},
		});
		const http = await HttpGateway.open(network, {
			connectorVersion: 7,
			metrics: newMetrics(),
			authentication,
		});
		const statusFor = async (name: string) =>
			(await http.ask('GET /metrics', { headers: { 'x-api-key': key(name) } })).status;
		expect([await statusFor('metrics'), await statusFor('others')]).toEqual([200, 403]);
		await http.close();
	});

	it('does not exist without figures', async () => {
		const http = await HttpGateway.open(network);
		expect((await http.ask('GET /metrics')).status).toBe(404);
		await http.close();
	});
});

describe('the figures of an account', () => {
	let http: HttpGateway;
	let addressOfPeer: string;
	beforeAll(async () => {
		http = await HttpGateway.open(network, { metrics: newMetrics() });
		const peer = await network.gateway();
		({ addressB: addressOfPeer } = await relate(http.gateway, peer));
	});
	afterAll(() => http.close());

	it('count syncs, calls to the Backbone and transactions', async () => {
		await http.ask('POST /Account/Sync');
		const before = await figures(http);
		await http.ask('POST /Account/Sync');
		const text = await figures(http);
		const syncs = 'account="default",result="success"';
		const grown = (name: string, labels: string): number =>
			(valuesOf(text, name)[labels] ?? 0) - (valuesOf(before, name)[labels] ?? 0);
		expect(grown('enmeshed_syncs_total', syncs)).toBe(1);
		const call = 'account="default",resource="SyncRuns",result="success"';
		expect(grown('enmeshed_backbone_calls_total', call)).toBe(1);
		expect(
			valuesOf(text, 'enmeshed_store_writes_total')['account="default",result="committed"'],
		).toBeGreaterThan(0);
		expect(valuesOf(text, 'enmeshed_sync_duration_seconds_count')['']).toBeGreaterThan(1);
		expect(
			Date.now() / 1_000 -
				(valuesOf(text, 'enmeshed_sync_last_success_timestamp_seconds')['account="default"'] ?? 0),
		).toBeLessThan(60);
		expect(valuesOf(text, 'enmeshed_account_up')).toEqual({ 'account="default"': 1 });
		expect(valuesOf(text, 'enmeshed_accounts')).toEqual({ 'state="open"': 1 });
		expect(valuesOf(text, 'enmeshed_build_info')).toEqual({ 'version="1.2.3"': 1 });
		expect(valuesOf(text, 'process_resident_memory_bytes')['']).toBeGreaterThan(0);
	});

	it('tell failed calls from refused ones', async () => {
		network.backbone.faults.add({ path: /\/SyncRuns/, action: { kind: 'status', status: 503 } });
		await http.ask('GET /Messages/MSGabcdefghijklmnopq');
		await http.ask('POST /Account/Sync');
		const text = await figures(http);
		const calls = valuesOf(text, 'enmeshed_backbone_calls_total');
		expect(calls['account="default",resource="SyncRuns",result="failed"']).toBe(1);
		const syncs = valuesOf(text, 'enmeshed_syncs_total');
		expect(syncs['account="default",result="unreachable"']).toBe(1);
		expect(Object.keys(syncs)).not.toContain('account="default",result="paused"');
	});

	it('name patterns of routes only, and nothing of a request or a peer', async () => {
		await http.ask('GET /Messages/MSGabcdefghijklmnopq');
		await http.ask('POST /Messages', { json: mailTo(addressOfPeer) });
		await http.ask(`GET /no-such-route/${addressOfPeer}`);
		const text = await figures(http);
		const requests = valuesOf(text, 'enmeshed_http_requests_total');
		expect(requests).toMatchObject({
			'method="GET",route="/api/v2/Messages/:id",status="404"': expect.any(Number),
			'method="POST",route="/api/v2/Messages",status="201"': 1,
			'method="GET",route="unknown",status="404"': 1,
		});
		expect(text).not.toContain(addressOfPeer);
		expect(text).not.toContain('MSGabc');
	});

	it('show what waits for a consumer that runs, and its age, until it is settled', async () => {
		const stop = new AbortController();
		let accept = false;
		const consuming = http.gateway.events.consume({
			consumer: 'webhook:"crm"\n',
			filter: {},
			batchSize: 1,
			startFrom: 'now',
			signal: stop.signal,
			deliver: () =>
				Promise.resolve(
					accept ? { kind: 'accepted' } : { kind: 'repeat', afterMs: 10, reason: 'It is busy.' },
				),
		});
		const labels = String.raw`account="default",consumer="webhook:\"crm\"\n"`;
		const waiting = async () => valuesOf(await figures(http), 'enmeshed_events_waiting')[labels];
		await until(async () => (await waiting()) === 0);
		await http.ask('POST /Messages', { json: mailTo(addressOfPeer) });
		await until(async () => ((await waiting()) ?? 0) > 0);
		const age = valuesOf(await figures(http), 'enmeshed_events_waiting_age_seconds')[labels];
		expect(age).toBeLessThan(30);
		accept = true;
		await until(async () => (await waiting()) === 0);
		const { consumers } = await http.gateway.account.getSyncStatus();
		expect(consumers).toContainEqual(
			expect.objectContaining({ isRunning: true, waitingEvents: 0, parkedEvents: 0 }),
		);
		stop.abort();
		await consuming;
		expect(await waiting()).toBeUndefined();
	});
});

describe('many accounts', () => {
	/** Facade that counts how often its figures are read. */
	const counted = (facade: GatewayFacade, reads: { count: number }): GatewayFacade => ({
		...facade,
		account: {
			...facade.account,
			getSyncStatus: (options) => {
				reads.count++;
				return facade.account.getSyncStatus(options);
			},
		},
	});

	it('are read once for all answers within the time of reuse', async () => {
		const metrics = new Metrics({ version: '1.2.3', reuseMs: 60_000 });
		const http = await HttpGateway.open(network, { metrics });
		const reads = { count: 0 };
		for (let number = 1; number <= 200; number++) {
			metrics.addAccount(`account-${number}`, { facade: counted(http.gateway, reads) });
		}
		const calls = network.backbone.calls.entries.length;
		const texts = await Promise.all(Array.from({ length: 20 }, () => figures(http)));
		expect(reads.count).toBe(200);
		expect(Object.keys(valuesOf(texts[0] ?? '', 'enmeshed_account_up'))).toHaveLength(201);
		expect(new Set(texts).size).toBe(1);
		expect(network.backbone.calls.entries.length).toBe(calls);
		await http.close();
	});

	it('do not wait for one whose store does not answer, and do not ask it again', async () => {
		const metrics = newMetrics();
		const http = await HttpGateway.open(network, { metrics });
		const reads = { count: 0 };
		const silent = {
			...http.gateway.account,
			getSyncStatus: () => new Promise<never>(() => reads.count++),
		};
		metrics.addAccount('silent', { facade: { account: silent } });
		for (let times = 1; times <= 2; times++) {
			expect(valuesOf(await figures(http), 'enmeshed_account_up')).toEqual({
				'account="default"': 1,
				'account="silent"': 0,
			});
		}
		expect(reads.count).toBe(1);
		await http.close();
	});

	it('lose their series when they are released', async () => {
		const metrics = newMetrics();
		const http = await HttpGateway.open(network, { metrics });
		const instruments = metrics.instrumentsOf('leaving');
		const released = metrics.addAccount('leaving', { facade: http.gateway });
		instruments.storeWritten({ waitMs: 1, durationMs: 1, isCommitted: true });
		expect(await figures(http)).toContain('leaving');
		metrics.countAccountStates(() => ({ open: 1, failed: 2 }));
		released.release();
		instruments.storeWritten({ waitMs: 1, durationMs: 1, isCommitted: true });
		const text = await figures(http);
		expect(text).not.toContain('leaving');
		expect(valuesOf(text, 'enmeshed_accounts')).toEqual({ 'state="open"': 1, 'state="failed"': 2 });
		await http.close();
	});
});

describe('the routes about the health', () => {
	const noKey = { headers: { 'x-api-key': '' } };

	it('say that the process lives and can serve, without a key', async () => {
		const http = await HttpGateway.open(network);
		expect(await http.ask('GET /health/live', noKey)).toMatchObject({
			status: 200,
			json: { isLive: true },
		});
		expect(await http.ask('GET /health/ready', noKey)).toMatchObject({
			status: 200,
			json: { isReady: true, database: 'healthy', isClosing: false },
		});
		await http.close();
	});

	it('say that nothing can be served without the store, while the process lives', async () => {
		const http = await HttpGateway.open(network);
		await partsOf(http.gateway).store.close();
		expect(await http.ask('GET /health/ready', noKey)).toMatchObject({
			status: 503,
			json: { isReady: false, database: 'unhealthy' },
		});
		expect((await http.ask('GET /health/live', noKey)).status).toBe(200);
		await http.close();
	});

	it('say that the process is closing, on a connection that is still open', async () => {
		const http = await HttpGateway.open(network, { drainMs: 20_000 });
		const { port } = new URL(http.server.address);
		const socket = connect(Number(port), '127.0.0.1');
		await once(socket, 'connect');
		socket.write('GET /health/ready HTTP/1.1\r\n');
		// The answer to another client comes after these bytes.
		await http.ask('GET /health/live');
		const closed = http.close();
		socket.write('host: localhost\r\nconnection: close\r\n\r\n');
		let answer = '';
		for await (const chunk of socket) answer += String(chunk);
		expect(answer).toMatch(/^HTTP\/1.1 503 /);
		expect(answer).toContain('"isClosing":true');
		await closed;
	});
});
