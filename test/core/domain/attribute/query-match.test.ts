import type { Attribute } from '../../../../core/model/content/attributes';
import type { AttributeQuery } from '../../../../core/model/content/requests/queries';
import { loosely } from '../../../support/loosely';
import { mismatchOf } from '../../../../core/domain/attribute/queries/query-match';
import type { JsonObject } from '../../../../core/model/json';
import { fill, givenName, people, proprietaryText, stepsOf } from '../request/consumption-fixtures';

const parties = { sender: people.A, recipient: people.B };
const mismatchCode = 'error.consumption.requests.attributeQueryMismatch';

interface Recorded {
	readonly label: string;
	readonly query: AttributeQuery;
	readonly attribute: Attribute;
	readonly fits: boolean;
}

/** What the recipient of a recorded request offered as new attribute, and the verdict. */
function recorded(name: string): Recorded[] {
	const queries = new Map<unknown, readonly JsonObject[]>();
	return stepsOf(name).flatMap((step, index) => {
		if (step.op === 'send request') {
			const items = (step.content?.['items'] ?? []) as unknown as ReadonlyArray<{
				query: JsonObject;
			}>;
			queries.set(
				step.request,
				items.map(({ query }) => query),
			);
		}
		if (step.op !== 'incomingRequests.canAccept') return [];
		const input = step.input as unknown as {
			requestId: string;
			items: ReadonlyArray<{ newAttribute?: JsonObject; existingAttributeId?: string; tags?: [] }>;
		};
		const verdicts = (step.result?.['items'] ?? []) as ReadonlyArray<{ code?: string }>;
		return verdicts.flatMap((verdict, position) => {
			const query = queries.get(input.requestId)?.[position];
			const offered = input.items[position];
			const isOther = verdict.code !== undefined && verdict.code !== mismatchCode;
			if (query === undefined || offered?.newAttribute === undefined || isOther) return [];
			if (offered.existingAttributeId !== undefined || offered.tags !== undefined) return [];
			const attribute = fill(offered.newAttribute);
			// In a new attribute the empty owner means who offers it (consumption.md 6.6, row 11).
			const owner = attribute['owner'] === '' ? people.B : attribute['owner'];
			return [
				{
					label: `${name}, step ${index}`,
					query: loosely(fill(query)),
					attribute: loosely({ ...attribute, owner: owner ?? '' }),
					fits: verdict.code === undefined,
				},
			];
		});
	});
}

const cases = [
	...recorded('ReadAttributeRequestItem with IdentityAttributeQuery and IQLQuery'),
	...recorded('ReadAttributeRequestItem with RelationshipAttributeQuery'),
];

describe('an attribute and the query it answers', () => {
	it('are recorded in both verdicts', () => {
		expect(cases.filter(({ fits }) => fits).length).toBeGreaterThan(4);
		expect(cases.filter(({ fits }) => !fits).length).toBeGreaterThan(8);
	});

	// shows generation-7 8.9: identity; IQL; relationship; third party; paragraph 1
	it.each(cases.map((entry) => [entry.label, entry] as const))(
		'fit as recorded: %s',
		(_label, { query, attribute, fits }) => {
			expect(mismatchOf(query, attribute, parties) === undefined).toBe(fits);
		},
	);

	/* The matrix of consumption.md 6.6: C is the peer of the attribute's relationship, E another identity. */
	it.each([
		['', people.B, [people.C], true],
		['', people.C, [people.C], true],
		['', people.C, [people.E], false],
		['', people.B, [''], true],
		['', people.C, [''], true],
		['recipient', people.B, [people.C], true],
		['recipient', people.C, [people.C], false],
		['recipient', people.C, [people.E], false],
		['recipient', people.B, [''], true],
		['recipient', people.C, [''], false],
		['thirdParty', people.B, [people.C], false],
		['thirdParty', people.C, [people.C], true],
		['thirdParty', people.B, [people.E], false],
		['thirdParty', people.C, [people.E], false],
		['thirdParty', people.B, [''], false],
		['thirdParty', people.C, [''], true],
		['', people.A, [''], false],
	] as const)(
		'asked of owner "%s", owned by %s, third parties %j: fits %s',
		(owner, of, thirdParty, fits) => {
			const query = {
				'@type': 'ThirdPartyRelationshipAttributeQuery',
				key: 'k',
				owner,
				thirdParty: [...thirdParty] as string[],
			} as const;
			const attribute = proprietaryText('k', of);
			expect(mismatchOf(query, attribute, parties) === undefined).toBe(fits);
			expect(mismatchOf({ ...query, key: 'other' }, attribute, parties)).toBeDefined();
		},
	);

	const early = '2030-01-01T00:00:00.000Z';
	const late = '2031-01-01T00:00:00.000Z';
	it.each([
		['an unlimited attribute, a limited query', {}, { validFrom: early, validTo: late }, true],
		['valid from then on, nothing asked', { validFrom: early }, {}, false],
		['valid from then on, null asked', { validFrom: early }, { validFrom: null }, false],
		['valid from late, asked from early', { validFrom: late }, { validFrom: early }, false],
		['valid from early, asked from late', { validFrom: early }, { validFrom: late }, true],
		['valid to early, asked to late', { validTo: early }, { validTo: late }, false],
		['valid to late, asked to early', { validTo: late }, { validTo: early }, true],
		['valid to late, asked to that very time', { validTo: late }, { validTo: late }, true],
	])('fit by validity: %s', (_what, attribute, query, fits) => {
		const asked = { '@type': 'IdentityAttributeQuery', valueType: 'GivenName', ...query } as const;
		const offered = { ...givenName('Bob', people.B), ...attribute };
		expect(mismatchOf(asked, offered, parties) === undefined).toBe(fits);
	});

	it.each([
		[['a'], ['a', 'b'], true],
		[['c'], ['a', 'b'], false],
		[[], [], true],
		[['a'], undefined, false],
	])('asked for tags %j, offered %j: fits %s', (asked, tags, fits) => {
		const query = {
			'@type': 'IdentityAttributeQuery' as const,
			valueType: 'GivenName' as const,
			tags: asked,
		};
		const attribute = { ...givenName('Bob', people.B), ...(tags === undefined ? {} : { tags }) };
		expect(mismatchOf(query, attribute, parties) === undefined).toBe(fits);
	});

	it('never fit when the query is of an unknown kind', () => {
		expect(
			mismatchOf(loosely({ '@type': 'Nope' }), givenName('Bob', people.B), parties),
		).toBeDefined();
	});
});
