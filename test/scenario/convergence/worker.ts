import type { GatewayConfigInput } from '../../../core';
import { Life } from './life';
import { openWatched } from './open-watched';
import { attempt, type Operation } from './operations';

/* One operation of a party in a process of its own, which dies of SIGKILL at the chosen point. */
export interface Task {
	readonly config: GatewayConfigInput;
	readonly clockOffsetMs: number;
	readonly operation: Operation;
	readonly killAt: number;
}

async function main(): Promise<void> {
	const task = JSON.parse(process.argv[2] ?? '{}') as Task;
	const clock = { now: (): number => Date.now() + task.clockOffsetMs };
	const life = new Life();
	const gateway = await openWatched(task.config, clock, life);
	life.arm(task.killAt, () => void process.kill(process.pid, 'SIGKILL'));
	const outcome = await attempt(gateway, task.operation, life);
	life.disarm();
	await gateway.close();
	process.stdout.write(JSON.stringify(outcome));
}

main().catch((error: unknown) => {
	process.stderr.write(String(error));
	process.exitCode = 1;
});
