import { decodeBase64Url, encodeBase64, encodeBase64Url } from '../../../core/base/encoding';
import { systemRandom } from '../../../core/base/random';
import {
	hashInThreadPool,
	hashInWorker,
	hashPassword,
	hashPasswordForBackbone,
} from '../../../core/crypto/password-hash';
import { passwordHashWorkerPath } from '../../../core/crypto/password-hash';
import { bytesOf } from './vector-files';
import { readVectors } from '../../support/vectors';
import { itReadsItsVectors } from '../../support/reads-its-vectors';

interface PasswordVector {
	password: string;
	salt: string;
	saltStandardBase64?: string;
	hash?: string;
	wirePassword?: string;
	wireQuery?: string;
	valid: boolean;
}

const { passwordHashes } = readVectors<{ passwordHashes: PasswordVector[] }>('crypto.json');
const misc = readVectors<{
	passwordHashes: Array<{ password: string; saltBase64url: string; hashBase64: string }>;
}>('transport-misc.json').passwordHashes;
const valid = passwordHashes.filter((vector) => vector.valid);
const invalid = passwordHashes.filter((vector) => !vector.valid);

describe('a password hash', () => {
	it.each(valid)('of $password is the official one', async (vector) => {
		const wire = await hashPasswordForBackbone(vector.password, bytesOf(vector.salt));
		expect(wire).toBe(vector.wirePassword);
		expect(`password=${encodeURIComponent(wire)}`).toBe(vector.wireQuery);
		expect(encodeBase64(bytesOf(vector.salt))).toBe(vector.saltStandardBase64);
	});

	it.each(valid)(
		'of $password is the same with either engine',
		async (vector) => {
			const salt = bytesOf(vector.salt);
			for (const engine of [hashInThreadPool, hashInWorker]) {
				const hash = await hashPassword(vector.password, salt, { engine });
				expect(encodeBase64Url(hash)).toBe(vector.hash);
			}
		},
		30_000,
	);

	it.each(misc)('of $password is the recorded one', async (vector) => {
		const wire = await hashPasswordForBackbone(vector.password, bytesOf(vector.saltBase64url));
		expect(wire).toBe(vector.hashBase64);
	});

	it.each(invalid)('is refused with the salt "$salt"', async ({ password, salt }) => {
		const bytes = decodeBase64Url(salt) ?? new Uint8Array();
		await expect(hashPassword(password, bytes)).rejects.toMatchObject({
			code: 'error.crypto.wrongSerializedBuffer',
		});
	});

	it.each([
		['the thread pool', hashInThreadPool],
		['a worker', hashInWorker],
	])('is computed by %s while the event loop goes on', async (_, engine) => {
		const hash = hashPassword('password', systemRandom.bytes(16), { engine });
		// Were it computed on the event loop, it would be there before the loop turns once.
		const turn = new Promise((resolve) => setImmediate(resolve, 'the loop turned'));
		expect(await Promise.race([hash, turn])).toBe('the loop turned');
		expect(await hash).toHaveLength(32);
	});

	it.each([
		['the thread pool', hashInThreadPool],
		['a worker', hashInWorker],
	])('by %s is given up when the caller stops', async (_, engine) => {
		const controller = new AbortController();
		const { signal } = controller;
		const work = hashPassword('password', systemRandom.bytes(16), { engine, signal });
		controller.abort(new Error('stopped'));
		await expect(work).rejects.toThrow('stopped');
	});

	it('finds its worker beside the source, where there is no bundle', () => {
		expect(passwordHashWorkerPath()).toMatch(/core.crypto.password-hash-worker\.mts$/);
	});
});

itReadsItsVectors(__filename);
