import { createHash } from 'node:crypto';
import { decodeBase64Url } from '../../../core/base/encoding';
import { systemRandom } from '../../../core/base/random';
import { deriveStoreKey, openText, StoreKey } from '../../../core/crypto/sealing';
import { loadSodium } from '../../../core/crypto/sodium';
import {
	clientSecretHashOf,
	createSeal,
	hashOfClientSecret,
	sealerOf,
	unlock,
} from '../../../core/store/account/account-proof';
import { requireLiving } from '../../../core/store/account/account-state';

beforeAll(loadSodium);

/** Seals of released versions have this form, so that later versions can check the proof. */
describe('the seal of a new account', () => {
	const key = new StoreKey(new Uint8Array(32).fill(7));
	const clientSecretHash = hashOfClientSecret('secret');
	const create = (parts: object = {}) =>
		createSeal({ clientSecretHash, ...parts }, () => key, systemRandom);
	const opened = (sealed: string, id: string) => openText(key, sealed, { table: 'account', id });

	it('is made with the key file, and holds the hash of the client secret', async () => {
		const made = await create();
		const { check, clientSecret, ...others } = made.seal;
		expect(others).toEqual({ kind: 'keyFile' });
		expect(made.key).toBe(key);
		expect(opened(check, 'check')).toBe('n8n-nodes-enmeshed');
		const hash = createHash('sha256').update('client-secret:secret').digest('base64url');
		expect(opened(clientSecret, 'client-secret')).toBe(hash);
		expect(clientSecretHashOf(made.seal, key)).toBe(hash);
		expect(sealerOf(made.seal, key, systemRandom).sealsContents).toBe(false);
	});

	it('says that all contents are sealed, in a way that cannot be undone', async () => {
		const { seal } = await create({ sealContents: true });
		expect(seal.contents).toBe('sealed');
		expect(opened(seal.check, 'check of sealed contents')).toBe('n8n-nodes-enmeshed');
		expect(sealerOf(seal, key, systemRandom).sealsContents).toBe(true);
	});

	it('is made with the passphrase, which opens it again with its salt', async () => {
		const made = await create({ passphrase: 'correct horse' });
		const { kind, salt = '', check } = made.seal;
		expect(kind).toBe('passphrase');
		const derived = await deriveStoreKey('correct horse', decodeBase64Url(salt) as Uint8Array);
		expect(openText(derived, check, { table: 'account', id: 'check' })).toBe('n8n-nodes-enmeshed');
	});

	it.each([
		['another key file', {}, {}, 'error.gateway.store.wrongKeyFile'],
		[
			'another passphrase',
			{ passphrase: 'p' },
			{ passphrase: 'q' },
			'error.gateway.store.wrongPassphrase',
		],
	])('with %s does not open, and says why', async (_name, made, entered, code) => {
		const { seal } = await create(made);
		const other = new StoreKey(new Uint8Array(32).fill(8));
		const config = { backbone: { clientSecret: 'secret' }, ...entered };
		await expect(unlock(seal, config, () => other, systemRandom)).rejects.toMatchObject({
			code,
			cause: { code: 'error.crypto.sealing.cannotOpen' },
		});
	});

	it('with a damaged salt does not open', async () => {
		const { seal } = await create({ passphrase: 'p' });
		const config = { passphrase: 'p', backbone: { clientSecret: 'secret' } };
		for (const salt of [undefined, '', '!']) {
			const damaged = { ...seal, salt } as typeof seal;
			const opening = unlock(damaged, config, () => key, systemRandom);
			await expect(opening).rejects.toMatchObject({ code: expect.any(String) as string });
		}
	});

	it('is changed for a new client secret only', async () => {
		const { seal } = await create();
		const unlocked = (clientSecret: string) =>
			unlock(
				seal,
				{ backbone: { clientSecret }, previousClientSecret: 'secret' },
				() => key,
				systemRandom,
			);
		expect(await unlocked('secret')).toEqual({ key, changedSeal: undefined });
		const { changedSeal } = await unlocked('new');
		expect(changedSeal).toMatchObject({ kind: 'keyFile', check: seal.check });
		expect(opened(changedSeal?.clientSecret ?? '', 'client-secret')).toBe(
			hashOfClientSecret('new'),
		);
	});
});

describe('an account', () => {
	const since = '2030-01-01T00:00:00.000Z';

	it('that lives here may be used', () => {
		expect(() => requireLiving({ state: 'living' })).not.toThrow();
	});

	it('that was moved away names its new place', () => {
		const retired = { state: 'retired', move: 'm', to: 'there', since, digest: 'd' } as const;
		expect(() => requireLiving(retired)).toThrow(
			expect.objectContaining({
				code: 'error.gateway.store.accountMoved',
				facts: { movedTo: 'there', movedAt: since },
			}),
		);
	});

	it('that has not arrived completely names where it comes from', () => {
		const arriving = { state: 'arriving', move: 'm', from: 'there', since } as const;
		expect(() => requireLiving(arriving)).toThrow(
			expect.objectContaining({
				code: 'error.gateway.store.moveUnfinished',
				facts: { copiedFrom: 'there', begunAt: since },
			}),
		);
	});
});
