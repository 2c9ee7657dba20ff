import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '../served/client';
import { residentBytes } from '../served/resident-memory';
import { SandboxProgram } from '../served/sandbox-program';
import { apiKey, ServedGateway } from '../served/served-gateway';
import { attack, type AttackReport } from './attack';
import { bomb, deepNesting, prototypeBodies, request, type Door } from './doors';

const dist = join(__dirname, '..', '..', 'dist');
/** resident memory that an attack without a key may leave */
const mostMB = 250;
/** Clients with the key may make us unpack and read, twenty at once here. */
const mostWithKeyMB = 500;
/** of nineteen in twenty answers afterwards: this machine does other things as well */
const mostMs = 50;
const answersAfterwards = 50;
/** Connections that are cut off, and memory that is given back, take a moment. */
const restMs = 3_000;

/**
 * `npm run attack`: the built HTTP gateway in a process of its own, and everything that somebody without a key can
 * try at its doors. Fails when the gateway ends, lets somebody in, keeps more memory than it
 * may, or answers slowly afterwards; then does the same with bodies of a client that has the key.
 */
async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			requests: { type: 'string', default: '10000' },
			'at-once': { type: 'string', default: '300' },
		},
	});
	const [requests, atOnce] = [Number(values.requests), Number(values['at-once'])];
	if (!Number.isInteger(requests) || requests < 100 || !Number.isInteger(atOnce) || atOnce < 1) {
		throw new Error(
			'Usage: npm run attack -- [--requests <number, at least 100>] [--at-once <number>]',
		);
	}
	const sandbox = await SandboxProgram.start(dist);
	let gateway: ServedGateway | undefined;
	try {
		const environment = { modules__coreHttpApi__docs__enabled: 'true' };
		gateway = await ServedGateway.start({ dist, backboneUrl: sandbox.url, environment });
		console.log(`before: ${residentMB(gateway).toFixed(1)} MB`);
		const isUnhurt = [
			await attackAndJudge('without a key', gateway, mostMB, { requests, atOnce }),
			await attackAndJudge('with the key', gateway, mostWithKeyMB, {
				requests: Math.ceil(requests / 20),
				atOnce: Math.min(atOnce, 20),
				among: doorsWithKey,
			}),
		];
		if (isUnhurt.includes(false)) process.exitCode = 1;
	} finally {
		await gateway?.stop();
		await sandbox.stop();
	}
}

const withKey = [`x-api-key: ${apiKey}`] as const;
const jsonWithKey = [...withKey, 'content-type: application/json'] as const;
const ownTemplate = 'POST /api/v2/RelationshipTemplates/Own';

/** What a client that has the key sends by mistake, or because somebody else wrote it. */
const doorsWithKey: readonly Door[] = [
	{
		name: 'compressed lists',
		share: 2,
		allowed: [400],
		knock: (number) => ({ text: bomb(number, withKey) }),
	},
	{
		name: 'deep nesting',
		share: 1,
		allowed: [400],
		knock: () => ({ text: request(ownTemplate, jsonWithKey, deepNesting) }),
	},
	{
		name: 'prototype tricks',
		share: 1,
		allowed: [400],
		knock: (number) => ({
			text: request(ownTemplate, jsonWithKey, prototypeBodies[number % prototypeBodies.length]),
		}),
	},
];

async function attackAndJudge(
	name: string,
	gateway: ServedGateway,
	mostLeftMB: number,
	plan: Parameters<typeof attack>[1],
): Promise<boolean> {
	const client = new Client(gateway.address);
	const before = await stateOf(client);
	const report = await attack(gateway, plan);
	await delay(restMs);
	const answerMs = await answerTimes(client);
	const usualMs = answerMs[Math.floor(answerMs.length * 0.95)] ?? Number.NaN;
	const leftMB = residentMB(gateway);
	const isUnchanged = (await stateOf(client)) === before;
	print(name, report);
	return [
		verdict(
			'memory afterwards',
			`${leftMB.toFixed(1)} MB, at most ${mostLeftMB}`,
			leftMB <= mostLeftMB,
		),
		verdict(
			'19 of 20 answers afterwards',
			`${usualMs.toFixed(1)} ms, at most ${mostMs}; the slowest ${answerMs.at(-1)?.toFixed(1)} ms`,
			usualMs <= mostMs,
		),
		verdict('what is stored', isUnchanged ? 'unchanged' : 'CHANGED', isUnchanged),
		...report.doors.map((door) =>
			verdict(door.name, `${door.wrong} wrong answers`, door.wrong === 0),
		),
	].every(Boolean);
}

/** What an attack could have added, as one text. */
async function stateOf(client: Client): Promise<string> {
	const calls = [
		'GET /RelationshipTemplates',
		'GET /Attributes',
		'GET /Files',
		'GET /Account/IdentityInfo',
	];
	const answers = [];
	for (const call of calls) answers.push(await client.result<unknown>(call));
	return JSON.stringify(answers);
}

/** @returns milliseconds, the quickest first */
async function answerTimes(client: Client): Promise<number[]> {
	const times: number[] = [];
	for (let count = 0; count < answersAfterwards; count++) {
		const startedAt = performance.now();
		await client.result('GET /Account/IdentityInfo');
		times.push(performance.now() - startedAt);
	}
	return times.sort((a, b) => a - b);
}

function residentMB(gateway: ServedGateway): number {
	return residentBytes(gateway.pid) / 1_000_000;
}

function print(name: string, { doors, peakMB, seconds }: AttackReport): void {
	console.log(`\n${name}: ${seconds.toFixed(0)} s, at most ${peakMB.toFixed(1)} MB meanwhile`);
	for (const door of doors) {
		const outcomes = [...door.outcomes].map(([outcome, times]) => `${outcome}: ${times}`);
		console.log(`  ${door.name.padEnd(24)} ${outcomes.join(', ')}`);
	}
}

function verdict(what: string, found: string, isGood: boolean): boolean {
	console.log(`  ${isGood ? 'passed' : 'FAILED'}  ${what}: ${found}`);
	return isGood;
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
