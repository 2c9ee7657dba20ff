import type { ErrorCode } from '../../../core/base/error-codes';
import { defineErrors, GatewayError, isGatewayError } from '../../../core/base/errors';

const unknownPosition = 'error.gateway.events.unknownPosition';

const failure = (code: ErrorCode): unknown =>
	new GatewayError({ code, kind: 'invalid', message: 'No.', facts: { after: 7, last: 3 } });

describe('a caught error', () => {
	it('has the facts of the code that it is tested for', () => {
		const error = failure(unknownPosition);
		if (!isGatewayError(error, unknownPosition)) throw new TypeError('another error');
		const { after, last }: { readonly after: number; readonly last: number } = error.facts;
		const code: typeof unknownPosition = error.code;
		expect([code, after, last]).toEqual([unknownPosition, 7, 3]);
		// @ts-expect-error -- a fact of another code
		const { status }: { readonly status: number } = error.facts;
		expect(status).toBeUndefined();
	});

	it('is of one code and of no other', () => {
		const error = failure('error.gateway.contacts.several');
		expect(isGatewayError(error)).toBe(true);
		expect(isGatewayError(error, 'error.gateway.contacts.several')).toBe(true);
		expect(isGatewayError(error, 'error.gateway.contacts.notFound')).toBe(false);
		// @ts-expect-error -- no code has this spelling
		expect(isGatewayError(error, 'error.gateway.contacts.notfound')).toBe(false);
	});

	it('may have a code that only the Backbone knows', () => {
		const code = 'error.platform.validation.something.new';
		expect(isGatewayError(failure(code), code)).toBe(true);
		expect(isGatewayError(failure('MaximumLengthValidator'), 'MaximumLengthValidator')).toBe(true);
	});

	it('counts as one by its name, so that it survives a reload of the modules', () => {
		const reloaded = Object.assign(new Error('No.'), {
			name: 'GatewayError',
			code: unknownPosition,
		});
		expect(isGatewayError(reloaded, unknownPosition)).toBe(true);
		expect(isGatewayError(Object.assign(new Error('No.'), { code: unknownPosition }))).toBe(false);
		expect(isGatewayError(undefined)).toBe(false);
	});
});

describe('a catalogue of errors', () => {
	const errors = defineErrors({
		unknownPosition: {
			code: unknownPosition,
			kind: 'invalid',
			meaning: 'There is no such position.',
			remedy: 'Start without a position.',
		},
	});

	it('gives an error the advice of its definition, or of the situation', () => {
		const facts = { after: 7, last: 3 };
		const usual = errors.create('unknownPosition', { message: 'No.', facts });
		expect(usual).toMatchObject({ code: unknownPosition, kind: 'invalid', facts });
		expect(usual.remedy).toBe('Start without a position.');
		const special = errors.create('unknownPosition', { message: 'No.', facts, remedy: 'Wait.' });
		expect(special.remedy).toBe('Wait.');
	});

	it('takes the facts of the code only', () => {
		// @ts-expect-error -- `last` is missing
		const error = errors.create('unknownPosition', { message: 'No.', facts: { after: 7 } });
		expect(error.facts).toEqual({ after: 7 });
	});
});
