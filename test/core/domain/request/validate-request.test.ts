import type { JsonObject } from '../../../../core/model/json';
import {
	anHourEarlier,
	attributeId,
	givenName,
	openConsumption,
	people,
	proprietaryText,
	relationshipWith,
	storeAttribute,
	storeRelationship,
	withoutMessages,
	type Consumption,
} from './consumption-fixtures';

const invalidItem = 'error.consumption.requests.invalidRequestItem';
const unreadable = 'error.runtime.requestDeserialization';
const sharedId = attributeId('1');

const request = (...items: JsonObject[]): JsonObject => ({ items });
const read = (query: JsonObject): JsonObject => ({
	'@type': 'ReadAttributeRequestItem',
	mustBeAccepted: true,
	query,
});
const relationshipQuery = (owner: string, key = 'k'): JsonObject => ({
	'@type': 'RelationshipAttributeQuery',
	owner,
	key,
	attributeCreationHints: {
		title: 'T',
		valueType: 'ProprietaryString',
		confidentiality: 'public',
	},
});
let consumption: Consumption;
beforeEach(async () => {
	consumption = await openConsumption();
	for (const [peer, status] of [
		[people.B, 'Active'],
		[people.P, 'Pending'],
		[people.T, 'Terminated'],
	] as const) {
		await storeRelationship(consumption, relationshipWith(peer, status));
	}
});
afterEach(async () => {
	await consumption.dispose();
});

async function validate(...items: JsonObject[]) {
	return await consumption.requests.validate({ content: request(...items), peer: people.B });
}

async function itemCode(item: JsonObject, peer: string | undefined = people.B) {
	const result = await consumption.requests.validate({
		content: request(item),
		...(peer === undefined ? {} : { peer }),
	});
	return result.items[0]?.code ?? result.code;
}

describe('validating a request', () => {
	it.each([
		['without content', { peer: people.B }, unreadable],
		['with content that is a list', { content: [], peer: people.B }, unreadable],
		['with content that is null', { content: null }, unreadable],
		[
			'with an unknown member beside the content',
			{ content: request(read({})), foo: 1 },
			'error.runtime.validation.invalidPropertyValue',
		],
		['with a list that is none', { content: { items: 'x' } }, 'error.runtime.servalError'],
		[
			'of another type',
			{ content: { '@type': 'Request', items: [{ '@type': 'Mail' }] } },
			unreadable,
		],
		[
			'in the dialect of version 7',
			{
				content: request({
					'@type': 'ShareAttributeRequestItem',
					mustBeAccepted: true,
					attribute: givenName('Sh'),
					attributeId: sharedId,
				}),
			},
			unreadable,
		],
	])('is refused %s', async (_what, input, code) => {
		await expect(consumption.requests.validate(input)).rejects.toMatchObject({ code });
	});

	it.each([
		['ourselves', people.A, 'cannotShareRequestWithYourself'],
		['a stranger', people.N, 'missingRelationship'],
		['a peer whose relationship was terminated', people.T, 'wrongRelationshipStatus'],
		['a peer whose relationship was rejected', people.D, 'wrongRelationshipStatus'],
		['a peer whose relationship is pending', people.P, undefined],
		['a peer with a newer, active relationship', people.E, undefined],
	])('for %s has the code of the rule', async (_whom, peer, name) => {
		await storeRelationship(consumption, relationshipWith(people.D, 'Rejected'));
		await storeRelationship(consumption, relationshipWith(people.E, 'Rejected'));
		const newer = { id: 'REL0000000000000000E' };
		await storeRelationship(consumption, relationshipWith(people.E, 'Active', newer));
		const content = request(read({ '@type': 'IdentityAttributeQuery', valueType: 'GivenName' }));
		const result = await consumption.requests.validate({ content, peer });
		const code = name === undefined ? undefined : `error.consumption.requests.${name}`;
		expect(result).toMatchObject({ isSuccess: code === undefined });
		expect(result.code).toBe(code);
		expect(result.message === undefined).toBe(code === undefined);
	});

	// shows generation-7 8.1: paragraph 2
	it.each([
		['ToBeDeleted', 'error.consumption.requests.peerIsInDeletion'],
		['Deleted', 'error.consumption.requests.peerIsDeleted'],
	] as const)('is refused when the peer is %s', async (deletionStatus, code) => {
		await storeRelationship(
			consumption,
			relationshipWith(people.C, 'Active', {
				peerDeletionInfo: { deletionStatus, deletionDate: anHourEarlier },
			}),
		);
		const query = { '@type': 'IdentityAttributeQuery', valueType: 'GivenName' };
		const content = request(read(query));
		const result = await consumption.requests.validate({ content, peer: people.C });
		expect(withoutMessages(result)).toEqual({ isSuccess: false, code, items: [] });
	});
});

describe('asking for a relationship attribute', () => {
	const existing = (owner: string, more = {}) => ({
		id: attributeId('9'),
		content: proprietaryText('k', owner),
		shareInfo: { peer: people.B, requestReference: 'REQ' },
		...more,
	});

	it('is refused when one with this key, owner and type exists', async () => {
		await storeAttribute(consumption, existing(people.B));
		expect(await itemCode(read(relationshipQuery('')))).toBe(invalidItem);
		expect(await itemCode(read(relationshipQuery(people.A)))).toBeUndefined();
		expect(await itemCode(read(relationshipQuery('', 'other')))).toBeUndefined();
		expect(await itemCode(read(relationshipQuery('')), '')).not.toBe(invalidItem);
	});

	it.each([
		[
			'that the peer deleted',
			{ deletionInfo: { deletionStatus: 'DeletedByPeer', deletionDate: '' } },
		],
		[
			'that came from a third party',
			{ shareInfo: { peer: people.B, requestReference: 'REQ', thirdPartyAddress: people.C } },
		],
	])('is allowed beside one %s', async (_what, more) => {
		await storeAttribute(consumption, existing(people.B, more));
		expect(await itemCode(read(relationshipQuery('')))).toBeUndefined();
	});

	it('counts the empty owner as the recipient when keys must be unique', async () => {
		const twice = [read(relationshipQuery('')), read(relationshipQuery(''))];
		const clash = 'error.consumption.requests.violatedKeyUniquenessOfRelationshipAttributes';
		expect((await validate(...twice)).code).toBe(clash);
		const optional = twice.map((item) => ({ ...item, mustBeAccepted: false }));
		expect((await validate(...optional)).isSuccess).toBe(true);
	});
});
