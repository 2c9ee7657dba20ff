import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Program } from '../scripts/served/program';
import { residentBytes } from '../scripts/served/resident-memory';
import type { Gateway } from '../core';
import type { Arena } from './arena';
import { median, shown, table } from './support/measurements';

const key = 'Bench-Has-The-Key-0123456789-abc!';
const floodSize = 1_000;
const probes = 20;
const untilIdleMs = 10_000;
const pollMs = 5;

/**
 * Measures `serve` with many accounts: start, memory, a scrape of its figures, push, and how long a mail to one account takes
 * while another account receives a flood of mails.
 *
 * @param dist folder of the built commands
 */
export async function measureHosted(arena: Arena, dist: string, count: number): Promise<void> {
	const folder = arena.newFolder();
	const names = Array.from({ length: count }, (_, number) => `account-${number}`);
	const config = join(folder, 'config.json');
	const accepting = { autoAcceptPendingRelationships: { enabled: true } };
	const settings = {
		transportLibrary: {
			baseUrl: arena.backbone.baseUrl,
			platformClientId: 'test',
			platformClientSecret: 'test',
		},
		database: { folder },
		infrastructure: {
			httpServer: {
				port: 0,
				connectorVersion: 6,
				apiKey: key,
				authentication: { apiKey: { keys: { bench: { key: `${key}1`, accounts: ['*'] } } } },
			},
		},
		modules: { sync: { enabled: false, interval: 3_600 }, sse: { enabled: true } },
		accounts: Object.fromEntries(names.map((name) => [name, { modules: accepting }])),
	};
	writeFileSync(config, JSON.stringify(settings));
	const created = await start(dist, config, count);
	await created.program.stop();
	const { program, ms } = await start(dist, config, count);
	try {
		await delay(untilIdleMs);
		const megabytes = residentBytes(program.pid) / 1_000_000;
		const scrape = await medianOf(() => scrapeMs(program));
		const [first = '', second = ''] = names;
		const peer = await arena.gateway();
		const flooded = await relate(program, first, peer);
		const probed = await relate(program, second, peer);
		const probe = (): Promise<number> => mailArrives(program, second, { peer, to: probed });
		const alone = await medianOf(probe);
		await change(program, first, true);
		await flood(peer, flooded);
		await change(program, first, false);
		const besideFlood = await medianOf(probe);
		const left = floodSize - (await mailsOf(program, first));
		const rows = [
			['creation of the accounts, s', shown(created.ms / 1_000)],
			['start until all are open, s', shown(ms / 1_000)],
			['resident memory, MB', shown(megabytes)],
			['scrape of /metrics, ms', shown(scrape)],
			['mail by push, alone, ms', shown(alone)],
			[`mail beside a flood of ${floodSize}, ms`, shown(besideFlood)],
			['mails of the flood that were left at the end', String(left)],
		];
		console.log(table([[`${count} accounts in one process`, ''], ...rows]));
	} finally {
		await program.stop();
	}
}

async function start(dist: string, config: string, count: number) {
	const started = performance.now();
	const listening = /listening on (http:\/\/\S+)/;
	const program = await Program.start(dist, ['serve', '--config', config], listening);
	for (;;) {
		const accounts = await ask<Array<{ state: string }>>(program, 'GET', '/accounts', key);
		if (accounts.filter(({ state }) => state === 'running').length === count) break;
		await delay(100);
	}
	return { program, ms: performance.now() - started };
}

async function ask<Result>(
	{ address }: Program,
	method: string,
	path: string,
	apiKey = `${key}1`,
	json?: unknown,
): Promise<Result> {
	const answer = await fetch(address + path, {
		method,
		headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
		...(json === undefined ? {} : { body: JSON.stringify(json) }),
	});
	if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
	return ((await answer.json()) as { result: Result }).result;
}

const change = (program: Program, name: string, isPaused: boolean): Promise<unknown> =>
	ask(program, 'PATCH', `/accounts/${name}`, key, { isPaused });

/** @returns address of the account */
async function relate(program: Program, name: string, peer: Gateway): Promise<string> {
	const path = `/accounts/${name}/api/v2`;
	const template = {
		expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
		content: {
			'@type': 'ArbitraryRelationshipTemplateContent',
			value: {},
		},
	};
	const { truncatedReference: reference } = await ask<{ truncatedReference: string }>(
		program,
		'POST',
		`${path}/RelationshipTemplates/Own`,
		undefined,
		template,
	);
	const { id } = await peer.templates.loadPeer({ reference });
	const creationContent = { '@type': 'ArbitraryRelationshipCreationContent' as const, value: {} };
	await peer.relationships.create({ templateId: id, creationContent });
	for (;;) {
		await peer.account.sync();
		const active = await peer.relationships.list({
			query: { status: 'Active', 'template.id': id },
		});
		const [relationship] = active;
		if (relationship !== undefined) return relationship.peer;
		await delay(50);
	}
}

async function mailArrives(
	program: Program,
	name: string,
	{ peer, to }: { readonly peer: Gateway; readonly to: string },
): Promise<number> {
	const before = await mailsOf(program, name);
	const started = performance.now();
	await peer.messages.send({
		recipients: [to],
		content: { '@type': 'Mail', to: [to], subject: 'Probe', body: 'Probe' },
	});
	while ((await mailsOf(program, name)) === before) await delay(pollMs);
	return performance.now() - started;
}

async function scrapeMs({ address }: Program): Promise<number> {
	const started = performance.now();
	const answer = await fetch(`${address}/metrics`, { headers: { 'x-api-key': key } });
	if (!answer.ok) throw new Error(`GET /metrics: ${answer.status} ${await answer.text()}`);
	await answer.text();
	return performance.now() - started;
}

const mailsOf = async (program: Program, name: string): Promise<number> =>
	(await ask<unknown[]>(program, 'GET', `/accounts/${name}/api/v2/Messages`)).length;

async function medianOf(measure: () => Promise<number>): Promise<number> {
	const times: number[] = [];
	for (let round = 0; round < probes; round++) times.push(await measure());
	return median(times);
}

async function flood({ messages }: Gateway, to: string): Promise<void> {
	const content = { '@type': 'Mail' as const, to: [to], body: 'The lazy dog. '.repeat(25) };
	for (let sent = 0; sent < floodSize; sent += 8) {
		const lanes = Array.from({ length: 8 }, (_, lane) =>
			messages.send({ recipients: [to], content: { ...content, subject: `Mail ${sent + lane}` } }),
		);
		await Promise.all(lanes);
	}
}
