import { Session, type Profiler } from 'node:inspector/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { mailTo, relate, SandboxNetwork } from '../test/support/gateways';
import { table } from './support/measurements';

const settleMs = 1_000;
const core = join(__dirname, '..', 'core');

/**
 * Counts, by V8's precise coverage, how many files and functions of core a use case passes that has
 * run before. The core is the TypeScript of this process, whose files V8 tells apart.
 */
export async function followTrails(isNamed: boolean): Promise<void> {
	const network = await SandboxNetwork.open({ behaviour: 'kind', maxUnreceivedMessages: 100 });
	const [gateway, peer] = [await network.gateway(), await network.gateway()];
	const { addressA, addressB } = await relate(gateway, peer);
	const { id } = await gateway.attributes.create({
		content: { value: { '@type': 'GivenName', value: 'Ada' } },
	});
	const useCases: Readonly<Record<string, () => Promise<unknown>>> = {
		'a read by key': () => gateway.attributes.get(id),
		'a mail': () => gateway.messages.send(mailTo(addressB)),
		'a sync with one mail': () => gateway.account.sync(),
	};
	const session = new Session();
	session.connect();
	await session.post('Profiler.enable');
	await session.post('Debugger.enable');
	await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
	const rows = [];
	for (const [name, run] of Object.entries(useCases)) {
		// The last repetition counts; the others load and compile what only a first one needs.
		for (let warming = 0; warming <= 3; warming++) {
			await peer.messages.send(mailTo(addressA));
			if (warming < 3) await run();
		}
		// The mail of the peer, whose core is the same, has work that follows.
		await delay(settleMs);
		await session.post('Profiler.takePreciseCoverage');
		await run();
		const { result } = await session.post('Profiler.takePreciseCoverage');
		const passed = [];
		for (const { url, scriptId, functions } of result) {
			const file = url.replace('file://', '');
			if (!file.startsWith(core)) continue;
			const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId });
			const called = functions
				.filter((one) => isCalled(one) && !isExportGetter(one, scriptSource))
				.map(({ functionName }) => functionName);
			if (called.length > 0) passed.push({ file, called });
		}
		const functions = passed.flatMap(({ called }) => called);
		rows.push([name, String(passed.length), String(functions.length)]);
		if (!isNamed) continue;
		console.log(`\n${name}`);
		for (const { file, called } of passed)
			console.log(`  ${file.slice(core.length + 1)}: ${called.join(' ')}`);
	}
	session.disconnect();
	await network.close();
	console.log(`\n${table([['', 'files', 'functions'], ...rows])}`);
}

const isCalled = ({ ranges }: Profiler.FunctionCoverage): boolean => (ranges[0]?.count ?? 0) > 0;

function isExportGetter(
	{ functionName, ranges }: Profiler.FunctionCoverage,
	source: string,
): boolean {
	const text = source.slice(ranges[0]?.startOffset, ranges[0]?.endOffset);
	return text === '() => from[key]' || text === `() => ${functionName.replace('get ', '')}`;
}
