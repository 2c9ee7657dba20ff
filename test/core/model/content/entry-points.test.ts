import { parseReceivedContent } from '../../../../core/model/content/content-registry';
import {
	prepareCreationContent,
	readCreationResponse,
} from '../../../../core/model/content/creation-content';
import { prepareMessageContent } from '../../../../core/model/content/message-content';
import { withMembers } from '../../../../core/model/content/parse';
import type { JsonObject } from '../../../../core/model/json';

const invalid = 'error.runtime.validation.invalidPropertyValue';
const unreadable = 'error.runtime.requestDeserialization';
const address = 'did:e:backbone.example:dids:0123456789abcdef012345';
const mail: JsonObject = { '@type': 'Mail', to: [address], subject: 'Hi', body: 'Text' };
const notification: JsonObject = {
	'@type': 'Notification',
	id: 'NOT1',
	items: [{ '@type': 'OwnSharedAttributeDeletedByOwnerNotificationItem', attributeId: 'ATT1' }],
};
const request: JsonObject = {
	'@type': 'Request',
	items: [{ '@type': 'AuthenticationRequestItem', mustBeAccepted: true }],
};
const response: JsonObject = {
	requestId: 'REQ1',
	result: 'Accepted',
	items: [{ '@type': 'AcceptResponseItem', result: 'Accepted' }],
};
const standardTemplate: JsonObject = { '@type': 'RelationshipTemplateContent' };
const arbitraryTemplate: JsonObject = { '@type': 'ArbitraryRelationshipTemplateContent', value: 1 };
const arbitraryCreation: JsonObject = { '@type': 'ArbitraryRelationshipCreationContent', value: 1 };
const standardCreation: JsonObject = { '@type': 'RelationshipCreationContent', response };

describe('own message content', () => {
	it('is written in its normal form', () => {
		expect(JSON.stringify(prepareMessageContent(mail))).toBe(
			`{"@type":"Mail","body":"Text","cc":[],"subject":"Hi","to":["${address}"]}`,
		);
	});

	it('may be any value in the arbitrary wrapper', () => {
		const content = { value: { z: [null], a: false }, '@type': 'ArbitraryMessageContent' };
		expect(JSON.stringify(prepareMessageContent(content))).toBe(
			'{"@type":"ArbitraryMessageContent","value":{"z":[null],"a":false}}',
		);
	});

	it('may be a notification', () => {
		expect(prepareMessageContent(notification)).toEqual(notification);
	});

	it.each([
		['a request', request],
		[
			'a response',
			{
				'@type': 'ResponseWrapper',
				requestId: 'REQ1',
				requestSourceReference: 'MSG1',
				requestSourceType: 'Message',
				response,
			},
		],
	])('may be %s', (_what, content) => {
		expect(prepareMessageContent(content)).toEqual(content);
	});

	it.each([
		['untyped', { foo: 1 }, invalid],
		['text', 'hello', invalid],
		['null', null, invalid],
		['a content of templates', { ...arbitraryTemplate }, invalid],
		['of an unknown type', { '@type': 'Nope' }, 'error.runtime.unknownType'],
		['a mail without recipients', { ...mail, to: [] }, unreadable],
		['a mail without subject', { ...mail, subject: null }, unreadable],
	])('is refused when it is %s', (_what, content, code) => {
		expect(() => prepareMessageContent(content)).toThrow(
			expect.objectContaining({ code }) as Error,
		);
	});
});

describe('own creation content', () => {
	it('answers an arbitrary template with an arbitrary value', () => {
		expect(prepareCreationContent(arbitraryCreation, arbitraryTemplate)).toEqual(arbitraryCreation);
	});

	it.each([
		['a response to a template without request', standardCreation, arbitraryTemplate, invalid],
		[
			'an arbitrary value to a template with a request',
			arbitraryCreation,
			standardTemplate,
			invalid,
		],
		['untyped content', { foo: 1 }, arbitraryTemplate, invalid],
		['text', 'hello', arbitraryTemplate, invalid],
		['a content of messages', mail, arbitraryTemplate, invalid],
		['of an unknown type', { '@type': 'Nope' }, arbitraryTemplate, 'error.runtime.unknownType'],
		[
			'a response without its result',
			{ ...standardCreation, response: { ...response, result: undefined } },
			standardTemplate,
			unreadable,
		],
	])('is refused when it is %s', (_what, content, template, code) => {
		expect(() => prepareCreationContent(content, template)).toThrow(
			expect.objectContaining({ code }) as Error,
		);
	});
});

describe('received content', () => {
	it('gives its response when it is readable', () => {
		expect(readCreationResponse(standardCreation)).toEqual(response);
		expect(readCreationResponse({ ...standardCreation, response: {} })).toBeUndefined();
		expect(readCreationResponse(arbitraryCreation)).toBeUndefined();
		expect(readCreationResponse({})).toBeUndefined();
	});

	it('is read in the dialect of version 7', () => {
		const attribute = {
			'@type': 'IdentityAttribute',
			owner: address,
			value: { '@type': 'DisplayName', value: 'Sample Org' },
		};
		const item = { '@type': 'ShareAttributeRequestItem', attribute, mustBeAccepted: true };
		expect(
			parseReceivedContent({ ...item, attributeId: 'ATT1', initialAttributePeer: address }),
		).toEqual({ ...item, attributeId: 'ATT1', thirdPartyAddress: address });
		expect(() => parseReceivedContent(item)).toThrow(
			expect.objectContaining({ code: unreadable }) as Error,
		);
		const answer = {
			'@type': 'ReadAttributeAcceptResponseItem',
			attribute,
			attributeId: 'ATT1',
			result: 'Accepted',
		};
		expect(parseReceivedContent({ ...answer, initialAttributePeer: address })).toEqual({
			...answer,
			thirdPartyAddress: address,
		});
	});

	it('cannot reach the prototype of objects', () => {
		const text = '{"@type":"Mail","to":["x"],"subject":"","body":"","__proto__":{"polluted":1}}';
		const parsed = parseReceivedContent(JSON.parse(text));
		expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
		expect(JSON.stringify(parsed)).not.toContain('polluted');
		const hidden = '{"@type":"ArbitraryMessageContent","value":{"__proto__":{"polluted":1}}}';
		expect(JSON.stringify(parseReceivedContent(JSON.parse(hidden)))).toBe(hidden);
		expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
		for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
			expect(() => parseReceivedContent({ '@type': name })).toThrow(
				expect.objectContaining({ code: 'error.runtime.unknownType' }) as Error,
			);
		}
	});

	it.each([
		['deep', () => nested(5_000)],
		['wide', () => ({ value: new Array(100_001).fill(0) })],
	])('is refused when it is too %s', (_what, make) => {
		expect(() => parseReceivedContent(make())).toThrow(
			expect.objectContaining({ code: unreadable }) as Error,
		);
		expect(() =>
			parseReceivedContent({ '@type': 'ArbitraryMessageContent', value: make() }),
		).toThrow(expect.objectContaining({ code: unreadable }) as Error);
	});

	it('does not take long over a hostile e-mail address', () => {
		const value = `${'a.'.repeat(50)}@${'a-'.repeat(30)}.${'b-'.repeat(40)}`.slice(0, 254);
		expect(() => parseReceivedContent({ '@type': 'EMailAddress', value })).toThrow(
			expect.objectContaining({ code: unreadable }) as Error,
		);
	});

	it.each([
		['a URL', 'Website', `${'a-'.repeat(500)}!`],
		['a URL of many labels', 'Website', `${'a.'.repeat(500)}!`],
		['a phone number', 'PhoneNumber', `${'+'.repeat(99)}!`],
	])('does not take long over what is hostile and looks like %s', (_what, type, value) => {
		expect(() => parseReceivedContent({ '@type': type, value })).toThrow(
			expect.objectContaining({ code: unreadable }) as Error,
		);
	});

	it.each([
		['a link', 'link', 'Consent', { consent: 'c' }],
		['the URL of a schema', 'schemaURL', 'SchematizedXML', { value: '' }],
	])('does not take long over what is hostile and looks like %s', (_what, member, type, more) => {
		for (const part of ['a', 'a.', '-', 'a@', ':', 'www.', '/a', '%', 'a=']) {
			for (const start of ['', 'https://', 'www.', 'a@a']) {
				const text = `${start}${part.repeat(1000)}`.slice(0, 1023);
				const attempt = () =>
					parseReceivedContent({ '@type': type, ...more, [member]: `${text}"` });
				expect(attempt).toThrow(expect.objectContaining({ code: unreadable }) as Error);
			}
		}
	});

	it('never puts values into messages', () => {
		const secret = 'my private name '.repeat(20);
		const attempt = () => parseReceivedContent({ '@type': 'DisplayName', value: secret });
		expect(attempt).toThrow(expect.not.stringContaining('private') as string);
		expect(attempt).toThrow("at 'value': expected at most 100 characters");
	});
});

describe('parsed content with other members', () => {
	it('stays sorted', () => {
		const content = withMembers<JsonObject>({ b: 1, a: 2 }, { '@type': 'Request', aa: 3 });
		expect(Object.keys(content)).toEqual(['@type', 'a', 'aa', 'b']);
	});
});

function nested(depth: number): JsonObject {
	let value: JsonObject = {};
	for (let level = 0; level < depth; level++) value = { value };
	return value;
}
