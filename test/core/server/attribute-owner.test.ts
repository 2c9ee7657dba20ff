import { relate, settle, TestNetwork } from '../../support/gateways';
import { HttpGateway } from './support/http-gateway';

/*
 * docs/protocol/interface-summary.md 2.1: an attribute has its `owner` at its top; http-api.md 8.3,
 * 10.4, 18.2: the closed result of a succession and the events have it in the content only.
 */
let network: TestNetwork;
let a: HttpGateway;
let b: HttpGateway;
let addressA: string;
let addressB: string;
let id: string;

beforeAll(async () => {
	network = await TestNetwork.open();
	a = await HttpGateway.open(network);
	b = await HttpGateway.open(network);
	({ addressA, addressB } = await relate(a.gateway, b.gateway));
});
afterAll(async () => {
	await a.close();
	await b.close();
	await network.close();
});

const given = (value: string) => ({ value: { '@type': 'GivenName' as const, value } });

/** Attributes anywhere in an answer or an event that have an owner beside their content. */
function withOwner(value: unknown): unknown[] {
	if (typeof value !== 'object' || value === null) return [];
	const below = Object.values(value).flatMap(withOwner);
	const isAttribute = 'content' in value && /^ATT/.test(String((value as { id?: unknown }).id));
	return isAttribute && 'owner' in value ? [value, ...below] : below;
}

it('an attribute is listed and shown as its creation has answered it', async () => {
	const { status, result } = await a.ask('POST /Attributes', { json: { content: given('Ada') } });
	expect([status, result.owner]).toEqual([201, addressA]);
	id = result.id;
	expect((await a.ask(`GET /Attributes/${id}`)).result).toEqual(result);
	for (const path of ['', '/Valid', '/Own/Repository', `/${id}/Versions`]) {
		const { result: listed } = await a.ask(`GET /Attributes${path}`);
		expect(listed).toContainEqual(result);
	}
	const query = { '@type': 'IdentityAttributeQuery' as const, valueType: 'GivenName' as const };
	const found = await a.ask('POST /Attributes/ExecuteIdentityAttributeQuery', { json: { query } });
	expect(found.result).toEqual([result]);
	const iql = { queryString: 'GivenName' };
	const foundByIql = await a.ask('POST /Attributes/ExecuteIQLQuery', { json: { query: iql } });
	expect(foundByIql.result).toEqual([result]);
});

it('the result of a succession has no owner beside the content', async () => {
	const succeeded = await a.ask(`POST /Attributes/${id}/Succeed`, {
		json: { successorContent: given('Ada B.') },
	});
	expect(succeeded.status).toBe(201);
	expect(JSON.stringify(succeeded.result)).toContain(`"owner":"${addressA}"`);
	expect(withOwner(succeeded.result)).toEqual([]);
});

it('what is shared with a peer has it, and its events do not', async () => {
	const sent = await a.gateway.outgoingRequests.create({
		content: {
			items: [
				{
					'@type': 'CreateAttributeRequestItem',
					mustBeAccepted: true,
					attribute: { '@type': 'IdentityAttribute', owner: addressB, ...given('Ben') },
				},
			],
		},
		peer: addressB,
	});
	await a.gateway.messages.send({ recipients: [addressB], content: sent.content });
	await settle(b.gateway);
	await b.gateway.incomingRequests.accept(sent.id, { items: [{ accept: true }] });
	await settle(a.gateway);
	const [relationship] = (await a.ask('GET /Relationships')).result;
	const shared = (await a.ask(`GET /Relationships/${relationship.id}/Attributes`)).result;
	const listed = await a.ask(`GET /Attributes/Peer/Shared/Identity?peer=${addressB}`);
	expect(listed.result).toHaveLength(1);
	expect(listed.result[0].owner).toBe(addressB);
	expect(shared).toEqual(listed.result);

	for (const gateway of [a.gateway, b.gateway]) {
		const events = await gateway.events.recent({}, 1_000);
		const names = events.map(({ event }) => event);
		expect(names).toContain('consumption.attributeCreated');
		expect(events.flatMap(({ data }) => withOwner(data))).toEqual([]);
	}
});
