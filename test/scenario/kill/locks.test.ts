import { ownText } from '../../../core/model/json';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { relate, SandboxNetwork, settle } from '../../support/gateways';
import { allNodes, quietNode } from '../../support/nodes';
import { testProgram } from '../../support/quick/test-program';
import type { LocksTask } from './locks-worker';

jest.setTimeout(300_000);

const program = testProgram('test/scenario/kill/locks-worker.ts');

/** Where SQLite does not see that its log was taken away, the store does, and refuses the commit. */
const noticed = 'error.gateway.store.databaseReplaced';

interface Ended {
	readonly signal: string | null;
	readonly failure: string;
}

describe('an account that is open while others look at it', () => {
	let network: SandboxNetwork;
	beforeAll(async () => {
		network = await SandboxNetwork.open();
	});
	afterAll(() => network.close());

	const start = (node: string, task: LocksTask): ChildProcess =>
		spawn(node, [quietNode, program, JSON.stringify(task)], { stdio: ['pipe', 'pipe', 'pipe'] });

	async function ended(child: ChildProcess): Promise<Ended> {
		let failure = '';
		child.stderr?.on('data', (chunk: Buffer) => (failure += chunk.toString()));
		const [, signal] = (await once(child, 'close')) as [number | null, string | null];
		return { signal, failure };
	}

	const good: Ended = { signal: null, failure: '' };

	it.each(
		allNodes.flatMap(([name, node]) => [
			['a credential test', name, node, 'probe'] as const,
			['a second gateway', name, node, 'gateway'] as const,
			['a copy by other code', name, node, 'copy'] as const,
		]),
	)('loses nothing after %s on %s, and sends once', async (_beside, _name, nodeProgram, beside) => {
		const node = await nodeProgram();
		const folder = network.newFolder();
		const config = network.config(folder);
		const sender = await network.gateway(config);
		const receiver = await network.gateway();
		const { addressB } = await relate(sender, receiver);
		await sender.close();
		const subjects = ['one', 'two', 'three'];
		const file = join(folder, 'default.sqlite');
		const task = { config, file, recipient: addressB, subjects };

		const host = start(node, { ...task, operation: 'host', beside });
		const hostEnded = ended(host);
		await Promise.race([once(host.stdout ?? host, 'data'), hostEnded]);
		expect(await ended(start(node, { ...task, operation: 'problems' }))).toEqual(good);
		host.stdin?.write('go\n');
		const { signal, failure } = await hostEnded;
		expect(signal).toBe('SIGKILL');
		expect(beside === 'copy' ? ['', noticed] : ['']).toContain(failure);

		// A workflow that is tried again: what was sent is known, and the answer is the same.
		expect(await ended(start(node, { ...task, operation: 'send' }))).toEqual(good);
		await settle(receiver);
		const arrived = (await receiver.messages.list()).map(({ content }) =>
			ownText(content, 'subject'),
		);
		expect([...arrived].sort()).toEqual([...subjects].sort());
		const reopened = await network.gateway(config);
		expect(await reopened.messages.list()).toHaveLength(subjects.length);
		await reopened.close();
	});

	it.each(allNodes)('says in its log on %s whether its SQLite loses data', async (_name, node) => {
		const config = network.config();
		const child = start(await node(), {
			config,
			operation: 'problems',
			file: '',
			recipient: '',
			subjects: [],
		});
		let log = '';
		child.stdout?.on('data', (chunk: Buffer) => (log += chunk.toString()));
		expect(await ended(child)).toEqual(good);
		const isThisNode = (await node()) === process.execPath;
		expect(log).toMatch(isThisNode ? /^$/ : /Node 22\.19\.0 contains SQLite 3\.50\.4/);
	});
});
