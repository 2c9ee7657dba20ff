import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { GatewayError, type ErrorCode, type ErrorKind } from '../../core';
import { toErrorItem } from '../../nodes/Enmeshed/output/to-items';
import { toNodeError } from '../../nodes/Enmeshed/errors/to-node-error';
import { testNode } from '../support/n8n/n8n-functions';

const gatewayError = (
	kind: ErrorKind,
	code: ErrorCode = 'error.gateway.contacts.several',
	facts = {},
) =>
	new GatewayError({
		code,
		kind,
		message: 'There is no active relationship with Ada.',
		remedy: 'Connect first.',
		facts,
		cause: new Error('secret body'),
	});

const page = 'https://github.com/n8n-nodes-enmeshed/n8n-nodes-enmeshed/blob/main/docs/errors.md';
const link = (code: string, anchor: string): string =>
	`<a href="${page}#${anchor}" target="_blank">${code}</a>`;

describe('an error of the gateway in n8n', () => {
	it('has a title in plain words, then what to do and the exact code', () => {
		const shown = toNodeError(testNode, gatewayError('conflict'), 3);
		expect(shown).toBeInstanceOf(NodeOperationError);
		expect(shown).toMatchObject({
			message: 'There is no active relationship with Ada',
			description: `Connect first. Code: ${link('error.gateway.contacts.several', 'error.gateway.contacts.several')}`,
			context: { itemIndex: 3, code: 'error.gateway.contacts.several' },
		});
	});

	it('links codes of the Backbone to the section about them', () => {
		const code = 'error.platform.validation.message.tooManyRecipients';
		const shown = toNodeError(testNode, gatewayError('invalid', code));
		expect(shown.description).toBe(`Connect first. Code: ${link(code, 'codes-of-the-backbone')}`);
	});

	it('makes no link of a code that a Backbone has made up', () => {
		const code = 'error."><script>alert(1)</script>Validator';
		const shown = toNodeError(testNode, gatewayError('invalid', code));
		expect(shown.description).toBe(
			'Connect first. Code: error.&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;Validator',
		);
	});

	it('takes nothing over that may be secret', () => {
		for (const kind of ['conflict', 'unavailable'] as const) {
			const shown = toNodeError(testNode, gatewayError(kind));
			expect(JSON.stringify([{ ...shown }, shown])).not.toContain('secret body');
		}
	});

	it.each([
		['unavailable', 'error.transport.request.unknown', 'temporarily-unavailable'],
		['forbidden', 'error.transport.general.platformClientInvalid', 'credential-invalid'],
		['forbidden', 'error.platform.forbidden', undefined],
		['invalid', 'error.runtime.validation.invalidPropertyValue', 'configuration-invalid'],
		['notFound', 'error.runtime.recordNotFound', 'configuration-invalid'],
		['conflict', 'error.transport.relationships.wrongRelationshipStatus', undefined],
		['internal', 'error.runtime.unknown', 'node-defect'],
	] as const)('of the kind %s with the code %s says %s', (kind, code, cause) => {
		expect(toNodeError(testNode, gatewayError(kind, code)).failure?.cause).toBe(cause);
	});

	it('passes on how long the Backbone wants us to wait', () => {
		const error = gatewayError('unavailable', 'error.platform.unexpected', { retryAfterMs: 5_000 });
		const shown = toNodeError(testNode, error);
		expect(shown).toBeInstanceOf(NodeApiError);
		expect(shown.failure).toEqual({ cause: 'temporarily-unavailable', retryAfterMs: 5_000 });
	});

	it.each([
		['2030-02-01T00:00:00.0000000Z', { resetsAtEpochMs: Date.parse('2030-02-01T00:00:00Z') }],
		['9999-12-31T23:59:59.9999999Z', {}],
	])('says that a quota is exhausted, until %s', (isExhaustedUntil, resets) => {
		const code = 'error.platform.quotaExhausted';
		const shown = toNodeError(testNode, gatewayError('unavailable', code, { isExhaustedUntil }));
		expect(shown.failure).toEqual({ cause: 'quota-exhausted', ...resets });
	});

	it('is recognised after n8n has loaded our modules again', () => {
		const foreign = Object.assign(new Error('Too long.'), {
			name: 'GatewayError',
			code: 'error.x',
			kind: 'invalid',
			facts: {},
		});
		expect(toNodeError(testNode, foreign).context['code']).toBe('error.x');
	});

	it('becomes an item that the engine moves to the error output', () => {
		const shown = toNodeError(testNode, gatewayError('conflict'), 1);
		const item = toErrorItem(shown, 1, { ...testNode, onError: 'continueErrorOutput' });
		expect(item.error).toBe(shown);
		expect({ ...item }).toEqual({
			json: {
				error: 'There is no active relationship with Ada (error.gateway.contacts.several)',
				message: 'There is no active relationship with Ada',
				description: expect.stringMatching(/^[^<]+$/),
				code: 'error.gateway.contacts.several',
			},
			pairedItem: { item: 1 },
		});
	});

	it('becomes an item without the error itself where the engine leaves failed items', () => {
		const shown = toNodeError(testNode, gatewayError('conflict'), 1);
		const regular = { ...testNode, onError: 'continueRegularOutput' } as const;
		expect(toErrorItem(shown, 1, regular)).not.toHaveProperty('error');
		const tool = { ...testNode, type: `${testNode.type}Tool` };
		expect(toErrorItem(shown, 1, tool)).not.toHaveProperty('error');
	});
});

describe('any other error in n8n', () => {
	it('stays what it is when it was made for n8n, with its item', () => {
		const original = new NodeOperationError(testNode, 'Choose an entry');
		const shown = toNodeError(testNode, original, 2);
		expect(shown).toBe(original);
		expect(shown.context.itemIndex).toBe(2);
	});

	it('says that the execution was stopped when it was', () => {
		const abort = new DOMException('This operation was aborted', 'AbortError');
		expect(toNodeError(testNode, abort, 0).message).toBe('The execution was canceled');
	});

	it('is a defect of this package otherwise', () => {
		expect(toNodeError(testNode, new TypeError('x is undefined')).failure).toEqual({
			cause: 'node-defect',
		});
		expect(toNodeError(testNode, 'text').message).toBe('An unexpected value was thrown');
	});
});
