import { routeGroupsOfVersion7 } from '../../../../core/server/routes/version-7';
import { TestNetwork } from '../../../support/gateways';
import { HttpGateway } from '../support/http-gateway';
import { problemsOf } from '../support/openapi-problems';

/* docs/protocol/connector-7.md 5, 6, 11 */
let network: TestNetwork;
let http: HttpGateway;
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into any part of it
let document: any;

beforeAll(async () => {
	network = await TestNetwork.open();
	http = await HttpGateway.open(network, { connectorVersion: 7, debug: true, version: '1.2.3' });
	document = (await http.ask('GET /docs/json')).json;
});
afterAll(async () => {
	await http.close();
	await network.close();
});

// shows connector-7 1: Routes removed; Routes added; connector-7 5: OpenID4VC; connector-7 11:
// documentation routes
it('is valid, and describes the routes of version 7', () => {
	expect(problemsOf(document)).toEqual([]);
	expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '1.2.3' } });
	const shapesOf = (paths: readonly string[]): string[] =>
		[...new Set(paths.map((path) => path.replaceAll(/\{\w+\}|:\w+/g, '{}')))].sort();
	const described = Object.keys(document.paths).filter((path) => path.startsWith('/api'));
	const answered = routeGroupsOfVersion7(true).flatMap(({ routes }) => routes);
	expect(shapesOf(described)).toEqual(shapesOf(answered.map(({ path }) => `/api/core/v1${path}`)));
});

// shows connector-7 6: paragraph 1
it.each([
	['File', ['id', 'reference'], ['truncatedReference']],
	['IdentityDeletionProcess', ['status'], ['approvedAt', 'approvedByDevice']],
	['Relationship', ['templateId'], ['template']],
	['RelationshipTemplate', ['reference'], ['truncatedReference']],
	['Token', ['reference'], ['truncatedReference']],
])('names the shape of version 7 of a %s', (name, required, absent) => {
	const schema = document.components.schemas[name];
	expect(schema.required).toEqual(expect.arrayContaining(required));
	for (const member of absent) expect(schema.properties).not.toHaveProperty(member);
});

it('refers to the named shapes, and names no former member anywhere', () => {
	const text = JSON.stringify(document);
	for (const [, name] of text.matchAll(/#\/components\/schemas\/(\w+)/g)) {
		expect(document.components.schemas).toHaveProperty(name ?? '');
	}
	const list = document.paths['/api/core/v1/Relationships'].get;
	expect(list.responses[200].content['application/json'].schema.properties.result).toEqual({
		type: 'array',
		items: { $ref: '#/components/schemas/Relationship' },
	});
	const filters = (list.parameters as Array<{ name: string }>).map(({ name }) => name);
	expect(filters).toEqual(['peer', 'status', 'templateId', 'purpose']);
	expect(text).not.toMatch(/truncatedReference|newQRCodeFormat/);
});
