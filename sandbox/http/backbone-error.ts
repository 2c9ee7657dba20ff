import { randomInt } from 'node:crypto';

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
		const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ123456789';
		let id = 'ERR';
		while (id.length < 20) id += letters[randomInt(letters.length)];
		return {
			error: {
				id,
				code: this.code,
				message: this.message,
				docs: '',
				time: new Date().toISOString(),
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

export const forbidden = (): BackboneError =>
	new BackboneError(403, 'error.platform.forbidden', 'You are not allowed to perform this action.');

export const cannotParse = (message: string): BackboneError =>
	new BackboneError(400, 'error.platform.inputCannotBeParsed', message);

/** 401 carries no body. */
export class Unauthorized extends Error {}
