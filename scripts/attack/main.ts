import { setTimeout as delay } from 'node:timers/promises';
import { playMix, residentMB } from '../harness/mix';
import { countsOf, numbersOf, runCommand, verdict } from '../harness/report';
import { Client } from '../served/client';
import { isHealthy, withServedGateway, type ServedGateway } from '../served/served-gateway';
import { kinds, kindsWithKey, type AttackKind } from './attack-kinds';
import { openSilently, runConnection } from './connection';
import { attackDoors } from './doors';

/** Megabytes of resident memory allowed after attacks without a key. */
const maxMB = 250;
/** Limit for clients with a key, which may cause unpacking and reading, here twenty at once. */
const maxWithKeyMB = 500;
/**
 * Milliseconds for nineteen of twenty answers afterwards, with a margin for other load of the
 * machine.
 */
const maxMs = 50;
const answersAfterwards = 50;
/** Time for closing connections and releasing memory. */
const settleMs = 3_000;

/**
 * `npm run attack`: attacks the built HTTP gateway, in a process of its own, with everything that a
 * client without a key can try, silent connections first. Fails if the gateway ends, keeps others
 * out, grants access, keeps more memory than allowed, or answers slowly afterwards; then repeats
 * this with the bodies of a client that has the key, and attacks a gateway with several accounts.
 */
async function main(): Promise<void> {
	const { requests, 'at-once': atOnce } = numbersOf({
		requests: { default: 10_000, least: 100 },
		'at-once': { default: 300, least: 1 },
	});
	await withServedGateway({ modules__coreHttpApi__docs__enabled: 'true' }, async (gateway) => {
		console.log(`before: ${residentMB(gateway.pid).toFixed(1)} MB`);
		await holdSilently(gateway, requests);
		await attack('without a key', gateway, kinds, maxMB, { count: requests, atOnce });
		const few = { count: Math.ceil(requests / 20), atOnce: Math.min(atOnce, 20) };
		await attack('with the key', gateway, kindsWithKey, maxWithKeyMB, few);
	});
	await attackDoors({ count: requests, atOnce });
}

/** Opens connections that stay silent, and asks beside them as a load balancer and a client do. */
async function holdSilently(gateway: ServedGateway, count: number): Promise<void> {
	const opening = openSilently(gateway.address, count);
	const isHealthyMeanwhile = await isHealthy(gateway);
	const sockets = await opening;
	const isHealthyAfterwards = await isHealthy(gateway);
	const answers = await answerTimes(new Client(gateway.address)).catch(() => []);
	console.log(
		`\n${count} silent connections, ${sockets.filter(({ closed }) => !closed).length} held`,
	);
	verdict('health meanwhile', String(isHealthyMeanwhile), isHealthyMeanwhile);
	verdict('health beside them', String(isHealthyAfterwards), isHealthyAfterwards);
	verdict('answers with the key', answers.length, answers.length === answersAfterwards);
	for (const socket of sockets) socket.destroy();
}

async function attack(
	name: string,
	gateway: ServedGateway,
	among: readonly AttackKind[],
	maxLeftMB: number,
	load: { readonly count: number; readonly atOnce: number },
): Promise<void> {
	const client = new Client(gateway.address);
	const before = await stateOf(client);
	const turns = among.reduce((sum, { share }) => sum + share, 0);
	const report = await playMix(
		among.map((kind) => ({
			...kind,
			play: (number) =>
				runConnection(gateway.address, kind.plan(Math.floor(number / turns) + number)),
		})),
		{ ...load, pid: gateway.pid },
	);
	await delay(settleMs);
	const answerMs = await answerTimes(client);
	const usualMs = answerMs[Math.floor(answerMs.length * 0.95)] ?? Number.NaN;
	const leftMB = residentMB(gateway.pid);
	const isUnchanged = (await stateOf(client)) === before;
	console.log(
		`\n${name}: ${report.seconds.toFixed(0)} s, at most ${report.peakMB.toFixed(1)} MB meanwhile`,
	);
	verdict(
		'memory afterwards',
		`${leftMB.toFixed(1)} MB, at most ${maxLeftMB}`,
		leftMB <= maxLeftMB,
	);
	verdict(
		'19 of 20 answers afterwards',
		`${usualMs.toFixed(1)} ms, at most ${maxMs}; the slowest ${answerMs.at(-1)?.toFixed(1)} ms`,
		usualMs <= maxMs,
	);
	verdict('what is stored', isUnchanged ? 'unchanged' : 'CHANGED', isUnchanged);
	for (const [kind, counts] of report.outcomes) {
		verdict(kind.name, countsOf(counts), report.wrong.get(kind) === 0);
	}
}

/** State that an attack could have changed, as one text. */
async function stateOf(client: Client): Promise<string> {
	const nouns = ['RelationshipTemplates', 'Attributes', 'Files', 'Account/IdentityInfo'];
	const answers = [];
	for (const noun of nouns) answers.push(await client.result<unknown>(`GET /${noun}`));
	return JSON.stringify(answers);
}

/** @returns milliseconds, in ascending order */
async function answerTimes(client: Client): Promise<number[]> {
	const times: number[] = [];
	for (let count = 0; count < answersAfterwards; count++) {
		const startedAt = performance.now();
		await client.result('GET /Account/IdentityInfo');
		times.push(performance.now() - startedAt);
	}
	return times.sort((a, b) => a - b);
}

runCommand(main);
