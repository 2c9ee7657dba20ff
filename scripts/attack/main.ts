import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '../served/client';
import { residentBytes } from '../served/resident-memory';
import { SandboxProgram } from '../served/sandbox-program';
import { apiKey, ServedGateway } from '../served/served-gateway';
import { attack, type AttackReport } from './attack';
import { SilentConnections } from './silent-connections';
import {
	compressionBomb,
	deepNesting,
	prototypeBodies,
	request,
	type AttackKind,
} from './attack-kinds';

const dist = join(__dirname, '..', '..', 'dist');
/** megabytes of resident memory allowed after attacks without a key */
const maxMB = 250;
/** Limit for clients with a key, which may cause unpacking and reading, here twenty at once. */
const maxWithKeyMB = 500;
/**
 * milliseconds for nineteen of twenty answers afterwards, with a margin for other load of the
 * machine
 */
const maxMs = 50;
const answersAfterwards = 50;
/** Time for closing connections and releasing memory. */
const settleMs = 3_000;

/**
 * `npm run attack`: attacks the built HTTP gateway, in a process of its own, with everything that a
 * client without a key can try, silent connections first. Fails if the gateway ends, keeps others
 * out, grants access, keeps more memory than allowed, or answers slowly afterwards; then repeats this
 * with the bodies of a client that has the key.
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
		const results = [
			await holdSilently(gateway, requests),
			await attackAndJudge('without a key', gateway, maxMB, { requests, atOnce }),
			await attackAndJudge('with the key', gateway, maxWithKeyMB, {
				requests: Math.ceil(requests / 20),
				atOnce: Math.min(atOnce, 20),
				among: kindsWithKey,
			}),
		];
		if (results.includes(false)) process.exitCode = 1;
	} finally {
		await gateway?.stop();
		await sandbox.stop();
	}
}

const withKey = [`x-api-key: ${apiKey}`] as const;
const jsonWithKey = [...withKey, 'content-type: application/json'] as const;
const ownTemplate = 'POST /api/v2/RelationshipTemplates/Own';

/** Bodies that a client with a key may send by mistake or pass on from others. */
const kindsWithKey: readonly AttackKind[] = [
	{
		name: 'compressed lists',
		share: 2,
		allowed: [400],
		plan: (number) => ({ text: compressionBomb(number, withKey) }),
	},
	{
		name: 'deep nesting',
		share: 1,
		allowed: [400],
		plan: () => ({ text: request(ownTemplate, jsonWithKey, deepNesting) }),
	},
	{
		name: 'prototype tricks',
		share: 1,
		allowed: [400],
		plan: (number) => ({
			text: request(ownTemplate, jsonWithKey, prototypeBodies[number % prototypeBodies.length]),
		}),
	},
];

async function attackAndJudge(
	name: string,
	gateway: ServedGateway,
	maxLeftMB: number,
	plan: Parameters<typeof attack>[1],
): Promise<boolean> {
	const client = new Client(gateway.address);
	const before = await stateOf(client);
	const report = await attack(gateway, plan);
	await delay(settleMs);
	const answerMs = await answerTimes(client);
	const usualMs = answerMs[Math.floor(answerMs.length * 0.95)] ?? Number.NaN;
	const leftMB = residentMB(gateway);
	const isUnchanged = (await stateOf(client)) === before;
	print(name, report);
	return [
		verdict(
			'memory afterwards',
			`${leftMB.toFixed(1)} MB, at most ${maxLeftMB}`,
			leftMB <= maxLeftMB,
		),
		verdict(
			'19 of 20 answers afterwards',
			`${usualMs.toFixed(1)} ms, at most ${maxMs}; the slowest ${answerMs.at(-1)?.toFixed(1)} ms`,
			usualMs <= maxMs,
		),
		verdict('what is stored', isUnchanged ? 'unchanged' : 'CHANGED', isUnchanged),
		...report.kinds.map((kind) =>
			verdict(kind.name, `${kind.wrong} wrong answers`, kind.wrong === 0),
		),
	].every(Boolean);
}

/** Opens connections that stay silent, and asks beside them as a load balancer and a client do. */
async function holdSilently(gateway: ServedGateway, count: number): Promise<boolean> {
	const connections = new SilentConnections(gateway.address);
	const client = new Client(gateway.address);
	try {
		const opening = connections.open(count);
		const isHealthyMeanwhile = await isHealthy(gateway);
		await opening;
		const isHealthyAfterwards = await isHealthy(gateway);
		const isAnswered = await answerTimes(client).then(
			() => true,
			() => false,
		);
		console.log(`\n${count} silent connections, ${connections.held} of them held`);
		return [
			verdict('health meanwhile', String(isHealthyMeanwhile), isHealthyMeanwhile),
			verdict('health beside them', String(isHealthyAfterwards), isHealthyAfterwards),
			verdict('answers with the key', String(isAnswered), isAnswered),
		].every(Boolean);
	} finally {
		connections.close();
	}
}

async function isHealthy({ address }: ServedGateway): Promise<boolean> {
	return await fetch(`${address}/health`).then(
		({ status }) => status === 200,
		() => false,
	);
}

/** State that an attack could have changed, as one text. */
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

function residentMB(gateway: ServedGateway): number {
	return residentBytes(gateway.pid) / 1_000_000;
}

function print(name: string, { kinds, peakMB, seconds }: AttackReport): void {
	console.log(`\n${name}: ${seconds.toFixed(0)} s, at most ${peakMB.toFixed(1)} MB meanwhile`);
	for (const kind of kinds) {
		const outcomes = [...kind.outcomes].map(([outcome, times]) => `${outcome}: ${times}`);
		console.log(`  ${kind.name.padEnd(24)} ${outcomes.join(', ')}`);
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
