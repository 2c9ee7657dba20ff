import { judged } from '../../../../core';
import { codeOf } from '../../../../core/base/errors';
import type { AttributeRecord } from '../../../../core/model/record/attribute';
import {
	anHourEarlier,
	anHourLater,
	attributeId,
	givenName,
	openConsumption,
	people,
	proprietaryText,
	storeAttribute,
	type Consumption,
} from '../request/consumption-fixtures';

/* docs/protocol/consumption.md 8.4, 15; http-api.md 6.2, 8.3 */

const sharedWithB = { peer: people.B, requestReference: 'REQ00000000000000001' };
const invalid = 'error.runtime.validation.invalidPropertyValue';

const records = {
	own: { content: { ...givenName('Ann'), tags: ['x:a', 'x:b'], validFrom: anHourEarlier } },
	older: { content: givenName('An'), succeededBy: attributeId('own') },
	later: { content: { ...givenName('Later'), validFrom: anHourLater } },
	over: { content: { ...givenName('Over'), validTo: anHourEarlier } },
	copy: {
		content: givenName('Ann'),
		shareInfo: { ...sharedWithB, sourceAttribute: attributeId('own') },
		deletionInfo: { deletionStatus: 'DeletionRequestSent', deletionDate: anHourEarlier },
	},
	olderCopy: {
		content: givenName('An'),
		shareInfo: sharedWithB,
		succeededBy: attributeId('copy'),
	},
	theirs: { content: givenName('Bob', people.B), shareInfo: sharedWithB },
	technical: {
		content: { ...proprietaryText('k', people.B), isTechnical: true },
		shareInfo: sharedWithB,
	},
	forwarded: {
		content: proprietaryText('k', people.B),
		shareInfo: { ...sharedWithB, peer: people.C, thirdPartyAddress: people.B },
	},
} satisfies Record<string, Omit<AttributeRecord, 'id' | 'createdAt'>>;
type Name = keyof typeof records;

let consumption: Consumption;
beforeAll(async () => {
	consumption = await openConsumption();
	for (const [name, parts] of Object.entries(records)) {
		await storeAttribute(consumption, { id: attributeId(name), ...parts });
	}
});
afterAll(() => consumption.dispose());

const lists = () => consumption.attributes.lists;
const namesOf = (attributes: ReadonlyArray<{ readonly id: string }>): Name[] =>
	(Object.keys(records) as Name[]).filter((name) =>
		attributes.some(({ id }) => id === attributeId(name)),
	);

describe('a list of all attributes', () => {
	it.each<readonly [object, readonly Name[]]>([
		[{ parentId: 'x' }, []],
		[{ succeededBy: attributeId('own') }, ['older']],
		[{ succeededBy: '' }, ['older', 'olderCopy']],
		[{ 'content.tags': 'x:a' }, ['own']],
		[{ 'content.tags': ['x:a', 'x:c'] }, ['own']],
		[{ 'content.tags': '!x:a' }, []],
		[{ 'content.validFrom': anHourEarlier }, ['own', 'later']],
		[{ 'content.validFrom': `>${anHourEarlier}` }, []],
		[{ 'content.validFrom': '' }, Object.keys(records) as Name[]],
		[{ 'content.validTo': anHourEarlier }, ['over']],
		[{ 'content.owner': people.B }, ['theirs', 'technical', 'forwarded']],
		[{ 'content.isTechnical': 'true' }, ['technical']],
		[{ 'content.key': 'k', 'content.confidentiality': 'public' }, ['technical', 'forwarded']],
		[{ 'content.@type': 'RelationshipAttribute' }, ['technical', 'forwarded']],
		[{ shareInfo: '!' }, ['own', 'older', 'later', 'over']],
		[{ shareInfo: 'x' }, []],
		[{ 'shareInfo.peer': people.C }, ['forwarded']],
		[{ 'shareInfo.thirdPartyAddress': people.B }, ['forwarded']],
		[{ 'shareInfo.sourceAttribute': attributeId('own') }, ['copy']],
		[{ deletionInfo: '' }, ['copy']],
		[{ 'deletionInfo.deletionStatus': ['DeletionRequestSent', 'ToBeDeleted'] }, ['copy']],
		[{ unknown: 'x', 'shareInfo.peer[]': [people.C, people.D] }, ['forwarded']],
	])('that is asked for %j', async (query, expected) => {
		expect(namesOf(await lists().all({ query: judged(query) }))).toEqual(expected);
	});

	it('can leave out what is not valid now, oldest first', async () => {
		const valid = namesOf(await lists().all({ onlyValid: true }));
		expect(valid).not.toContain('later');
		expect(valid).not.toContain('over');
		expect(valid).toContain('own');
	});

	it('can leave out what is for machines only, and older versions', async () => {
		const shown = namesOf(await lists().all({ hideTechnical: true, onlyLatestVersions: true }));
		expect(shown).toEqual(['own', 'later', 'over', 'copy', 'theirs', 'forwarded']);
	});
});

describe('the lists by kind', () => {
	const peer = people.B;

	it.each<readonly [string, () => Promise<ReadonlyArray<{ id: string }>>, readonly Name[]]>([
		['own ones', () => lists().repository(), ['own', 'later', 'over']],
		[
			'own ones in all versions',
			() => lists().repository({ onlyLatestVersions: false }),
			['own', 'older', 'later', 'over'],
		],
		['own attributes that a peer has', () => lists().ownShared({ peer }), ['copy']],
		[
			'the same in all versions',
			() => lists().ownShared({ peer, onlyLatestVersions: false }),
			['copy', 'olderCopy'],
		],
		[
			'attributes of a peer, whichever identity shared them',
			() => lists().peerShared({ peer }),
			['theirs', 'technical', 'forwarded'],
		],
		[
			'the same without technical ones',
			() => lists().peerShared({ peer, hideTechnical: true }),
			['theirs', 'forwarded'],
		],
		[
			'what two share',
			() => lists().sharedWith(peer, { hideTechnical: true }, {}),
			['copy', 'theirs'],
		],
		[
			'own ones with a tag',
			() => lists().repository({ query: { 'content.tags': 'x:b' } }),
			['own'],
		],
	])('show %s', async (_what, list, expected) => {
		expect(namesOf(await list())).toEqual(expected);
	});

	it.each<readonly [string, () => Promise<unknown>]>([
		['an unknown field', () => lists().repository({ query: { 'content.owner': people.A } })],
		['no peer', () => lists().ownShared({})],
		['a malformed peer', () => lists().peerShared({ peer: 'nope' })],
		['a source of what peers share', () => lists().peerShared({ peer, query: sourceOf('x') })],
		['no truth value', () => lists().repository({ onlyLatestVersions: 'yes' })],
	])('refuse %s', async (_what, list) => {
		const code = await list().then(
			() => undefined,
			(error: unknown) => codeOf(error),
		);
		expect(code).toBe(invalid);
	});
});

function sourceOf(id: string) {
	return { 'shareInfo.sourceAttribute': id };
}
