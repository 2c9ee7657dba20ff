import type { FileField } from '../../store/store';
import { literal, scalar, single, text, type QueryFields } from '../query/collection-query';
import { readTerm, type QueryValue } from '../query/query-terms';
import { hashOwnershipToken } from './file-records';

/** Query fields of files (docs/protocol/transport.md 17.2). */
export const fileQueryFields: QueryFields<FileField> = {
	createdAt: text('createdAt'),
	createdBy: text('createdBy'),
	createdByDevice: text('createdByDevice'),
	description: text('description'),
	expiresAt: text('expiresAt'),
	filename: text('filename'),
	filesize: scalar('filesize'),
	mimetype: text('mimetype'),
	title: text('title'),
	isOwn: scalar('isOwn'),
	tags: literal('tag'),
	ownershipToken: (given, name) => text('ownershipTokenHash')(hashed(given), name),
	ownershipIsLocked: single(scalar('ownershipIsLocked')),
};

/**
 * Replaces tokens with their hashes, the only searchable form: the token itself is encrypted at
 * rest.
 */
function hashed(given: QueryValue): readonly string[] {
	return (typeof given === 'string' ? [given] : given).map((value) => {
		const { op, text: token } = readTerm(value);
		// Tokens may contain any character, so `<abc` is a token: hashes have neither an order nor
		// substrings.
		switch (op) {
			case 'exists':
			case 'missing':
				return value;
			case 'ne':
				return `!${hashOwnershipToken(token)}`;
			default:
				return hashOwnershipToken(value);
		}
	});
}
