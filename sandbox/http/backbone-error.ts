import { errorCharacters, randomText } from '../random';

/** Error answer in the words of the Backbone (docs/protocol/backbone-api.md 3). */
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
				// Times have seven digits after the second (docs/protocol/backbone-api.md 2.5).
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

/** Error for a failure that the server did not expect. */
export const unexpected = (): BackboneError =>
	new BackboneError(500, 'error.platform.unexpected', 'An unexpected error occurred.');

/** Error for 401, which has no body. */
export class Unauthorized extends Error {}
