import { parseReceivedContent } from '../../../../core/model/content/content-registry';
import { hintFor, obstacleFor } from '../../../../core/model/content/generations';
import { evidenceIn, type Evidence } from '../../../../core/model/content/version-evidence';
import type { JsonObject } from '../../../../core/model/json';
import type { PeerVersion } from '../../../../core/model/peer-version';

const owner = 'did:e:backbone.example:dids:0123456789abcdef012345';
const attribute = (value: JsonObject, more: JsonObject = {}): JsonObject => ({
	'@type': 'IdentityAttribute',
	owner,
	value,
	...more,
});
const name = { '@type': 'GivenName', value: 'Ada' };
const request = (...items: JsonObject[]): JsonObject => ({
	'@type': 'Request',
	items: items.map((item) => ({ mustBeAccepted: true, ...item })),
});
const propose = (value: JsonObject): JsonObject =>
	request({
		'@type': 'ProposeAttributeRequestItem',
		attribute: attribute(value),
		query: { '@type': 'IQLQuery', queryString: '#a' },
	});
const read = (query: JsonObject): JsonObject =>
	request({ '@type': 'ReadAttributeRequestItem', query });
const ask = (valueType: string): JsonObject =>
	read({ '@type': 'IdentityAttributeQuery', valueType });
const askByIql = (valueType: string): JsonObject =>
	read({
		'@type': 'IQLQuery',
		queryString: '#a',
		attributeCreationHints: { '@type': 'IQLQueryCreationHints', valueType },
	});
const share = (more: JsonObject): JsonObject =>
	request({ '@type': 'ShareAttributeRequestItem', attribute: attribute(name), ...more });
const consent = { '@type': 'ConsentRequestItem', consent: 'c' };
const mail = { '@type': 'Mail', to: [owner], cc: [], subject: '', body: '' };
const notification = (type: string): JsonObject => ({
	'@type': 'Notification',
	id: 'NOT1',
	items: [{ '@type': type, attributeId: 'ATT1' }],
});
const answer = (more: JsonObject): JsonObject => ({
	'@type': 'ReadAttributeAcceptResponseItem',
	result: 'Accepted',
	attributeId: 'ATT1',
	attribute: attribute(name),
	...more,
});

const newValues: ReadonlyArray<[JsonObject, PeerVersion]> = [
	[{ '@type': 'BankAccount', accountHolder: 'Mara Beispiel', iban: 'DE79100000000000424242' }, 7.1],
	[{ '@type': 'MaritalStatus', value: 'single' }, 7.2],
	[{ '@type': 'SchematizedJSON', value: { a: 1 } }, 7.4],
	[{ '@type': 'VerifiableCredential', value: 'a', type: 'dc+sd-jwt' }, 7.5],
];
const newItems: readonly JsonObject[] = [
	{ '@type': 'ShareCredentialOfferRequestItem', credentialOfferUrl: 'https://x' },
	{ '@type': 'ShareAuthorizationRequestRequestItem', authorizationRequestUrl: 'https://x' },
];
const presentation = {
	'@type': 'TokenContentVerifiablePresentation',
	value: 'a',
	type: 'dc+sd-jwt',
};

/* docs/protocol/content.md 13.4, row by row */
const evidence: ReadonlyArray<[string, JsonObject, Evidence | undefined]> = [
	['attributeId alone', share({ attributeId: 'ATT1' }), { version: 7 }],
	...[
		'PeerAttributeSucceededNotificationItem',
		'OwnAttributeDeletedByOwnerNotificationItem',
		'ForwardedAttributeDeletedByPeerNotificationItem',
		'PeerRelationshipAttributeDeletedByPeerNotificationItem',
	].map((type): [string, JsonObject, Evidence] => [type, notification(type), { version: 7 }]),
	['requiresInteraction', request({ ...consent, requiresInteraction: true }), { version: 7 }],
	['initialAttributePeer alone', answer({ initialAttributePeer: owner }), { version: 7 }],
	[
		'attributeId with initialAttributePeer',
		share({ attributeId: 'ATT1', initialAttributePeer: owner }),
		{ version: 7 },
	],
	[
		'attributeId with thirdPartyAddress',
		share({ attributeId: 'ATT1', thirdPartyAddress: owner }),
		{ version: 7, before: 7.1 },
	],
	['thirdPartyAddress alone', answer({ thirdPartyAddress: owner }), { before: 7.1 }],
	['both', answer({ thirdPartyAddress: owner, initialAttributePeer: owner }), undefined],
	['a mail in the usual format', { ...mail, bodyFormat: 'PlainText' }, { version: 7.1 }],
	['a mail in Markdown', { ...mail, bodyFormat: 'Markdown' }, { ifVersion7: 7.1 }],
	['a mail without a format', mail, { before: 7.1 }],
	...newValues.flatMap(([value, release]): Array<[string, JsonObject, Evidence]> => {
		const type = String(value['@type']);
		return [
			[type, propose(value), { ifVersion7: release }],
			[`a query for ${type}`, ask(type), { ifVersion7: release }],
			[
				`${type} beside what only version 7 writes`,
				request(
					{ ...consent, requiresInteraction: false },
					{ '@type': 'CreateAttributeRequestItem', attribute: attribute(value) },
				),
				{ version: release },
			],
		];
	}),
	...[...newItems.map((item) => request(item)), presentation].map(
		(content, index): [string, JsonObject, Evidence] => [
			`content ${index} of OpenID4VC`,
			content,
			{ ifVersion7: 7.5 },
		],
	),
	['a shared attribute without attributeId', share({ sourceAttributeId: 'ATT1' }), { version: 6 }],
	['a login without title', request({ '@type': 'AuthenticationRequestItem' }), { version: 6 }],
	[
		'a login without title beside a value of version 7',
		request(
			{ '@type': 'AuthenticationRequestItem' },
			{ '@type': 'CreateAttributeRequestItem', attribute: attribute(newValues[0]?.[0] ?? {}) },
		),
		{ before: 7, ifVersion7: 7.1 },
	],
	[
		'both ids of a shared attribute',
		share({ sourceAttributeId: 'ATT1', attributeId: 'ATT2' }),
		{ before: 7 },
	],
	['validFrom', attribute(name, { validFrom: '2030-01-01T00:00:00.000Z' }), { before: 7 }],
	[
		'validTo of a query',
		read({ '@type': 'IdentityAttributeQuery', valueType: 'GivenName', validTo: '2030-01-01' }),
		{ before: 7 },
	],
	['the title of an item', request({ ...consent, title: 't' }), { before: 7 }],
	[
		'the title of a login',
		request({ '@type': 'AuthenticationRequestItem', title: 't' }),
		undefined,
	],
	['the title of a request', { ...request({ ...consent }), title: 't' }, undefined],
	['requireManualDecision', request({ ...consent, requireManualDecision: true }), { before: 7 }],
	[
		'the answer of version 6 to a shared attribute',
		{ '@type': 'ShareAttributeAcceptResponseItem', attributeId: 'ATT1', result: 'Accepted' },
		{ before: 7 },
	],
	[
		'a notification of version 6',
		notification('PeerSharedAttributeDeletedByPeerNotificationItem'),
		{ before: 7 },
	],
	['signs of both', request({ ...consent, title: 't', requiresInteraction: true }), undefined],
];

describe('content of a peer', () => {
	it.each(evidence)('shows of its writer: %s', (_what, content, shown) => {
		expect(evidenceIn(content)).toEqual(shown);
	});
});

const rows: ReadonlyArray<[string, JsonObject, PeerVersion]> = [
	...newValues.flatMap(([value, release]): Array<[string, JsonObject, PeerVersion]> => {
		const type = String(value['@type']);
		return [
			[type, propose(value), release],
			[type, ask(type), release],
			[type, askByIql(type), release],
		];
	}),
	...newItems.map((item): [string, JsonObject, PeerVersion] => [
		String(item['@type']),
		request(item),
		7.5,
	]),
	[presentation['@type'], presentation, 7.5],
];

/* docs/protocol/generation-7.md 14 */
describe('content that only some releases of version 7 read', () => {
	// shows generation-7 11: loading it with 6, or 7 before 7.5.0
	it.each(rows)('is refused for version 6, and hinted at where it is in doubt: %s', (...row) => {
		const [type, content, release] = row;
		const parsed = parseReceivedContent(content);
		expect(obstacleFor(6, parsed)).toBeDefined();
		expect(hintFor(6, parsed)).toBeUndefined();
		expect(obstacleFor(7, parsed)).toBeUndefined();
		const hint = `Wallets before version ${release} cannot read ${type}.`;
		for (const version of [undefined, 7, 7.1, 7.2, 7.4, 7.5] as const) {
			const isRead = version !== undefined && version >= release;
			expect([version, hintFor(version, parsed)]).toEqual([version, isRead ? undefined : hint]);
		}
	});

	it('is named by the type that came last', () => {
		const items = newValues.map(([value]) => ({
			'@type': 'CreateAttributeRequestItem',
			attribute: attribute(value),
		}));
		expect(hintFor(7.2, request(...items))).toBe(
			'Wallets before version 7.5 cannot read VerifiableCredential.',
		);
	});
});
