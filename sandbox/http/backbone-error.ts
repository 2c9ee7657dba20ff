import { errorCharacters, randomText } from '../random';

/** An answer other than success, as the Backbone words it (docs/protocol/backbone-api.md 3). */
export class BackboneError extends Error {
	constructor(
		readonly status: number,
		readonly code: string,
		message: string,
		readonly data: unknown = null,
	) {
		super(message);
	}

	toJSON(): object {
		return {
			error: {
				id: `ERR${randomText(17, errorCharacters)}`,
				code: this.code,
				message: this.message,
				docs: '',
				// Seven digits (docs/protocol/backbone-api.md 2.5).
				time: new Date().toISOString().replace('Z', '0000Z'),
				data: this.data,
			},
		};
	}
}

export const invalid = (code: string, message = 'The request is not valid.'): BackboneError =>
	new BackboneError(400, `error.platform.validation.${code}`, message);

export const invalidProperty = (message: string): BackboneError =>
	invalid('invalidPropertyValue', message);

export const notFound = (kind: string): BackboneError =>
	new BackboneError(
		404,
		'error.platform.recordNotFound',
		`${kind} not found. Make sure the ID exists and the record is not expired.`,
	);

export const forbidden = (message = 'You are not allowed to perform this action.'): BackboneError =>
	new BackboneError(403, 'error.platform.forbidden', message);

export const cannotParse = (message: string): BackboneError =>
	new BackboneError(400, 'error.platform.inputCannotBeParsed', message);

/** What the server did not foresee. */
export const unexpected = (): BackboneError =>
	new BackboneError(500, 'error.platform.unexpected', 'An unexpected error occurred.');

/** 401 carries no body. */
export class Unauthorized extends Error {}
