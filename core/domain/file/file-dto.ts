import { publicMembers } from '../../model/json';
import {
	fileDtoSchema,
	type FileDto,
	type FileRecord,
	type FileSecrets,
} from '../../model/record/file';
import { referenceTo, toReferenceDto } from '../password-protection';

/**
 * Converts a file to the form that callers receive (docs/protocol/transport.md 16.4,
 * docs/protocol/http-api.md 7.1).
 */
export function toFileDto(
	record: FileRecord,
	secrets: FileSecrets,
	backboneBaseUrl: string,
): FileDto {
	return publicMembers(fileDtoSchema, {
		...record,
		title: record.title ?? '',
		ownershipToken: record.isOwn ? secrets.ownershipToken : undefined,
		...toReferenceDto(referenceTo(record, secrets, backboneBaseUrl)),
	});
}
