import { execFile } from 'node:child_process';
import type { Gateway } from '../../../core';
import type { SandboxBackbone } from '../../../sandbox/sandbox-backbone';
import { SandboxNetwork } from '../../support/gateways';
import { nodesOfThisRun, quietNode } from '../../support/nodes';
import { newSeed } from '../../support/seeds';
import { testProgram } from '../../support/quick/test-program';
import type { Operation, Task } from './worker';

export type { RelationshipOperation } from './worker';

interface Outcome {
	readonly killed: boolean;
	readonly result: unknown;
	readonly failure: string;
}

/** Groups tests of processes that are killed in the middle of an operation, for each Node of the run. */
export function describeDyingProcess(tests: (bench: KillBench) => void): void {
	describe.each(nodesOfThisRun)('a process that dies on %s', (_name, nodeProgram) => {
		const bench = new KillBench();
		beforeAll(async () => bench.open(await nodeProgram()));
		afterAll(() => bench.close());
		tests(bench);
	});
}

/** A network, and a program that carries out one operation of a gateway and dies where it is told to. */
class KillBench {
	private readonly program = testProgram('test/scenario/kill/worker.ts');

	private node = '';

	private opened: SandboxNetwork | undefined;

	get network(): SandboxNetwork {
		if (this.opened === undefined) throw new TypeError('the network is not open');
		return this.opened;
	}

	get backbone(): SandboxBackbone {
		return this.network.backbone;
	}

	/** @param node the program that runs the operations */
	async open(node: string): Promise<void> {
		this.node = node;
		this.opened = await SandboxNetwork.open({
			behaviour: 'real',
			seed: newSeed(),
			maxUnreceivedMessages: 10_000,
		});
	}

	async close(): Promise<void> {
		await this.network.close();
	}

	/** @param killAt point of the operation at which its process dies; 0: never */
	work(folder: string, operation: Operation, killAt: number, argument = ''): Promise<Outcome> {
		const task: Task = { baseUrl: this.backbone.baseUrl, folder, operation, killAt, argument };
		return new Promise((resolve) => {
			execFile(
				this.node,
				[quietNode, this.program, JSON.stringify(task)],
				{ maxBuffer: 64 * 1024 * 1024 },
				(error, stdout, stderr) => {
					const killed = error?.signal === 'SIGKILL';
					const text = stdout === '' ? '{}' : stdout;
					const { result } = JSON.parse(text) as { result?: unknown };
					resolve({ killed, result, failure: stderr });
				},
			);
		});
	}

	/** After the Backbone has told everything: what a killed process leaves, the next sync finds. */
	async syncAgain(folder: string): Promise<Outcome> {
		this.backbone.queues.deliverAll();
		return await this.work(folder, 'sync', 0);
	}

	/** Moves the clock of the Backbone past the ten seconds after which an interrupted run expires. */
	letRunsExpire(): void {
		this.backbone.advanceClock(11_000);
	}

	async ownGateway(folder: string): Promise<Gateway> {
		return await this.network.gateway(this.network.config(folder));
	}
}
