import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Gateway } from '../../core';
import { playMix, type Kind } from '../harness/mix';
import { countsOf, numbersOf, runCommand, verdict } from '../harness/report';
import { Client } from '../served/client';
import { withServedGateway } from '../served/served-gateway';
import { mixedRequests } from './mixed-requests';

const perSecond = 100;
const perMinute = 60 * perSecond;
/** Number of pending answers at which the gateway does not keep up. */
const atOnce = 500;
/** Largest ratio of the resident memory in the last minute to that in the second minute. */
const maxGrowth = 1.1;
/** Milliseconds by which a minute of requests may take longer. */
const maxLateMs = 600;

/**
 * `npm run soak`: sends mixed requests at a steady rate to the built HTTP gateway, with the sandbox
 * as its Backbone. Fails if memory grows, if the gateway does not keep up, or if an answer is
 * wrong.
 */
async function main(): Promise<void> {
	const { minutes } = numbersOf({ minutes: { default: 10, least: 3 } });
	await withServedGateway({}, async (gateway, backboneUrl) => {
		const folder = mkdtempSync(join(tmpdir(), 'soak-'));
		const peer = await Gateway.open({
			backbone: { baseUrl: backboneUrl, clientId: 'test', clientSecret: 'test' },
			store: { kind: 'sqlite', folder },
		});
		try {
			const kinds = await mixedRequests(new Client(gateway.address), peer);
			// The Backbone refuses further mails after a while if the peer does not fetch them.
			const onProblem = (problem: unknown) => problem && console.error(`the peer: ${problem}`);
			peer.events.keepSynced({ intervalMs: 500, push: false, onProblem });
			await soak(gateway.pid, kinds, minutes);
		} finally {
			await peer.close();
			rmSync(folder, { recursive: true, force: true });
		}
	});
}

async function soak(pid: number, kinds: readonly Kind[], minutes: number): Promise<void> {
	console.log(`${perSecond} mixed requests per second for ${minutes} minutes`);
	const resident: number[] = [];
	for (let minute = 0; minute < minutes; minute++) {
		const load = { pid, from: minute * perMinute, count: perMinute, atOnce, perSecond };
		const { outcomes, wrong, meanMB, medianMs, seconds } = await playMix(kinds, load);
		resident.push(meanMB);
		console.log(
			`minute ${minute + 1}: median ${medianMs.toFixed(1)} ms, resident ${meanMB.toFixed(1)} MB`,
		);
		verdict('seconds', seconds.toFixed(1), seconds * 1_000 <= 60_000 + maxLateMs);
		for (const [kind, counts] of outcomes) {
			if (wrong.get(kind) !== 0) verdict(kind.name, countsOf(counts), false);
		}
	}
	const [second = Number.NaN, last = Number.NaN] = [resident[1], resident.at(-1)];
	const percent = ((last / second - 1) * 100).toFixed(1);
	verdict('more memory than in the second minute', `${percent} %`, last <= second * maxGrowth);
}

runCommand(main);
