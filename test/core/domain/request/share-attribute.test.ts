import type { RelationshipAttribute } from '../../../../core/model/content/attributes';
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
	type Consumption,
} from './consumption-fixtures';

const invalidItem = 'error.consumption.requests.invalidRequestItem';
const sharedId = attributeId('1');

const share = (sourceAttributeId: string, attribute: JsonObject, more = {}): JsonObject => ({
	'@type': 'ShareAttributeRequestItem',
	mustBeAccepted: true,
	attribute,
	sourceAttributeId,
	...more,
});

let consumption: Consumption;
beforeEach(async () => {
	consumption = await openConsumption();
	for (const [peer, status] of [
		[people.B, 'Active'],
		[people.P, 'Pending'],
	] as const) {
		await storeRelationship(consumption, relationshipWith(peer, status));
	}
});
afterEach(async () => {
	await consumption.dispose();
});

async function itemCode(item: JsonObject, peer: string | undefined = people.B) {
	const result = await consumption.requests.validate({
		content: { items: [item] },
		...(peer === undefined ? {} : { peer }),
	});
	return result.items[0]?.code ?? result.code;
}

describe('sharing an own attribute', () => {
	beforeEach(async () => {
		await storeAttribute(consumption, { id: sharedId, content: givenName('Sh') });
	});
	const copyFor = (peer: string, sourceAttribute: string, more = {}) => ({
		id: attributeId('2'),
		content: givenName('Sh'),
		shareInfo: { peer, requestReference: 'REQ', sourceAttribute },
		...more,
	});

	it('is refused when it is shared with the peer already', async () => {
		await storeAttribute(consumption, copyFor(people.B, sharedId));
		expect(await itemCode(share(sharedId, givenName('Sh')))).toBe(invalidItem);
	});

	it('is allowed when it is shared with another peer', async () => {
		await storeAttribute(consumption, copyFor(people.C, sharedId));
		expect(await itemCode(share(sharedId, givenName('Sh')))).toBeUndefined();
	});

	it.each(['DeletedByPeer', 'ToBeDeletedByPeer'])(
		'is allowed again when the copy of the peer is %s',
		async (deletionStatus) => {
			const deletionInfo = { deletionStatus, deletionDate: anHourEarlier };
			await storeAttribute(consumption, copyFor(people.B, sharedId, { deletionInfo }));
			expect(await itemCode(share(sharedId, givenName('Sh')))).toBeUndefined();
		},
	);

	it.each(['before', 'after'])('is refused when the version %s it is shared', async (order) => {
		const other = attributeId('3');
		const [older, newer] =
			order === 'before' ? [other, attributeId('4')] : [attributeId('4'), other];
		await storeAttribute(consumption, { id: older, content: givenName('O'), succeededBy: newer });
		await storeAttribute(consumption, { id: newer, content: givenName('N'), succeeds: older });
		await storeAttribute(consumption, copyFor(people.B, other));
		const [id, name] = order === 'before' ? [newer, 'N'] : [older, 'O'];
		expect(await itemCode(share(id, givenName(name)))).toBe(invalidItem);
	});

	it('does not follow versions in a circle without end', async () => {
		const [one, two] = [attributeId('5'), attributeId('6')];
		const circle = { succeeds: two, succeededBy: two };
		await storeAttribute(consumption, { id: one, content: givenName('1'), ...circle });
		await storeAttribute(consumption, {
			id: two,
			content: givenName('2'),
			succeeds: one,
			succeededBy: one,
		});
		expect(await itemCode(share(one, givenName('1')))).toBeUndefined();
	});

	it('is refused for a shared copy', async () => {
		await storeAttribute(consumption, copyFor(people.C, sharedId));
		expect(await itemCode(share(attributeId('2'), givenName('Sh')))).toBe(invalidItem);
	});

	it("is refused for another identity's attribute", async () => {
		const content = givenName('Bob', people.B);
		await storeAttribute(consumption, {
			id: attributeId('7'),
			content,
			shareInfo: { peer: people.B, requestReference: 'REQ' },
		});
		expect(await itemCode(share(attributeId('7'), content), people.P)).toBe(invalidItem);
	});

	it('takes the content in any order of members', async () => {
		const reordered = Object.fromEntries(Object.entries(givenName('Sh')).reverse());
		expect(await itemCode(share(sharedId, reordered))).toBeUndefined();
	});
});

describe('sharing a relationship attribute with a third party', () => {
	const id = attributeId('8');
	const content = proprietaryText('k', people.A);
	const fromC = { peer: people.C, requestReference: 'REQ' };
	const item = (more = {}, attribute = content): JsonObject =>
		share(id, attribute, { thirdPartyAddress: people.C, ...more });
	const prepare = async (
		status: 'Active' | 'Pending' | 'Terminated',
		more: {
			content?: RelationshipAttribute;
			shareInfo?: typeof fromC & { sourceAttribute?: string };
		} = {},
	): Promise<void> => {
		await storeRelationship(consumption, relationshipWith(people.C, status));
		await storeAttribute(consumption, { id, content, shareInfo: fromC, ...more });
	};

	it('is allowed while the relationship it belongs to is established', async () => {
		await prepare('Terminated');
		expect(await itemCode(item())).toBeUndefined();
	});

	// shows generation-7 8.6: 11
	it('is refused while that relationship is pending', async () => {
		await prepare('Pending');
		expect(await itemCode(item())).toBe(
			'error.consumption.requests.cannotShareRelationshipAttributeOfPendingRelationship',
		);
	});

	it('is refused without the address of the third party', async () => {
		await prepare('Active');
		expect(await itemCode(item({ thirdPartyAddress: people.D }))).toBe(invalidItem);
		expect(await itemCode(item({ thirdPartyAddress: null }))).toBe(invalidItem);
	});

	it('is refused towards the peer it belongs to', async () => {
		await prepare('Active');
		expect(await itemCode(item(), people.C)).toBe(invalidItem);
	});

	it('is refused when it is a copy itself', async () => {
		await prepare('Active', { shareInfo: { ...fromC, sourceAttribute: attributeId('1') } });
		expect(await itemCode(item())).toBe(invalidItem);
	});

	it('is refused when it is private', async () => {
		const secret = { ...content, confidentiality: 'private' as const };
		await prepare('Active', { content: secret });
		expect(await itemCode(item({}, secret))).toBe(invalidItem);
	});

	// shows generation-7 8.6: 13
	it('is refused when the recipient owns it', async () => {
		const foreign = proprietaryText('k', people.B);
		await prepare('Active', { content: foreign });
		expect(await itemCode(item({}, foreign))).toBe(invalidItem);
	});

	it('is refused when the recipient has a copy', async () => {
		await prepare('Active');
		await storeAttribute(consumption, {
			id: attributeId('10'),
			content,
			shareInfo: { peer: people.B, requestReference: 'REQ', sourceAttribute: id },
		});
		expect(await itemCode(item())).toBe(invalidItem);
	});
});
