import { parseReceivedContent } from '../../../../core/model/content/content-registry';
import { hintFor, obstacleFor } from '../../../../core/model/content/generations';
import { evidenceIn, versionShownBy } from '../../../../core/model/content/version-evidence';
import { toDialect } from '../../../../core/model/content/dialects';
import type { JsonObject } from '../../../../core/model/json';

const owner = 'did:e:backbone.example:dids:0123456789abcdef012345';
const attribute = (value: JsonObject): JsonObject => ({
	'@type': 'IdentityAttribute',
	owner,
	value,
});
const displayName = attribute({ '@type': 'DisplayName', value: 'Sample Org' });
const request = (item: JsonObject): JsonObject => ({
	'@type': 'Request',
	items: [{ '@type': 'RequestItemGroup', items: [{ mustBeAccepted: true, ...item }] }],
});
const notification = (type: string): JsonObject => ({
	'@type': 'Notification',
	id: 'NOT1',
	items: [{ '@type': type, attributeId: 'ATT1' }],
});
const query = (valueType: string): JsonObject =>
	request({
		'@type': 'ReadAttributeRequestItem',
		query: { '@type': 'IdentityAttributeQuery', valueType },
	});

const common: ReadonlyArray<[string, JsonObject]> = [
	['an attribute', displayName],
	['a query', query('DisplayName')],
	['a login with a title', request({ '@type': 'AuthenticationRequestItem', title: 'Login' })],
	['a mail', { '@type': 'Mail', to: [owner], cc: [], subject: 's', body: 'b' }],
	[
		'a value that looks like something else',
		{ '@type': 'ArbitraryMessageContent', value: { '@type': 'PersonName' } },
	],
	[
		'metadata that look like something else',
		{ ...query('DisplayName'), metadata: { '@type': 'MaritalStatus' } },
	],
];

describe('content for both generations', () => {
	it.each(common)(
		'is readable, and does not show the generation of its writer: %s',
		(_what, content) => {
			const parsed = parseReceivedContent(content);
			expect(obstacleFor(6, parsed)).toBeUndefined();
			expect(obstacleFor(7, parsed)).toBeUndefined();
			expect(hintFor(undefined, parsed)).toBeUndefined();
			expect(versionShownBy(content)).toBeUndefined();
		},
	);
});

/* docs/protocol/content.md 13.3, row by row: what we write as well, or leave out for version 6 alone. */
const only6: ReadonlyArray<[string, JsonObject, string, string]> = [
	[
		'a shared attribute',
		request({
			'@type': 'ShareAttributeRequestItem',
			attribute: displayName,
			sourceAttributeId: 'ATT1',
		}),
		'items.0.items.0.attributeId',
		'notReadable',
	],
	[
		'a login without title',
		request({ '@type': 'AuthenticationRequestItem' }),
		'items.0.items.0.title',
		'notReadable',
	],
	[
		'a free text',
		{ '@type': 'FreeTextRequestItem', mustBeAccepted: true, freeText: '' },
		'',
		'unknownType',
	],
	[
		'a listener',
		request({
			'@type': 'RegisterAttributeListenerRequestItem',
			query: { '@type': 'IdentityAttributeQuery', valueType: 'DisplayName' },
		}),
		'items.0.items.0',
		'notReadable',
	],
	[
		'the answer to a shared attribute',
		{ '@type': 'ShareAttributeAcceptResponseItem', attributeId: 'ATT1', result: 'Accepted' },
		'',
		'unknownType',
	],
	[
		'a notification',
		notification('OwnSharedAttributeDeletedByOwnerNotificationItem'),
		'items.0',
		'notReadable',
	],
	[
		"a person's name",
		attribute({ '@type': 'PersonName', givenName: 'Jane', surname: 'Doe' }),
		'value',
		'unknownType',
	],
	[
		"a query for a person's name",
		query('PersonName'),
		'items.0.items.0.query.valueType',
		'notReadable',
	],
	['a part of an address', attribute({ '@type': 'City', value: 'C' }), 'value', 'notReadable'],
	['a query for a part', query('ZipCode'), 'items.0.items.0.query.valueType', 'notReadable'],
	[
		'an IQL query whose answer is a part',
		request({
			'@type': 'ReadAttributeRequestItem',
			query: {
				'@type': 'IQLQuery',
				queryString: '#a',
				attributeCreationHints: { valueType: 'City' },
			},
		}),
		'items.0.items.0.query.valueType',
		'notReadable',
	],
];

describe('content that version 7 cannot read', () => {
	// shows generation-7 4.1: paragraph 2; generation-7 7: TransferFileOwnershipRequestItem; gone
	it.each(only6)('is found, and is not of version 7: %s', (_what, content, field, failure) => {
		const parsed = parseReceivedContent(content);
		expect(obstacleFor(6, parsed)).toBeUndefined();
		expect(obstacleFor(7, parsed)).toMatchObject({ field, failure });
		const isLeftOutFor6 = /(attributeId|title)$/.test(field);
		expect(evidenceIn(content)).toEqual(isLeftOutFor6 ? { version: 6 } : { before: 7 });
		expect(hintFor(6, parsed)).toBeUndefined();
		expect(hintFor(undefined, parsed)).toMatch(/^Wallets of version 7 cannot read the item: .+\.$/);
	});

	it('counts a city inside an address as readable', () => {
		const address = attribute({
			'@type': 'PostOfficeBoxAddress',
			boxId: '1',
			zipCode: '1',
			city: { '@type': 'City', value: 'C' },
			country: 'DE',
			recipient: 'R',
		});
		expect(obstacleFor(7, parseReceivedContent(address))).toBeUndefined();
		expect(evidenceIn(address)).toBeUndefined();
	});
});

const answer = {
	result: 'Accepted',
	attributeId: 'ATT1',
	attribute: displayName,
};

const mail = { '@type': 'Mail', to: [owner], subject: '', body: '' };

describe('members that only version 7 writes', () => {
	it.each([
		['bodyFormat', { ...mail, bodyFormat: 'PlainText' }],
		[
			'requiresInteraction',
			request({ '@type': 'ConsentRequestItem', consent: 'c', requiresInteraction: false }),
		],
		[
			'initialAttributePeer alone',
			{ '@type': 'ReadAttributeAcceptResponseItem', ...answer, initialAttributePeer: owner },
		],
	])('tell of it: %s', (_member, content) => {
		expect(versionShownBy(content as JsonObject)).toBeGreaterThanOrEqual(7);
		expect(obstacleFor(6, parseReceivedContent(content))).toBeUndefined();
	});
});

describe('what we write to a peer of whom nothing is known', () => {
	it.each([
		['a login', request({ '@type': 'AuthenticationRequestItem' })],
		[
			'a consent that asks for interaction',
			request({ '@type': 'ConsentRequestItem', consent: 'c', requiresInteraction: true }),
		],
		['a query for a value of version 7', query('BankAccount')],
		[
			'an offer of a credential',
			request({ '@type': 'ShareCredentialOfferRequestItem', credentialOfferUrl: 'https://x' }),
		],
		['a mail in Markdown', { ...mail, bodyFormat: 'Markdown' }],
		['a mail that names the usual format', { ...mail, bodyFormat: 'PlainText' }],
		[
			'a shared attribute of a third party',
			request({
				'@type': 'ShareAttributeRequestItem',
				attribute: displayName,
				sourceAttributeId: 'ATT1',
				thirdPartyAddress: owner,
			}),
		],
		[
			'an attribute of a third party that was asked for',
			{ '@type': 'ReadAttributeAcceptResponseItem', ...answer, thirdPartyAddress: owner },
		],
	])('is not evidence: %s', (_what, content) => {
		expect(versionShownBy(toDialect(undefined, content as JsonObject, 'RLT1'))).toBeUndefined();
	});

	it.each(only6)('makes no generation of us: %s', (_what, content) => {
		expect(versionShownBy(toDialect(undefined, content, 'RLT1'))).toBeUndefined();
	});
});

describe('content that tells nothing', () => {
	it.each([
		['without type', { items: [{ '@type': 'FreeTextRequestItem' }] }],
		[
			'of both generations',
			{
				'@type': 'Request',
				items: [{ '@type': 'FreeTextRequestItem' }, { '@type': 'Mail', bodyFormat: 'PlainText' }],
			},
		],
		['nested too deeply', deep()],
	])('is %s', (_what, content) => {
		expect(evidenceIn(content as JsonObject)).toBeUndefined();
	});

	function deep(): JsonObject {
		let value: JsonObject = { '@type': 'FreeTextRequestItem' };
		for (let level = 0; level < 5_000; level++) value = { '@type': 'Request', items: [value] };
		return value;
	}
});
