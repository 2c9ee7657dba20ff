import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import {
	createLogger,
	Gateway,
	probeCredential,
	silentLogger,
	type GatewayConfigInput,
} from '../../../core';

/* A process that has an account open while others come and go, and another that only comes and goes. */

/** `copy`: other code of the process reads the file with plain calls, which drops the locks */
export type Beside = 'probe' | 'gateway' | 'copy';

export interface LocksTask {
	readonly config: GatewayConfigInput;
	/** `host` waits for a line, sends and is killed; `problems` is what `account problems` does */
	readonly operation: 'host' | 'problems' | 'send';
	/** what the host does beside while it has the account open */
	readonly beside?: Beside;
	/** of the account's database */
	readonly file: string;
	readonly recipient: string;
	readonly subjects: readonly string[];
}

const task = JSON.parse(process.argv[2] ?? '{}') as LocksTask;

async function send(gateway: Gateway): Promise<void> {
	const { recipient, subjects } = task;
	for (const subject of subjects) {
		await gateway.messages.send(
			{
				recipients: [recipient],
				content: { '@type': 'Mail', to: [recipient], subject, body: 'b' },
			},
			{ idempotencyKey: subject },
		);
	}
}

const besides: Readonly<Record<Beside, () => Promise<void>>> = {
	probe: async () => {
		const { ok, message } = await probeCredential(task.config);
		if (!ok) throw new Error(message);
	},
	gateway: async () => (await Gateway.open(task.config)).close(),
	copy: async () => void readFileSync(task.file),
};

async function host(gateway: Gateway): Promise<void> {
	await besides[task.beside ?? 'probe']();
	process.stdout.write('open\n');
	await once(process.stdin, 'data');
	await send(gateway).catch((error: unknown) => {
		process.stderr.write(String((error as { code?: unknown }).code ?? error));
	});
	process.kill(process.pid, 'SIGKILL');
}

const ignore = (): void => undefined;
/** As a terminal has it; the host says nothing but that it is ready. */
const terminal = createLogger({
	debug: ignore,
	info: ignore,
	warn: (message) => void process.stdout.write(`${message}\n`),
	error: ignore,
});

async function main(): Promise<void> {
	const gateway = await Gateway.open(task.config, {
		logger: task.operation === 'host' ? silentLogger : terminal,
	});
	if (task.operation === 'host') await host(gateway);
	if (task.operation === 'send') await send(gateway);
	if (task.operation === 'problems') await gateway.problems.list({});
	await gateway.close();
}

main().catch((error: unknown) => {
	process.stderr.write(String((error as Error).stack));
	process.exitCode = 1;
});
