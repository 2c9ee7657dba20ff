import { isGatewayError } from '../../base/errors';
import type { WireRelationship } from '../../backbone/dto';
import { exchangeKeyPairOf } from '../../crypto/exchange-keys';
import { asExchangePrivateKey } from '../../crypto/keys';
import type { TemplateRecord, TemplateSecrets } from '../../model/record/template';
import type { Entry, ReadTransaction } from '../../store/store';
import { openCreationContent } from './relationship-envelope';
import { matching } from '../query/conditions';

const batchSize = 100;
/**
 * limit of templates whose keys are tried for one relationship, newest first: about a second of
 * work
 */
const maxTried = 2_000;

/**
 * Finds this account's template of a relationship whose template the Backbone has deleted: the
 * Backbone no longer names the template, but only the template's own key decrypts the creation.
 * Hidden templates are tried as well (docs/protocol/backbone-api.md 14.1).
 */
export async function findTemplateOf(
	tx: ReadTransaction,
	wire: WireRelationship,
): Promise<Entry<TemplateRecord, TemplateSecrets> | undefined> {
	for (let offset = 0; offset < maxTried; offset += batchSize) {
		const templates = await tx.templates.list({
			where: matching({ isOwn: true }),
			orderBy: { field: 'createdAt', direction: 'desc' },
			limit: batchSize,
			offset,
		});
		const found = templates.find((template) => opens(template, wire));
		if (found !== undefined || templates.length < batchSize) return found;
	}
	return undefined;
}

function opens(
	{ record, secrets }: Entry<TemplateRecord, TemplateSecrets>,
	{ creationContent, from }: WireRelationship,
): boolean {
	if (secrets.templatePrivateKey === undefined || creationContent == null) return false;
	try {
		const pair = exchangeKeyPairOf(asExchangePrivateKey(secrets.templatePrivateKey));
		openCreationContent(creationContent, pair, { from, templateId: record.id });
		return true;
	} catch (error) {
		// Encrypted for another template.
		if (!isGatewayError(error)) throw error;
		return false;
	}
}
