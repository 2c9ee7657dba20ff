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
/**
 * maximum ratio of the resident memory in the last minute to the resident memory in the second
 * minute
 */
const maxGrowth = 1.1;
/** minimum share of scheduled requests that were sent */
const minSent = 0.99;

/**
 * `npm run soak`: sends mixed requests at a steady rate to the built HTTP gateway, with the sandbox
 * as its Backbone. Fails if memory grows, if the gateway does not keep up, or if an answer is
 * wrong.
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
		// The Backbone refuses further mails after a while if the peer does not fetch them.
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
	const isSteady = last <= second * maxGrowth;
	const isFast = sent >= minSent * run.length * 60 * requestsPerSecond;
	const percent = ((last / second - 1) * 100).toFixed(1);
	console.log(
		`last minute ${last.toFixed(1)} MB, second minute ${second.toFixed(1)} MB: ${percent} % more, ` +
			`at most ${((maxGrowth - 1) * 100).toFixed(0)} % wanted: ${isSteady ? 'passed' : 'FAILED'}; ` +
			`${sent} requests sent${isFast ? '' : ' (FAILED: fewer than due)'}, ${failures} failures`,
	);
	if (!isSteady || !isFast || failures > 0) process.exitCode = 1;
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
