import { general } from '../../base/error-definitions';
import { defineErrors, isGatewayError } from '../../base/errors';
import type { FileDto } from '../../model/record/file';

/** Coded errors of files (docs/protocol/transport.md 8, 18; docs/protocol/http-api.md 8.6). */
export const fileErrors = defineErrors({
	notFound: {
		...general.recordNotFound,
		remedy:
			'Check the file ID; a file of a peer has to be loaded by its reference first. A file that expired or was deleted looks the same as an unknown one.',
	},
	invalidInput: general.invalidPropertyValue,
	/** file within the limit for plaintexts, but too large for the Backbone once it is encrypted */
	maxFileSizeExceeded: {
		code: 'error.transport.files.maxFileSizeExceeded',
		kind: 'invalid',
		meaning: 'The file is larger than a gateway may upload.',
		remedy: 'Make the file smaller, or split it.',
	},
	unreadable: {
		code: 'error.gateway.files.unreadable',
		kind: 'invalid',
		meaning: 'The file to upload cannot be read.',
		remedy: 'Name a file that exists, may be read, and does not change meanwhile.',
	},
	outcomeUnknown: {
		code: 'error.gateway.files.outcomeUnknown',
		kind: 'unavailable',
		meaning: 'The Backbone did not confirm an upload, for example because the connection was lost.',
		remedy:
			'Upload the file again. If the first attempt did arrive, its file cannot be read and stays at the Backbone until it expires.',
	},
	overLimit: {
		code: 'error.gateway.files.overLimit',
		kind: 'invalid',
		meaning:
			'The trigger did not download the attachment, because the files of one execution are too many or too large.',
		remedy:
			"Raise 'Max Size of Attachments' in the options of the trigger, choose fewer events per execution, or use 'Message: Download Attachment' for this file.",
	},
	notOwnedByYou: {
		code: 'error.runtime.files.notOwnedByYou',
		kind: 'forbidden',
		meaning: 'The file belongs to another identity.',
		remedy: 'Only the present owner of a file can renew its ownership token.',
	},
	tokenNotRenewed: {
		code: 'error.gateway.files.tokenNotRenewed',
		kind: 'conflict',
		meaning: 'The Backbone returned a new ownership token, but did not store it.',
		remedy:
			'This Backbone returns a new ownership token without storing it. The previous token of the file stays valid, unless the file is locked. To hand over a file that is locked, or whose token is not known here, upload its content again and hand over the new file.',
	},
	tokenUnknown: {
		code: 'error.gateway.files.ownershipTokenUnknown',
		kind: 'conflict',
		meaning: 'The ownership token of the file is not stored in this account.',
		remedy:
			'Regenerate the ownership token of the file. If the Backbone does not store a new token, download the file, upload it again and hand over the new file.',
	},
	otherObject: {
		code: 'error.transport.files.invalidMetadata',
		kind: 'invalid',
		meaning: 'The answer of the Backbone is about another file.',
		remedy:
			'The Backbone answered with another file than the requested file; report this to its operator.',
	},
});

export function unknownFile(id: string): Error {
	return fileErrors.create('notFound', {
		message: `There is no file with the ID '${id}' in this account.`,
		facts: { fileId: id },
	});
}

export function tokenNotRenewed({ id, ownershipToken }: FileDto): Error {
	const left =
		ownershipToken === undefined
			? 'It has no ownership token that is known here.'
			: 'Its former ownership token stays.';
	return fileErrors.create('tokenNotRenewed', {
		message: `The Backbone did not keep the new ownership token of the file '${id}'. ${left}`,
		facts: { fileId: id, hasFormerToken: ownershipToken !== undefined },
	});
}

/**
 * Returns the token for a transfer of ownership. It is undefined for files of peers, and missing
 * for an own file when the answer to its claim was lost.
 *
 * @throws `error.gateway.files.ownershipTokenUnknown` for an own file
 */
export function tokenForTransfer({ id, isOwn, ownershipToken }: FileDto): string | undefined {
	if (ownershipToken !== undefined || !isOwn) return ownershipToken;
	throw fileErrors.create('tokenUnknown', {
		message: `The ownership token of the file '${id}' is not known here.`,
		facts: { fileId: id },
	});
}

/** Creates the error for an answer about another file than the requested one. */
export function otherFile(id: string): Error {
	return fileErrors.create('otherObject', {
		message: `The Backbone answered with another file than the requested file: '${id}'.`,
		facts: { fileId: id },
	});
}

/**
 * Creates the error for an unconfirmed upload. The Backbone cannot be asked about it: it lists
 * files by their ids, and only the lost answer contains the id.
 */
export function uploadUnconfirmed(cause: unknown): Error {
	const reason = isGatewayError(cause) ? ` (${cause.code}: ${cause.message})` : '';
	return fileErrors.create('outcomeUnknown', {
		message: `The Backbone did not confirm the file${reason}.`,
		cause,
	});
}
