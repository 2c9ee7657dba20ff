import { Gateway, type GatewayConfigInput } from '../../../core';
import { until } from '../../support/until';

/* One of several processes on one store: it sends, and waits for what others send. */
export interface Task extends Pick<GatewayConfigInput, 'account' | 'store' | 'passphrase'> {
	readonly baseUrl: string;
	/** start of the subjects that this process sends */
	readonly name: string;
	readonly to: string;
	readonly sends: number;
	/** received messages to wait for */
	readonly receives: number;
}

const task = JSON.parse(process.argv[2] ?? '{}') as Task;

async function main(): Promise<void> {
	const { account, store, passphrase } = task;
	const gateway = await Gateway.open({
		backbone: { baseUrl: task.baseUrl, clientId: 'test', clientSecret: 'test' },
		account,
		store,
		passphrase,
	});
	const { address } = await gateway.account.getIdentity();
	const problems: string[] = [];
	const syncing = gateway.events.keepSynced({
		intervalMs: 100,
		push: false,
		onProblem: (problem) => problem && problems.push(problem.code),
	});
	const delivered: number[] = [];
	const stop = new AbortController();
	const consuming = gateway.events.consume({
		consumer: task.name,
		filter: { names: ['transport.messageReceived'] },
		startFrom: 'oldest',
		batchSize: 1,
		deliver: ({ events }) => {
			delivered.push(...events.map(({ sequence }) => sequence));
			return Promise.resolve({ kind: 'accepted' });
		},
		signal: stop.signal,
	});
	const { to } = task;
	for (let sent = 1; sent <= task.sends; sent++) {
		const content = { '@type': 'Mail', to: [to], subject: `${task.name} ${sent}`, body: 'b' };
		await gateway.messages.send({ recipients: [to], content });
	}
	await until(() => delivered.length >= task.receives, 90_000);
	stop.abort();
	await consuming;
	syncing.release();
	const where = [{ field: 'isOwn', op: 'eq', value: false } as const];
	const received = (await gateway.messages.list({ where })).map(({ id }) => id);
	await gateway.close();
	process.stdout.write(JSON.stringify({ address, received, delivered, problems }));
}

main().catch((error: unknown) => {
	process.stderr.write(String((error as { code?: unknown }).code ?? error));
	process.exitCode = 1;
});
