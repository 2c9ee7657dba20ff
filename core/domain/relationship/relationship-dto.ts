import { writePublicKeyDto } from '../../crypto/json-forms';
import { asSignaturePublicKey } from '../../crypto/keys';
import type {
	RelationshipDto,
	RelationshipRecord,
	RelationshipSecretsRecord,
} from '../../model/record/relationship';
import { isJsonOfType, wrapContent } from '../content-wrapping';
import { toTemplateDto } from '../template/template-dto';

const creationContentTypes = [
	'RelationshipCreationContent',
	'ArbitraryRelationshipCreationContent',
];

/** Maps a stored relationship to its public form (docs/protocol/transport.md 16.1). */
export function toRelationshipDto(
	record: RelationshipRecord,
	secrets: Pick<RelationshipSecretsRecord, 'template'>,
	backboneBaseUrl: string,
): RelationshipDto {
	return {
		id: record.id,
		template: toTemplateDto(record.template, secrets.template, backboneBaseUrl),
		status: record.status,
		peer: record.peer,
		peerIdentity: {
			address: record.peer,
			publicKey: writePublicKeyDto(asSignaturePublicKey(record.peerPublicKey)),
		},
		...(record.peerDeletionInfo === undefined ? {} : { peerDeletionInfo: record.peerDeletionInfo }),
		creationContent: isJsonOfType(record.creationContent, creationContentTypes)
			? record.creationContent
			: wrapContent('ArbitraryRelationshipCreationContent', record.creationContent),
		auditLog: record.auditLog,
	};
}
