import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Gateway } from '../../core';
import { Client } from '../served/client';
import { SandboxProgram } from '../served/sandbox-program';
import { ServedGateway } from '../served/served-gateway';
import { soak, type SoakMinute } from './soak';
import { prepare } from './soaked-gateway';

const dist = join(__dirname, '..', '..', 'dist');
const requestsPerSecond = 100;
/** resident memory of the last minute against that of the second one */
const mostGrowth = 1.1;
/** of the requests that were due */
const leastSent = 0.99;

/**
 * `npm run soak`: mixed requests at a steady rate against the built HTTP gateway, with the sandbox as
 * its Backbone. Fails when its memory grows, when it does not keep up, or when an answer is wrong.
 */
async function main(): Promise<void> {
	const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } });
	const minutes = Number(values.minutes);
	if (!Number.isInteger(minutes) || minutes < 3) {
		throw new Error('Usage: npm run soak -- [--minutes <number, at least 3>]');
	}
	const sandbox = await SandboxProgram.start(dist);
	try {
		await soakOver(sandbox, minutes);
	} finally {
		await sandbox.stop();
	}
}

async function soakOver({ url }: SandboxProgram, minutes: number): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), 'soak-'));
	const peer = await Gateway.open({
		backbone: { baseUrl: url, clientId: 'test', clientSecret: 'test' },
		store: { kind: 'sqlite', folder },
	});
	let gateway: ServedGateway | undefined;
	try {
		gateway = await ServedGateway.start({ dist, backboneUrl: url });
		const objects = await prepare(new Client(gateway.address), peer);
		// Mails that nobody fetches are refused after a while.
		peer.events.keepSynced({
			intervalMs: 500,
			push: false,
			onProblem: (problem) => problem && console.error(`the peer: ${problem.message}`),
		});
		console.log(`${requestsPerSecond} mixed requests per second for ${minutes} minutes`);
		judge(await soak(gateway, objects, { minutes, requestsPerSecond, onMinute: print }));
	} finally {
		await gateway?.stop();
		await peer.close();
		rmSync(folder, { recursive: true, force: true });
	}
}

function print({ sent, residentMB, failures, medianMs }: SoakMinute, number: number): void {
	console.log(
		`minute ${number}: ${sent} requests, ${failures.length} failures, median ${medianMs.toFixed(1)} ms, ` +
			`resident ${residentMB.toFixed(1)} MB`,
	);
	for (const failure of failures.slice(0, 3)) console.error(`  ${failure}`);
}

function judge(run: readonly SoakMinute[]): void {
	const second = run[1]?.residentMB ?? Number.NaN;
	const last = run.at(-1)?.residentMB ?? Number.NaN;
	const sent = run.reduce((sum, minute) => sum + minute.sent, 0);
	const failures = run.reduce((sum, minute) => sum + minute.failures.length, 0);
	const isSteady = last <= second * mostGrowth;
	const isFast = sent >= leastSent * run.length * 60 * requestsPerSecond;
	const percent = ((last / second - 1) * 100).toFixed(1);
	console.log(
		`last minute ${last.toFixed(1)} MB, second minute ${second.toFixed(1)} MB: ${percent} % more, ` +
			`at most ${((mostGrowth - 1) * 100).toFixed(0)} % wanted: ${isSteady ? 'passed' : 'FAILED'}; ` +
			`${sent} requests sent${isFast ? '' : ' (FAILED: fewer than due)'}, ${failures} failures`,
	);
	if (!isSteady || !isFast || failures > 0) process.exitCode = 1;
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
