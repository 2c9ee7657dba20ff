import { writePublicKeyDto } from '../../crypto/json-forms';
import { asSignaturePublicKey } from '../../crypto/keys';
import type {
	RelationshipDto,
	RelationshipRecord,
	RelationshipSecretsRecord,
} from '../../model/record/relationship';
import { creationContents } from '../../model/content/creation-content';
import { toTemplateDto } from '../template/template-dto';

/**
 * Maps a stored relationship to its public form, which wraps content of any other type
 * (docs/protocol/transport.md 16.1).
 */
export function toRelationshipDto(
	record: RelationshipRecord,
	secrets: Pick<RelationshipSecretsRecord, 'template'>,
	backboneBaseUrl: string,
): RelationshipDto {
	const { creationContent: content } = record;
	const { purpose } = record.template;
	return {
		id: record.id,
		template: toTemplateDto(record.template, secrets.template, backboneBaseUrl),
		...(purpose === undefined ? {} : { purpose }),
		status: record.status,
		peer: record.peer,
		peerIdentity: {
			address: record.peer,
			publicKey: writePublicKeyDto(asSignaturePublicKey(record.peerPublicKey)),
		},
		...(record.peerDeletionInfo === undefined ? {} : { peerDeletionInfo: record.peerDeletionInfo }),
		creationContent: creationContents.isKnown(content)
			? content
			: { '@type': 'ArbitraryRelationshipCreationContent', value: content },
		auditLog: record.auditLog,
	};
}
