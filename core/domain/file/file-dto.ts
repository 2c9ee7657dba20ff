import type { FileDto, FileRecord, FileSecrets } from '../../model/record/file';
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
	const { tags, title, description, ownershipIsLocked } = record;
	const { ownershipToken } = secrets;
	return {
		id: record.id,
		isOwn: record.isOwn,
		filename: record.filename,
		...(tags === undefined ? {} : { tags }),
		filesize: record.filesize,
		createdAt: record.createdAt,
		createdBy: record.createdBy,
		createdByDevice: record.createdByDevice,
		expiresAt: record.expiresAt,
		mimetype: record.mimetype,
		title: title ?? '',
		...(description === undefined ? {} : { description }),
		owner: record.owner,
		...(record.isOwn && ownershipToken !== undefined ? { ownershipToken } : {}),
		...(ownershipIsLocked === undefined ? {} : { ownershipIsLocked }),
		...toReferenceDto(referenceTo(record, secrets, backboneBaseUrl)),
	};
}
