import { performance } from 'node:perf_hooks';
import sodium from 'libsodium-wrappers-sumo';
import { Pool } from 'undici';
import { inLanes } from '../support/timing';
import { serve } from './serve';
import type { Traffic } from './traffic';

/** Cryptographic work that the protocol requires for one operation. */
export interface CryptoWork {
	readonly keyPairs?: number;
	readonly signatures?: number;
	readonly verifications?: number;
	readonly encryptions?: number;
	readonly decryptions?: number;
}

export interface FloorInput {
	readonly traffic: Traffic;
	readonly crypto: CryptoWork;
	readonly operations: number;
}

/** Prepares the cryptographic work of one operation on `bytes` bytes. */
function prepareCrypto(work: CryptoWork, bytes: number): () => void {
	const { publicKey, privateKey } = sodium.crypto_sign_keypair();
	const plain = sodium.randombytes_buf(Math.max(bytes, 1));
	const key = sodium.randombytes_buf(sodium.crypto_aead_xchacha20poly1305_ietf_KEYBYTES);
	const nonce = sodium.randombytes_buf(sodium.crypto_aead_xchacha20poly1305_ietf_NPUBBYTES);
	const seal = (): Uint8Array =>
		sodium.crypto_aead_xchacha20poly1305_ietf_encrypt(plain, null, null, nonce, key);
	const cipher = seal();
	const signature = sodium.crypto_sign_detached(plain, privateKey);
	const times = (count: number | undefined, run: () => unknown): void => {
		for (let done = 0; done < (count ?? 0); done++) run();
	};
	return () => {
		times(work.keyPairs, () => sodium.crypto_kx_keypair());
		times(work.signatures, () => sodium.crypto_sign_detached(plain, privateKey));
		times(work.verifications, () =>
			sodium.crypto_sign_verify_detached(signature, plain, publicKey),
		);
		times(work.encryptions, seal);
		times(work.decryptions, () =>
			sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(null, cipher, null, nonce, key),
		);
	};
}

let pool: Pool | undefined;

async function exchange(path: string, body: Buffer): Promise<void> {
	if (pool === undefined) throw new Error('the floor is not open');
	const answer = await pool.request({ method: 'POST', path, body });
	await answer.body.bytes();
}

serve({
	async open({ floorUrl }: { floorUrl: string }) {
		await sodium.ready;
		pool = new Pool(floorUrl, { connections: 16, pipelining: 1 });
		await exchange('/?bytes=2', Buffer.from('{}'));
	},
	/** Measures the same calls with the same bytes, and the cryptographic work of the operations. */
	async run({ traffic, crypto, operations }: FloorInput) {
		const calls = Math.max(traffic.calls, 1);
		const body = Buffer.alloc(Math.round(traffic.bytesUp / calls), 'x');
		const path = `/?bytes=${Math.round(traffic.bytesDown / calls)}`;
		const bytes = (traffic.bytesUp + traffic.bytesDown) / Math.max(operations, 1);
		const computeOnce = prepareCrypto(crypto, Math.round(bytes));
		const started = performance.now();
		await inLanes(operations, 1, async () => computeOnce());
		await inLanes(traffic.calls, Math.max(traffic.lanes, 1), () => exchange(path, body));
		return performance.now() - started;
	},
});
