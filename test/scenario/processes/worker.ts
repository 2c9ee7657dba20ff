import { createLogger, Gateway, type GatewayConfigInput } from '../../../core';
import { usualTimings, type Timings } from '../../../core/base/timings';
import { insist } from '../../support/insist';
import { until } from '../../support/until';

/* One of several processes on one store: it sends, and waits for what others send. */
export interface Task extends Pick<GatewayConfigInput, 'account' | 'store' | 'passphrase'> {
	readonly baseUrl: string;
	readonly name: string;
	readonly to: string;
	readonly sends: number;
	/** start of the subjects that this process sends, and of their keys; its name unless given */
	readonly subjects?: string;
	/** sends at a time */
	readonly lanes?: number;
	/** received messages to wait for */
	readonly receives: number;
	/** the usual ones unless a process is to be waited for */
	readonly timings?: Timings;
	/** of its host, before the true time with a negative number */
	readonly clockAheadMs?: number;
	/** as every container's first process has it */
	readonly pid?: number;
}

export interface Failure {
	readonly code: string;
	readonly message: string;
	readonly remedy: string | undefined;
}

export interface Outcome {
	readonly address: string;
	readonly received: string[];
	readonly delivered: number[];
	/** reported by the sync loop */
	readonly problems: string[];
	/** codes of syncs that failed, also of syncs that need no report */
	readonly failedSyncs: string[];
	/** of calls that were repeated until they were carried out */
	readonly failures: Failure[];
}

const task = JSON.parse(process.argv[2] ?? '{}') as Task;
const trueTime = Date.now;
Date.now = () => trueTime() + (task.clockAheadMs ?? 0);
if (task.pid !== undefined) Object.defineProperty(process, 'pid', { value: task.pid });

const failedSyncs: string[] = [];
const failures: Failure[] = [];

const noted = (message: string, facts?: object): void => {
	const { code } = (facts ?? {}) as { code?: string };
	if (message.endsWith('a sync failed') && code !== undefined) failedSyncs.push(code);
};
const logger = createLogger({ debug: noted, info: noted, warn: noted, error: noted });

/** As n8n repeats a job whose process was lost. */
async function insistAndNote<Result>(work: () => Promise<Result>): Promise<Result> {
	return await insist(work, ({ code, message, remedy }) => {
		failures.push({ code, message, remedy });
		process.stderr.write(`${code}\n`);
	});
}

async function send(gateway: Gateway): Promise<void> {
	const { to, name, subjects = name, sends, lanes = 1 } = task;
	let sent = 0;
	const lane = async (): Promise<void> => {
		while (sent < sends) {
			const subject = `${subjects} ${++sent}`;
			const content = { '@type': 'Mail' as const, to: [to], subject, body: 'b' };
			await insistAndNote(() =>
				gateway.messages.send({ recipients: [to], content }, { idempotencyKey: subject }),
			);
		}
	};
	await Promise.all(Array.from({ length: lanes }, lane));
}

async function main(): Promise<void> {
	const { account, store, passphrase } = task;
	const config = {
		backbone: { baseUrl: task.baseUrl, clientId: 'test', clientSecret: 'test' },
		account,
		store,
		passphrase,
	};
	const gateway = await Gateway.open(config, { logger, timings: task.timings ?? usualTimings });
	const { address } = await gateway.account.getIdentity();
	const problems: string[] = [];
	const syncing = gateway.events.keepSynced({
		intervalMs: 100,
		push: false,
		onProblem: (problem) => problem && problems.push(problem.code),
	});
	const delivered: number[] = [];
	const stop = new AbortController();
	// A store that is away ends it with an error; n8n starts the trigger again.
	const consuming = insistAndNote(() =>
		gateway.events.consume({
			consumer: task.name,
			filter: { names: ['transport.messageReceived'] },
			startFrom: 'oldest',
			batchSize: 1,
			deliver: ({ events }) => {
				delivered.push(...events.map(({ sequence }) => sequence));
				return Promise.resolve({ kind: 'accepted' });
			},
			signal: stop.signal,
		}),
	);
	await send(gateway);
	await until(() => new Set(delivered).size >= task.receives, 120_000);
	stop.abort();
	await consuming;
	// A run that is under way comes to its end, whatever that is.
	await insistAndNote(() => gateway.account.sync());
	syncing.release();
	const where = [{ field: 'isOwn', op: 'eq', value: false } as const];
	const messages = await insistAndNote(() => gateway.messages.list({ where }));
	const received = messages.map(({ id }) => id);
	await gateway.close();
	const outcome: Outcome = { address, received, delivered, problems, failedSyncs, failures };
	process.stdout.write(JSON.stringify(outcome));
}

main().catch((error: unknown) => {
	process.stderr.write(String((error as { code?: unknown }).code ?? error));
	process.exitCode = 1;
});
