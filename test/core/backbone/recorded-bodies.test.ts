import { z } from 'zod';
import * as dto from '../../../core/backbone/dto';
import { queryBytes } from '../../../core/backbone/resources/wire-text';
import { readVectors } from '../../support/vectors';
import { address, empty, failureOf, FixtureServer, inTurn, json, result } from './fixture-server';
import { itReadsItsVectors } from '../../support/reads-its-vectors';

interface Found {
	readonly place: string;
	readonly value: unknown;
}

// All values at a path such as 'cases/*/content', where the star stands for any member.
function collect(value: unknown, steps: readonly string[], place: string): Found[] {
	const [step, ...rest] = steps;
	if (step === undefined) return value === undefined ? [] : [{ place, value }];
	if (typeof value !== 'object' || value === null) return [];
	// Only what is asked for is read: the vectors remember it.
	const names = Object.keys(value).filter((name) => step === '*' || step === name);
	return names.flatMap((name) =>
		collect((value as Record<string, unknown>)[name], rest, `${place}/${name}`),
	);
}

/** Accept needs the content. */
const transitionBodySchema = z.object({ creationResponseContent: dto.contentBytesSchema });

const table: ReadonlyArray<readonly [string, string, z.ZodType, number]> = [
	['wire-objects.json', 'identities/*/creation/challengeResponse', dto.wireChallengeSchema, 2],
	[
		'wire-objects.json',
		'identities/*/creation/identitiesRequestBody',
		dto.createIdentityBodySchema,
		2,
	],
	['wire-objects.json', 'identities/*/creation/identitiesResponse', dto.createdIdentitySchema, 2],
	['wire-objects.json', 'templates/*/createRequestBody', dto.createTemplateBodySchema, 5],
	['wire-objects.json', 'relationship/createRequestBody', dto.createRelationshipBodySchema, 1],
	['wire-objects.json', 'relationship/acceptRequestBody', transitionBodySchema, 1],
	['wire-objects.json', 'messages/*/createRequestBody', dto.sendMessageBodySchema, 3],
	['wire-objects.json', 'tokens/*/createRequestBody', dto.createTokenBodySchema, 4],
	['wire-objects.json', 'challenges/*/signedChallengeOnWire', dto.signedChallengeSchema, 3],
	['transport-templates.json', 'cases/*/backbonePostBody', dto.createTemplateBodySchema, 8],
	['transport-templates.json', 'cases/*/peer/backboneGetResponse', dto.wireListedTemplateSchema, 8],
	[
		'transport-relationships.json',
		'cases/*/request/backbonePostBody',
		dto.createRelationshipBodySchema,
		3,
	],
	[
		'transport-relationships.json',
		'cases/*/request/backbonePostResponse',
		dto.wireRelationshipMetadataSchema,
		3,
	],
	[
		'transport-relationships.json',
		'cases/*/templatorSide/backboneGetResponse',
		dto.wireRelationshipSchema,
		3,
	],
	['transport-relationships.json', 'cases/*/acceptance/backbonePutBody', transitionBodySchema, 3],
	['transport-messages.json', 'cases/*/backbonePostBody', dto.sendMessageBodySchema, 6],
	[
		'transport-messages.json',
		'cases/*/recipients/*/backboneGetResponse',
		dto.wireMessageSchema,
		10,
	],
	['transport-tokens.json', 'cases/*/backbonePostBody', dto.createTokenBodySchema, 4],
	['transport-files.json', 'cases/*/backboneMultipartFields', dto.uploadFileFieldsSchema, 2],
	['transport-files.json', 'cases/*/backbonePostResponse', dto.uploadedFileSchema, 2],
	['transport-files.json', 'cases/*/backboneGetMetadataResponse', dto.wireListedFileSchema, 2],
];

describe('bodies recorded from the official client and server', () => {
	describe.each(table)('%s %s', (file, steps, schema, count) => {
		const found = collect(readVectors(file), steps.split('/'), '');

		it(`are ${count}`, () => {
			expect(found).toHaveLength(count);
		});

		it.each(found)('fits at $place', ({ value }) => {
			// Members that we do not know are dropped; those that we know come out as they went in.
			expect(value).toMatchObject(schema.parse(value) as object);
		});
	});
});

describe('a password in a query', () => {
	const protectedOnes = ['templates', 'tokens'].flatMap((noun) =>
		collect(readVectors('wire-objects.json'), [noun, '*'], '').map(({ place, value }) => {
			const { createRequestBody, loadQuery } = value as {
				createRequestBody: { password?: string };
				loadQuery: string | null;
			};
			return { place, password: createRequestBody.password, loadQuery };
		}),
	);

	it.each(protectedOnes.filter(({ loadQuery }) => loadQuery !== null))(
		'is written as recorded at $place',
		({ password = '', loadQuery }) => {
			const base64url = Buffer.from(password, 'base64').toString('base64url');
			expect(`?password=${encodeURIComponent(queryBytes(base64url))}`).toBe(loadQuery);
		},
	);
});

interface AuthVector {
	readonly note: string;
	readonly calls?: readonly string[];
	readonly error?: string;
	readonly request?: { method: string; path: string; body: unknown };
}

describe('authentication as recorded', () => {
	const vectors = readVectors<{ auth: AuthVector[] }>('wire-objects.json').auth;
	const expiresAt = '2026-01-31T12:00:00.000Z';
	const challenge = { id: 'CHL1', expiresAt, createdBy: address, createdByDevice: 'DVC1' };
	const granted = (expiresIn = 300) =>
		json(200, { access_token: 't', token_type: 'Bearer', expires_in: expiresIn });
	const created = result(challenge, 201);
	let server: FixtureServer;

	afterEach(() => server.close());

	const vector = (start: string): AuthVector => {
		const found = vectors.find(({ note }) => note.startsWith(start));
		if (found === undefined) throw new Error(`no vector '${start}'`);
		return found;
	};

	/** The recorded client spoke to v1 and, where the list begins with a call, had a token before. */
	const callsSeen = (): string[] =>
		server.seen
			.filter((seen) => !seen.path.endsWith('/Version'))
			.map((seen) => `${seen.method} ${seen.path}`);

	const recordedCalls = ({ calls = [] }: AuthVector): string[] =>
		calls.map((call) => call.replace(/ -> \d+$/, ''));

	async function open(routes: Parameters<typeof FixtureServer.open>[0]) {
		server = await FixtureServer.open({
			'GET /api/v2/Version': empty(404),
			'GET /api/v1/Version': result({ majorVersion: '6' }),
			'POST /connect/token': granted(),
			...routes,
		});
		return server.connect();
	}

	it.each([
		['one 401 answer', inTurn(created, empty(401), created)],
		['two 401 answers in a row', inTurn(created, empty(401), empty(401), created)],
	])('%s', async (start, responder) => {
		const backbone = await open({ 'POST /api/v1/Challenges': responder });
		await backbone.challenges.create();
		const before = callsSeen().length;
		const outcome = await backbone.challenges.create().catch((error: { code: string }) => error);
		const { error } = vector(start);
		expect((outcome as { code?: string }).code).toBe(error);
		expect(callsSeen().slice(before)).toEqual(recordedCalls(vector(start)));
	});

	it('a token with expires_in 9 is expired at once', async () => {
		const backbone = await open({
			'POST /connect/token': granted(9),
			'POST /api/v1/Challenges': created,
		});
		await backbone.challenges.create();
		await backbone.challenges.create();
		expect(callsSeen()).toEqual(recordedCalls(vector('token with expires_in 9')));
	});

	it('three parallel calls share one token request', async () => {
		const backbone = await open({ 'POST /api/v1/Challenges': created });
		await Promise.all([1, 2, 3].map(() => backbone.challenges.create()));
		expect(callsSeen()).toEqual(recordedCalls(vector('three parallel calls')));
	});

	it('the password is changed, and the next token asked for with the new one', async () => {
		const { request } = vector('password change');
		const backbone = await open({
			'PUT /api/v1/Devices/Self/Password': empty(204),
			'POST /api/v1/Challenges': created,
		});
		const body = request?.body as { oldPassword: string; newPassword: string };
		await backbone.devices.changePassword(body);
		const sent = server.seen.at(-1);
		expect({ method: sent?.method, path: sent?.path, body: JSON.parse(sent?.body ?? '') }).toEqual(
			request,
		);
		backbone.authentication.use({ username: 'USRme', password: body.newPassword });
		const before = callsSeen().length;
		await backbone.challenges.create();
		expect(callsSeen().slice(before)).toEqual(recordedCalls(vector('next token request')));
		const form = new URLSearchParams(server.calls('/connect/token').at(-1)?.body);
		expect(form.get('password')).toBe(body.newPassword);
	});

	it('a wrong device password', async () => {
		const backbone = await open({ 'POST /connect/token': json(400, { error: 'invalid_grant' }) });
		const error = await failureOf(backbone.challenges.create());
		expect(error.code).toBe(vector('wrong device password').error);
	});
});

itReadsItsVectors(__filename);
