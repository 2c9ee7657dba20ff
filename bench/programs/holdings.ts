import type { IdentityAttributeQueryInput, RequestItemInput } from '../../core';
import { inLanes, timed } from '../support/timing';

/** Values of every thousandth attribute and request; all others are alike. */
export const rare = { valueType: 'GivenName', itemType: 'ConsentRequestItem' } as const;
export const oneIn = 1_000;

/** Methods by which one side fills its store and queries it. */
export interface Holdings {
	/** returns its id */
	createAttribute(valueType: 'GivenName' | 'DisplayName', value: string): Promise<string>;
	/** creates a draft; returns its id */
	createRequest(to: string, item: RequestItemInput): Promise<string>;
	attribute(id: string): Promise<unknown>;
	attributesOfType(valueType: string): Promise<readonly unknown[]>;
	/** attributes that an IdentityAttributeQuery matches */
	attributesFor(query: IdentityAttributeQueryInput): Promise<readonly unknown[]>;
	versions(attributeId: string): Promise<readonly unknown[]>;
	request(id: string): Promise<unknown>;
	requestsWith(itemType: string): Promise<readonly unknown[]>;
}

/** Alternates between ids, so that neither side profits from data that it has just read. */
class Ids {
	private readonly ids: string[] = [];

	private next = 0;

	add(id: string): void {
		this.ids.push(id);
	}

	take(): string {
		this.next = (this.next + 7_919) % this.ids.length;
		return this.ids[this.next] ?? '';
	}
}

const itemOf = (number: number): RequestItemInput =>
	number % oneIn === 0
		? { '@type': rare.itemType, mustBeAccepted: true, consent: `Consent ${number}` }
		: { '@type': 'AuthenticationRequestItem', mustBeAccepted: true, title: `Login ${number}` };

function requireCount(found: readonly unknown[], expected: number): void {
	if (found.length !== expected) throw new Error(`${found.length} found instead of ${expected}`);
}

export interface Lookup {
	readonly count: number;
	readonly expected: number;
}

/** Methods of a contender's program for a full store. */
export function holdingsMethods(current: () => Holdings) {
	const attributes = new Ids();
	const requests = new Ids();
	return {
		async fill({ to, count, lanes }: { to: string; count: number; lanes: number }) {
			await inLanes(count, lanes, async (number) => {
				const valueType = number % oneIn === 0 ? rare.valueType : 'DisplayName';
				attributes.add(await current().createAttribute(valueType, `Name ${number}`));
				requests.add(await current().createRequest(to, itemOf(number)));
			});
		},
		attributeById: ({ count }: Lookup) =>
			timed(() => inLanes(count, 1, () => current().attribute(attributes.take()))),
		attributesOfType: ({ count, expected }: Lookup) =>
			timed(() =>
				inLanes(count, 1, async () => {
					requireCount(await current().attributesOfType(rare.valueType), expected);
				}),
			),
		attributesByQuery: ({ count, expected }: Lookup) => {
			const query = { '@type': 'IdentityAttributeQuery' as const, valueType: rare.valueType };
			return timed(() =>
				inLanes(count, 1, async () => requireCount(await current().attributesFor(query), expected)),
			);
		},
		versionsOfAttribute: ({ count }: Lookup) =>
			timed(() =>
				inLanes(count, 1, async () => requireCount(await current().versions(attributes.take()), 1)),
			),
		requestById: ({ count }: Lookup) =>
			timed(() => inLanes(count, 1, () => current().request(requests.take()))),
		requestsOfItem: ({ count, expected }: Lookup) =>
			timed(() =>
				inLanes(count, 1, async () => {
					requireCount(await current().requestsWith(rare.itemType), expected);
				}),
			),
	};
}
