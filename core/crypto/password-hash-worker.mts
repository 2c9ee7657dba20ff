import { parentPort, workerData } from 'node:worker_threads';
import sodium from 'libsodium-wrappers-sumo';
import type { PasswordHashAnswer, PasswordHashTask } from './password-hash';

/*
 * Entry point of a worker thread: computes one Argon2id hash and ends. It imports only types of the
 * project, because it runs on its own: bundled to `password-hash-worker.js` in the distribution,
 * and unbuilt (Node strips the types) in a checkout.
 */
function computeHash(task: PasswordHashTask): PasswordHashAnswer {
	try {
		const hash = sodium.crypto_pwhash(
			task.hashLength,
			task.password,
			task.salt,
			task.passes,
			task.memoryKib * 1024,
			sodium.crypto_pwhash_ALG_ARGON2ID13,
		);
		return { hash };
	} catch (error) {
		return { failure: String(error) };
	}
}

void sodium.ready.then(() => {
	parentPort?.postMessage(computeHash(workerData as PasswordHashTask));
});
