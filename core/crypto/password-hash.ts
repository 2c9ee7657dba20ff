import * as nodeCrypto from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Cancellable } from '../base/abort';
import { throwIfAborted } from '../base/abort';
import { encodeBase64, encodeUtf8 } from '../base/encoding';
import { Semaphore } from '../base/semaphore';
import { cryptoErrors } from './crypto-errors';

/**
 * Argon2id 1.3 with time cost 3, 20 MiB, one lane and 32 bytes of output: parameters of the
 * protocol. A hash takes 0.1 s or more and never runs on the event loop: Node 24.7 and later
 * compute it in their thread pool, older versions in a worker thread with libsodium.
 *
 * Source: docs/protocol/crypto-and-identity.md 2.7
 */
export const passwordHashCost = { passes: 3, memoryKib: 20480, hashLength: 32, saltLength: 16 };

/** Input and output of a worker. */
export interface PasswordHashTask {
	readonly password: Uint8Array;
	readonly salt: Uint8Array;
	readonly passes: number;
	readonly memoryKib: number;
	readonly hashLength: number;
}

export interface PasswordHashAnswer {
	readonly hash?: Uint8Array;
	readonly failure?: string;
}

/** Computes one hash outside the event loop. */
export type PasswordHashEngine = (
	password: Uint8Array,
	salt: Uint8Array,
	options: Cancellable,
) => Promise<Uint8Array>;

/**
 * @param password hashed as UTF-8, neither trimmed nor normalised
 * @param salt 16 bytes
 * @throws `error.crypto.wrongSerializedBuffer` for a salt of another length
 * @throws `error.crypto.passwordHash.failed` if memory is insufficient
 */
export async function hashPassword(
	password: string,
	salt: Uint8Array,
	options: Cancellable & { readonly engine?: PasswordHashEngine } = {},
): Promise<Uint8Array> {
	throwIfAborted(options);
	if (salt.length !== passwordHashCost.saltLength) {
		const message = `Expected a salt of 16 bytes, found ${salt.length}`;
		throw cryptoErrors.create('wrongBytes', { message });
	}
	const engine = options.engine ?? preferredEngine();
	return await engine(encodeUtf8(password), salt, options);
}

/**
 * Hashes a password into the `password` of Backbone bodies and queries: standard base64 of the hash
 * (docs/protocol/crypto-and-identity.md 15.1).
 */
export async function hashPasswordForBackbone(
	password: string,
	salt: Uint8Array,
	options: Cancellable = {},
): Promise<string> {
	return encodeBase64(await hashPassword(password, salt, options));
}

function preferredEngine(): PasswordHashEngine {
	return typeof nodeCrypto.argon2 === 'function' ? hashInThreadPool : hashInWorker;
}

export const hashInThreadPool: PasswordHashEngine = async (password, salt, options) => {
	const { passes, memoryKib, hashLength } = passwordHashCost;
	const hash = await new Promise<Uint8Array>((resolve, reject) => {
		const parameters = {
			message: password,
			nonce: salt,
			parallelism: 1,
			tagLength: hashLength,
			memory: memoryKib,
			passes,
		};
		nodeCrypto.argon2('argon2id', parameters, (cause, result) => {
			if (cause === null) resolve(new Uint8Array(result));
			else reject(failed(cause));
		});
	});
	throwIfAborted(options);
	return hash;
};

/** Permits of the whole process: a burst of hashes must not start a thread and 20 MiB for each. */
const workers = new Semaphore(2);

export const hashInWorker: PasswordHashEngine = (password, salt, options) =>
	workers.run(async () => {
		throwIfAborted(options);
		const task: PasswordHashTask = { password, salt, ...passwordHashCost };
		const worker = new Worker(passwordHashWorkerPath(), { workerData: task });
		const abort = (): void => void worker.terminate();
		options.signal?.addEventListener('abort', abort, { once: true });
		try {
			const answer = await answerOf(worker);
			throwIfAborted(options);
			if (answer?.hash === undefined) throw failed(answer?.failure ?? 'the worker stopped');
			return answer.hash;
		} finally {
			options.signal?.removeEventListener('abort', abort);
		}
	}, options);

/**
 * The file of the password worker: beside the bundle in a distribution, beside this source in a
 * checkout. The build bundles `password-hash-worker.mts` to `password-hash-worker.js` in the folder
 * of every bundle that contains this function.
 */
export function passwordHashWorkerPath(folder: string = __dirname): string {
	const bundled = join(folder, 'password-hash-worker.js');
	return existsSync(bundled) ? bundled : join(folder, 'password-hash-worker.mts');
}

function answerOf(worker: Worker): Promise<PasswordHashAnswer | undefined> {
	return new Promise((resolve, reject) => {
		let answer: PasswordHashAnswer | undefined;
		worker.once('message', (message: PasswordHashAnswer) => {
			answer = message;
		});
		worker.once('error', (cause) => {
			reject(failed(cause));
		});
		worker.once('exit', () => {
			resolve(answer);
		});
	});
}

function failed(cause: unknown): Error {
	const message = 'Expected a password hash, the computation failed';
	return cryptoErrors.create('passwordHash', { message, cause });
}
