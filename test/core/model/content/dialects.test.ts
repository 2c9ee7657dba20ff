import { toDialect, sharedIdFor7 } from '../../../../core/model/content/dialects';
import { obstacleFor } from '../../../../core/model/content/generations';
import type { JsonObject } from '../../../../core/model/json';

const share: JsonObject = {
	'@type': 'ShareAttributeRequestItem',
	attribute: {
		'@type': 'IdentityAttribute',
		owner: 'o',
		value: { '@type': 'GivenName', value: 'x' },
	},
	mustBeAccepted: true,
	sourceAttributeId: 'ATT1',
	thirdPartyAddress: 'did:e:third',
};
const login: JsonObject = { '@type': 'AuthenticationRequestItem', mustBeAccepted: true };
const request: JsonObject = {
	'@type': 'Request',
	id: 'REQ1',
	items: [login, { '@type': 'RequestItemGroup', items: [share] }],
	metadata: { items: [login] },
};

describe('own content in the words of the peer', () => {
	it('stays as it is for version 6', () => {
		expect(toDialect(6, request)).toBe(request);
	});

	it.each([7, undefined] as const)(
		'can be read by version 7 when the peer has %s',
		(generation) => {
			expect(obstacleFor(7, request)).toBeDefined();
			const written = toDialect(generation, request);
			expect(obstacleFor(7, written)).toBeUndefined();
			expect(obstacleFor(6, written)).toBeUndefined();
		},
	);

	it('names the shared attribute and its third party twice', () => {
		const { items } = toDialect(7, request) as { items: [JsonObject, { items: [JsonObject] }] };
		expect(items[1].items[0]).toEqual({
			...share,
			attributeId: sharedIdFor7('ATT1', 'REQ1'),
			initialAttributePeer: 'did:e:third',
		});
	});

	it('leaves alone what is of the user', () => {
		expect(toDialect(7, request)['metadata']).toEqual({ items: [login] });
	});

	it('keeps the id of an item that version 7 wrote', () => {
		const { sourceAttributeId: _, ...item } = share;
		expect(toDialect(7, { ...item, attributeId: 'ATT7' })['attributeId']).toBe('ATT7');
	});

	it('asks for interaction only where that cannot be misread', () => {
		const consent = { '@type': 'ConsentRequestItem', consent: '?', requiresInteraction: true };
		const asked = (generation: 7 | undefined) =>
			toDialect(generation, { '@type': 'Request', items: [consent] })['items'];
		expect(asked(7)).toEqual([consent]);
		expect(asked(undefined)).toEqual([{ '@type': 'ConsentRequestItem', consent: '?' }]);
	});

	it('keeps a title that is there', () => {
		expect(toDialect(7, { ...login, title: 'T' })['title']).toBe('T');
	});

	it('writes the letters of attributes as single characters, which version 7 wants', () => {
		const named = (type: string, text: string): JsonObject => ({
			'@type': 'Request',
			items: [
				{ '@type': 'CreateAttributeRequestItem', attribute: { '@type': type, value: { text } } },
			],
		});
		for (const type of ['IdentityAttribute', 'RelationshipAttribute']) {
			expect(toDialect(7, named(type, 'Zoe\u0308'))).toEqual(named(type, 'Zo\u00eb'));
		}
		const other = named('ThirdKind', 'Zoe\u0308');
		expect(toDialect(7, other)).toEqual(other);
	});

	it('gives each request ids of its own for what it shares', () => {
		const id = sharedIdFor7('ATT1', 'REQ1');
		expect(id).toMatch(/^ATT[0-9a-f]{17}$/);
		expect(sharedIdFor7('ATT1', 'REQ1')).toBe(id);
		expect(sharedIdFor7('ATT1', 'REQ2')).not.toBe(id);
		expect(sharedIdFor7('ATT2', 'REQ1')).not.toBe(id);
	});
});
