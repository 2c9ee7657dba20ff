import { systemClock } from '../../../core/base/clock';
import type { GatewayError } from '../../../core/base/errors';
import { systemRandom, type Random } from '../../../core/base/random';
import { openStore } from '../../../core/store/open-store';
import type { AccountStore } from '../../../core/store/open-store';
import { intentRecord, newEvent, templateRecord } from '../../support/records';
import { testAccount } from '../../support/store';

/* One use of a store in a process of its own, as the tests ask for it. */

export interface WorkerTask {
	readonly folder: string;
	readonly passphrase?: string;
	readonly operation:
		'open' | 'write' | 'writeUntilRefused' | 'dieInTransaction' | 'dieAfterCommit' | 'holdLease';
	/** ids of what is written begin with it */
	readonly name: string;
	readonly count?: number;
	/** the process dies when randomness is asked for the nth time: every step of a creation does */
	readonly dieAtRandom?: number;
}

const die = (): void => void process.kill(process.pid, 'SIGKILL');

function mortalRandom(dieAt: number): Random {
	let calls = 0;
	const step = (): void => {
		if (++calls === dieAt) die();
	};
	return {
		bytes: (length) => {
			step();
			return systemRandom.bytes(length);
		},
		text: (length, alphabet) => {
			step();
			return systemRandom.text(length, alphabet);
		},
	};
}

/** One event, one number and one sealed record per transaction. */
async function write(store: AccountStore, { name, count = 1 }: WorkerTask): Promise<number[]> {
	const numbers: number[] = [];
	for (let index = 0; index < count; index++) {
		const number = await store.transact(async (tx) => {
			await tx.outbox.append(newEvent({ name, index }));
			await tx.templates.insert(templateRecord(`${name}${index}`), { secretKey: name });
			return await tx.counters.reserve('transmit:REL1');
		});
		numbers.push(number);
	}
	return numbers;
}

/** Goes on until the disk has no room, and looks at what is there then. */
async function writeUntilRefused(store: AccountStore, task: WorkerTask): Promise<unknown> {
	for (let written = 0; ; written++) {
		try {
			await write(store, { ...task, name: `${task.name}${written}-` });
		} catch (error) {
			const { code, kind, message } = error as GatewayError;
			const readable = await store.read((tx) => tx.templates.count());
			return { written, readable, code, kind, message };
		}
	}
}

async function run(store: AccountStore, task: WorkerTask): Promise<unknown> {
	switch (task.operation) {
		case 'open':
			return true;
		case 'write':
			return await write(store, task);
		case 'writeUntilRefused':
			return await writeUntilRefused(store, task);
		case 'dieInTransaction':
			return await store.transact(async (tx) => {
				await tx.outbox.append(newEvent({ name: task.name }));
				await tx.sendIntents.insert(intentRecord(task.name), { messageKey: 'key' });
				await tx.counters.reserve('transmit:REL1');
				die();
			});
		case 'dieAfterCommit': {
			const numbers = await write(store, task);
			process.stdout.write(JSON.stringify(numbers), die);
			return await new Promise(() => undefined);
		}
		case 'holdLease':
			return await store.transact((tx) => tx.leases.take('sync', task.name, 3_600_000));
	}
}

async function main(): Promise<void> {
	const task = JSON.parse(process.argv[2] ?? '') as WorkerTask;
	const { passphrase, folder } = task;
	const config = { ...testAccount(folder), ...(passphrase === undefined ? {} : { passphrase }) };
	const random = mortalRandom(task.dieAtRandom ?? 0);
	const store = await openStore(config, { clock: systemClock, random });
	const result = await run(store, task);
	if (task.operation === 'holdLease') {
		process.stdout.write(JSON.stringify(result), die);
		return;
	}
	await store.close();
	process.stdout.write(JSON.stringify(result));
}

main().catch((error: unknown) => {
	process.stderr.write(String((error as Error).stack));
	process.exitCode = 1;
});
