import { createHash, timingSafeEqual } from 'node:crypto';
import { decodeBase64Url, encodeBase64Url } from '../../base/encoding';
import type { Random } from '../../base/random';
import {
	deriveStoreKey,
	generateSalt,
	openText,
	sealText,
	type StoreKey,
} from '../../crypto/sealing';
import type { GatewayConfig } from '../../config';
import { Sealer } from '../sql/sealer';
import { storeErrors } from '../store-errors';

/*
 * Proof that the caller may open an existing account: its passphrase, or else the client secret
 * with which it was last used (docs/adr/0005). Both are compared with sealed values in the store
 * itself.
 */

/** Row of the account's table about sealing and proof. */
export interface AccountSeal {
	readonly kind: 'passphrase' | 'keyFile';
	/** present if all contents are sealed; absent if only texts that grant access are sealed */
	readonly contents?: 'sealed';
	/** salt of the passphrase (base64url); absent with a key file */
	readonly salt?: string;
	/** known text sealed with the account's key, which tells the right key from a wrong one */
	readonly check: string;
	/** hash of the client secret, sealed: worthless without the key, so a fast hash is sufficient */
	readonly clientSecret: string;
}

export type ProofConfig = Pick<GatewayConfig, 'passphrase' | 'previousClientSecret'> & {
	readonly backbone: Pick<GatewayConfig['backbone'], 'clientSecret'>;
};

const checkText = 'n8n-nodes-enmeshed';
const checkPlace = ({ contents }: Pick<AccountSeal, 'contents'>) => ({
	table: 'account',
	// The id includes the mode, so that an altered row cannot undo the sealing of contents.
	id: contents === undefined ? 'check' : 'check of sealed contents',
});
const secretPlace = { table: 'account', id: 'client-secret' };

/** Passphrase and client secret of a new account, which seal it and prove it later. */
export interface NewSeal {
	readonly passphrase?: string | undefined;
	readonly clientSecretHash: string;
	/** true to seal all contents; false by default */
	readonly sealContents?: boolean | undefined;
}

/**
 * Creates the seal of a new account from the passphrase if there is one, else from the key file.
 */
export async function createSeal(
	{ passphrase, clientSecretHash, sealContents = false }: NewSeal,
	readKeyFile: () => StoreKey,
	random: Random,
): Promise<{ readonly seal: AccountSeal; readonly key: StoreKey }> {
	const salt = passphrase === undefined ? undefined : generateSalt(random);
	const key =
		passphrase === undefined || salt === undefined
			? readKeyFile()
			: await deriveStoreKey(passphrase, salt);
	const contents = sealContents ? { contents: 'sealed' as const } : {};
	const seal: AccountSeal = {
		...contents,
		...(salt === undefined
			? { kind: 'keyFile' }
			: { kind: 'passphrase', salt: encodeBase64Url(salt) }),
		check: sealText(key, checkText, checkPlace(contents), random),
		clientSecret: sealText(key, clientSecretHash, secretPlace, random),
	};
	return { seal, key };
}

/**
 * Returns the key of an existing account, and a new seal if the client secret has changed.
 *
 * @throws `error.gateway.store.wrongPassphrase`, `error.gateway.store.passphraseMissing`,
 * `error.gateway.store.passphraseUnexpected`, `error.gateway.store.wrongKeyFile`,
 * `error.gateway.store.wrongClientSecret`
 */
export async function unlock(
	seal: AccountSeal,
	config: ProofConfig,
	readKeyFile: () => StoreKey,
	random: Random,
): Promise<{ key: StoreKey; changedSeal: AccountSeal | undefined }> {
	const key = await keyOf(seal, config, readKeyFile);
	requireRightKey(seal, key);
	const known = openText(key, seal.clientSecret, secretPlace);
	if (isSame(known, config.backbone.clientSecret)) return { key, changedSeal: undefined };
	const previous = config.previousClientSecret;
	const isProven =
		seal.kind === 'passphrase' || (previous !== undefined && isSame(known, previous));
	if (!isProven) {
		throw storeErrors.create('wrongClientSecret', {
			message: 'The client secret differs from the secret with which this account was last used.',
		});
	}
	const clientSecret = sealText(
		key,
		hashOfClientSecret(config.backbone.clientSecret),
		secretPlace,
		random,
	);
	return { key, changedSeal: { ...seal, clientSecret } };
}

/**
 * Returns the hash that moves with the account, so that the same client secret proves it in its new
 * place.
 */
export function clientSecretHashOf(seal: AccountSeal, key: StoreKey): string {
	return openText(key, seal.clientSecret, secretPlace);
}

export function sealerOf(seal: AccountSeal, key: StoreKey, random: Random): Sealer {
	return new Sealer(key, random, seal.contents === 'sealed');
}

async function keyOf(
	seal: AccountSeal,
	config: ProofConfig,
	readKeyFile: () => StoreKey,
): Promise<StoreKey> {
	if (seal.kind === 'passphrase') {
		if (config.passphrase !== undefined) {
			return await deriveStoreKey(
				config.passphrase,
				decodeBase64Url(seal.salt ?? '') ?? new Uint8Array(),
			);
		}
		throw storeErrors.create('passphraseMissing', {
			message: 'The account is sealed with a passphrase, and none was given.',
		});
	}
	if (config.passphrase === undefined) return readKeyFile();
	throw storeErrors.create('passphraseUnexpected', {
		message: 'A passphrase was given, but the account was created without one.',
	});
}

function requireRightKey(seal: AccountSeal, key: StoreKey): void {
	try {
		openText(key, seal.check, checkPlace(seal));
	} catch (cause) {
		throw seal.kind === 'passphrase'
			? storeErrors.create('wrongPassphrase', {
					message: 'The passphrase does not open this account.',
					cause,
				})
			: storeErrors.create('wrongKeyFile', {
					message: 'The key file does not open this account.',
					cause,
				});
	}
}

/** Hashes a client secret for storage. */
export function hashOfClientSecret(secret: string): string {
	return createHash('sha256').update(`client-secret:${secret}`).digest('base64url');
}

function isSame(knownHash: string, secret: string): boolean {
	return timingSafeEqual(Buffer.from(knownHash), Buffer.from(hashOfClientSecret(secret)));
}
