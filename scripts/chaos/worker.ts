import { Gateway, isGatewayError, type GatewayConfigInput, type AnyEvent } from '../../core';
import { isAbort } from '../../core/base/abort';
import type { Timings } from '../../core/base/timings';
import { insist } from '../../test/support/insist';
import { serveCalls, writeLine } from '../harness/serve-calls';

/*
 * Process of an account. Receives calls as JSON lines on stdin, writes answers and events to
 * stdout.
 */
export interface WorkerTask {
	readonly config: GatewayConfigInput;
	readonly timings: Timings;
	/** name of the cursor whose events this process delivers */
	readonly consumer: string;
	readonly syncEveryMs: number;
	/** how far the clock of the machine is ahead at the start, negative if it is behind */
	readonly clockAheadMs: number;
}

/** Method of a use case with its parameters; `{$text}` in a parameter stands for bytes. */
export interface Call {
	readonly useCase: keyof Gateway;
	readonly method: string;
	readonly parameters: readonly unknown[];
}

export type Answer =
	| { readonly status: 'done'; readonly value: unknown }
	| { readonly status: 'refused'; readonly code: string; readonly kind: string }
	/** error without a code, which is a defect */
	| { readonly status: 'broken'; readonly message: string };

/** Members of an event that the judge and the operations need. */
export interface DeliveredEvent {
	readonly sequence: number;
	readonly name: string;
	/** id of the object concerned, or of the request */
	readonly id: string;
	readonly newStatus?: string | undefined;
}

const task = JSON.parse(process.argv[2] ?? '{}') as WorkerTask;

const trueNow = Date.now.bind(Date);
let { clockAheadMs } = task;
Date.now = () => trueNow() + clockAheadMs;

function delivered({ sequence, event, data }: AnyEvent): DeliveredEvent {
	const { id, request, newStatus } = data as {
		readonly id?: string;
		readonly request?: { readonly id: string };
		readonly newStatus?: string;
	};
	return { sequence, name: event, id: id ?? request?.id ?? '', newStatus };
}

async function consume(gateway: Gateway, signal: AbortSignal): Promise<void> {
	const work = (): Promise<void> =>
		gateway.events.consume({
			consumer: task.consumer,
			filter: {},
			startFrom: 'oldest',
			batchSize: 5,
			signal,
			deliver: ({ events }) => {
				writeLine({ event: { namespace: 'delivered', data: { events: events.map(delivered) } } });
				return Promise.resolve({ kind: 'accepted' });
			},
		});
	await insist(work).catch((error: unknown) => {
		if (!signal.aborted) throw error;
	});
}

/** Answer to a call; undefined if the end of the process interrupted it. */
async function answer(
	gateway: Gateway,
	{ useCase, method, parameters }: Call,
	isEnding: () => boolean,
): Promise<Answer | undefined> {
	const target = gateway[useCase] as unknown as Record<string, (...all: unknown[]) => unknown>;
	try {
		const work = target[method];
		if (work === undefined) throw new TypeError(`There is no ${useCase as string}.${method}`);
		return { status: 'done', value: await work.apply(target, [...parameters]) };
	} catch (error) {
		if (isGatewayError(error)) return { status: 'refused', code: error.code, kind: error.kind };
		if (isEnding() && isAbort(error)) return undefined;
		return { status: 'broken', message: error instanceof Error ? String(error.stack) : '' };
	}
}

function withBytes(_name: string, value: unknown): unknown {
	const { $text } = (value ?? {}) as { readonly $text?: unknown };
	return typeof $text === 'string' ? Buffer.from($text) : value;
}

async function main(): Promise<void> {
	const stop = new AbortController();
	const opening = insist(() => Gateway.open(task.config, { timings: task.timings }));
	const stopped = serveCalls(async ({ method, params }) => {
		if (method === 'clock') {
			clockAheadMs = params as number;
			return null;
		}
		return await answer(await opening, params as Call, () => stop.signal.aborted);
	}, withBytes);
	const gateway = await opening;
	const syncing = gateway.events.keepSynced({
		intervalMs: task.syncEveryMs,
		push: true,
		onProblem: () => undefined,
	});
	const consuming = consume(gateway, stop.signal);
	await Promise.race([stopped, consuming]);
	stop.abort();
	await consuming;
	await syncing.release();
	await gateway.close();
	process.exit(0);
}

main().catch((error: unknown) => {
	const { stack = String(error), code } = error as { stack?: string; code?: string };
	process.stderr.write(`${code ?? ''} ${stack}\n`);
	process.exit(1);
});
