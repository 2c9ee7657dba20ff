import type { IdentityRecord, IdentitySecrets } from '../../../core/model/record/identity';
import { createdAt, ownAddress } from '../records';

const record: IdentityRecord = {
	id: 'self',
	state: 'creating',
	address: ownAddress,
	publicKey: 'key',
	backboneBaseUrl: 'https://b.example',
	createdAt,
};
const secrets: IdentitySecrets = {
	identityPrivateKey: 'key',
	devicePrivateKey: 'key',
	devicePublicKey: 'key',
	devicePassword: 'password',
};

/** The only record of its collection. */
export const identityExample = { record, secrets };
