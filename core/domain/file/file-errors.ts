import { defineErrors, isGatewayError } from '../../base/errors';

/** Coded errors of files (docs/protocol/transport.md 8, 18; http-api.md 8.6). */
export const fileErrors = defineErrors({
	notFound: {
		code: 'error.runtime.recordNotFound',
		kind: 'notFound',
		remedy:
			'Check the file ID; a file of a peer has to be loaded by its reference first. A file that expired or was deleted looks the same as an unknown one.',
	},
	invalidInput: {
		code: 'error.runtime.validation.invalidPropertyValue',
		kind: 'invalid',
		remedy: 'Correct the named field.',
	},
	/** Our own limit would allow it, the Backbone does not. */
	maxFileSizeExceeded: {
		code: 'error.transport.files.maxFileSizeExceeded',
		kind: 'invalid',
		remedy: 'Make the file smaller, or split it.',
	},
	unreadable: {
		code: 'error.gateway.files.unreadable',
		kind: 'invalid',
		remedy: 'Name a file that exists, may be read, and does not change meanwhile.',
	},
	outcomeUnknown: {
		code: 'error.gateway.files.outcomeUnknown',
		kind: 'unavailable',
		remedy:
			'Upload the file again. If the first attempt did arrive, nobody can read what it left, which stays at the Backbone until the file expires.',
	},
	notOwnedByYou: {
		code: 'error.runtime.files.notOwnedByYou',
		kind: 'forbidden',
		remedy: 'Only the present owner of a file can renew its ownership token.',
	},
	otherObject: {
		code: 'error.transport.files.invalidMetadata',
		kind: 'invalid',
		remedy:
			'The Backbone answered with another file than the one asked for; report this to its operator.',
	},
});

export function unknownFile(id: string): Error {
	return fileErrors.create('notFound', {
		message: `There is no file with the ID '${id}' in this account.`,
		facts: { fileId: id },
	});
}

/** An answer that cannot belong to what was asked. */
export function otherFile(id: string): Error {
	return fileErrors.create('otherObject', {
		message: `The Backbone answered with another file than the one asked for: '${id}'.`,
		facts: { fileId: id },
	});
}

/** The Backbone cannot be asked: it lists files by their ids, which only its answer tells. */
export function uploadUnconfirmed(cause: unknown): Error {
	const reason = isGatewayError(cause) ? ` (${cause.code}: ${cause.message})` : '';
	return fileErrors.create('outcomeUnknown', {
		message: `The Backbone did not confirm the file${reason}.`,
		cause,
	});
}
