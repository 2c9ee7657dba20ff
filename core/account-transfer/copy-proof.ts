import type { Cancellable } from '../base/abort';
import { asSignaturePrivateKey, asSignaturePublicKey } from '../crypto/keys';
import { sign, signatureKeyPairOf, signatureLabels, verify } from '../crypto/signature-keys';
import type { IdentityRecord, IdentitySecrets } from '../model/record/identity';
import type { Store } from '../store/store';
import { readContent } from './account-content';
import { differences, tallyOf, type ContentSummary } from './account-tally';
import type { TransferDependencies } from './transfer-dependencies';
import type { BackboneClient } from './transfer-types';
import { transferErrors } from './transfer-errors';

export interface StoredIdentity {
	readonly record: IdentityRecord;
	readonly secrets: IdentitySecrets;
}

/** @throws `error.gateway.moving.noAccount` unless the account has a complete identity */
export async function identityIn(store: Store): Promise<StoredIdentity> {
	const identity = await store.read(async (tx) => {
		const entry = await tx.identity.get('self');
		return entry && { record: entry.record, secrets: entry.secrets };
	});
	if (identity?.record.state === 'ready') return identity;
	throw transferErrors.create('noAccount', {
		message: 'The account has no complete identity yet: there is nothing to copy.',
	});
}

/** Reads a whole account, decrypting every secret, and summarises it. */
export async function summaryOf(store: Store, options: Cancellable = {}): Promise<ContentSummary> {
	return await store.read((tx) => tallyOf(readContent(tx, options)), options);
}

/** @throws `error.gateway.moving.copyDiffers` */
export function requireSame(original: ContentSummary, copy: ContentSummary): void {
	const different = differences(original, copy);
	if (different.length === 0) return;
	throw transferErrors.create('copyDiffers', {
		message: `The copy is not the same as the original: ${different.join(', ')}.`,
		facts: { sections: different },
	});
}

/**
 * Verifies that the keys sign and that the login works.
 *
 * @param client absent: the login is not tried
 * @throws `error.gateway.moving.keyDoesNotSign`, and the Backbone's reason for refusing the login
 */
export async function proveIdentity(
	{ record, secrets }: StoredIdentity,
	client: BackboneClient | undefined,
	context: TransferDependencies,
	options: Cancellable = {},
): Promise<void> {
	requireSigning(secrets.identityPrivateKey, record.publicKey);
	requireSigning(secrets.devicePrivateKey, secrets.devicePublicKey);
	if (client === undefined) return;
	await using backbone = context.openBackbone({
		...client,
		baseUrl: client.baseUrl ?? record.backboneBaseUrl,
	});
	await backbone.version.get(options);
	const username = record.device?.username ?? '';
	backbone.authentication.use({ username, password: secrets.devicePassword });
	await backbone.authentication.verify(options);
}

function requireSigning(privateKey: string, publicKey: string): void {
	const text = 'n8n-nodes-enmeshed: this account is copied';
	try {
		const pair = signatureKeyPairOf(asSignaturePrivateKey(privateKey));
		const signature = sign(text, pair.privateKey, signatureLabels.identity);
		if (verify(text, signature, asSignaturePublicKey(publicKey))) return;
	} catch (cause) {
		throw transferErrors.create('keyDoesNotSign', { message: 'A key is not usable.', cause });
	}
	throw transferErrors.create('keyDoesNotSign', {
		message: 'The private key does not match the public key.',
	});
}
