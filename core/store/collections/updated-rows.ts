import { addContactTexts } from './contact-texts';
import { addMessageIdentities } from './message-identities';
import { sealFoundSecrets, type RowTarget } from './found-secrets';

/** Brings the rows of earlier schema versions up to date, which needs the key of the account. */
export async function updateRows(target: RowTarget): Promise<void> {
	await sealFoundSecrets(target);
	await addContactTexts(target);
	await addMessageIdentities(target);
}
