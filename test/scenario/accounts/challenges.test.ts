import { judged, type ChallengeDto, type Gateway } from '../../../core';
import { generateSignatureKeyPair } from '../../../core/crypto/signature-keys';
import { writeBase64Form } from '../../../core/crypto/wire-json';
import { systemRandom } from '../../../core/base/random';
import {
	signChallenge,
	writeChallenge,
	writeSignedChallenge,
	type ChallengeType,
} from '../../../core/domain/challenge/challenge-signing';
import { asSignaturePrivateKey } from '../../../core/crypto/keys';
import { openStore } from '../../../core/store/open-store';
import { parseGatewayConfig } from '../../../core/config';
import { systemClock } from '../../../core/base/clock';
import { failureOf } from '../../core/backbone/fixture-server';
import { relate, SandboxNetwork, settle } from '../../support/gateways';

/* docs/protocol/crypto-and-identity.md 10 */
let network: SandboxNetwork;
let a: Gateway;
let b: Gateway;
let relationshipId: string;
let addressA: string;
let keyOfA: ReturnType<typeof asSignaturePrivateKey>;

const minuteMs = 60_000;
const invalidPayload = 'error.runtime.validation.invalidPayload';
const invalidProperty = 'error.runtime.validation.invalidPropertyValue';

beforeAll(async () => {
	network = await SandboxNetwork.open();
	const config = network.config();
	a = await network.gateway(config);
	b = await network.gateway();
	({ relationshipId, addressA } = await relate(a, b));
	// A hostile creator has its own keys: here they are read from its store.
	const store = await openStore(parseGatewayConfig(config), {
		clock: systemClock,
		random: systemRandom,
	});
	const self = await store.read((tx) => tx.identity.get('self'));
	keyOfA = asSignaturePrivateKey(self?.secrets.identityPrivateKey ?? '');
	await store.close();
});

afterAll(() => network.close());

const create = (challengeType: ChallengeType): Promise<ChallengeDto> =>
	a.challenges.create(
		challengeType === 'Relationship'
			? { challengeType, relationship: relationshipId }
			: { challengeType },
	);

const validate = (by: Gateway, { challengeString, signature }: ChallengeDto) =>
	by.challenges.validate({ challengeString, signature });

/** Signed by `a` with its identity key, saying what `change` says. */
async function forged(change: Record<string, unknown>) {
	const { id, expiresAt, createdBy, createdByDevice } = await create('Identity');
	const text = writeChallenge({
		...{ id, expiresAt, createdBy, createdByDevice, type: 'Identity' },
		...change,
	});
	return {
		challengeString: text,
		signature: writeBase64Form(signChallenge(text, keyOfA, 'Identity')),
	};
}

describe('a challenge', () => {
	it.each(['Identity', 'Relationship'] as const)(
		'of the type %s is validated by the peer',
		async (type) => {
			const challenge = await create(type);
			const { id, expiresAt, createdBy, createdByDevice } = challenge;
			expect(Object.keys(challenge)).toEqual([
				'id',
				'expiresAt',
				'createdBy',
				'createdByDevice',
				'type',
				'signature',
				'challengeString',
			]);
			expect(challenge).toMatchObject({ createdBy: addressA, type });
			expect(challenge.challengeString).toBe(
				JSON.stringify({ createdBy, createdByDevice, expiresAt, id, type }),
			);
			const signature = Buffer.from(challenge.signature, 'base64url').toString('utf8');
			expect(JSON.parse(signature)).toEqual({
				sig: expect.any(String) as string,
				alg: type === 'Identity' ? 2 : 1,
			});
			const verdict = await validate(b, challenge);
			expect(verdict).toEqual({
				isValid: true,
				correspondingRelationship: await b.relationships.get(relationshipId),
			});
			expect(verdict.correspondingRelationship?.peer).toBe(addressA);
		},
	);

	it('of the type Device is created, and cannot be validated', async () => {
		expect(await failureOf(validate(b, await create('Device')))).toMatchObject({
			code: 'error.runtime.notSupported',
			message: "Validating challenges of the type 'Device' is not yet supported.",
		});
	});

	it('is validated in the form that the Backbone takes, too', async () => {
		const { challengeString } = await create('Identity');
		const signed = writeSignedChallenge(
			challengeString,
			signChallenge(challengeString, keyOfA, 'Identity'),
		);
		const verdict = await b.challenges.validate({ challengeString, signature: signed.signature });
		expect(verdict.isValid).toBe(true);
	});

	it.each([
		[undefined, 'error.runtime.validation.invalidPropertyValue'],
		[{}, invalidPayload],
		[{ challengeType: 'Other' }, invalidPayload],
		[{ challengeType: 'Relationship' }, invalidPayload],
		[{ challengeType: 'Identity', more: true }, invalidProperty],
		[{ challengeType: 'Identity', relationship: 'RELaaaaaaaaaaaaaaaaa' }, invalidProperty],
		[{ challengeType: 'Relationship', relationship: 'REL' }, invalidProperty],
		[{ challengeType: 'Relationship', relationship: 7 }, invalidProperty],
		[
			{ challengeType: 'Relationship', relationship: 'RELaaaaaaaaaaaaaaaaa' },
			'error.runtime.recordNotFound',
		],
	])('is not created from %j', async (input, code) => {
		network.backbone.calls.clear();
		expect((await failureOf(a.challenges.create(judged(input)))).code).toBe(code);
		expect(network.backbone.calls.count('POST', /Challenges/)).toBe(0);
	});

	it('of the type Relationship needs an active relationship', async () => {
		const [c, d] = [await network.gateway(), await network.gateway()];
		const { relationshipId: relationship } = await relate(c, d);
		const challenge = await c.challenges.create({ challengeType: 'Relationship', relationship });
		await c.relationships.terminate(relationship);
		expect(
			await failureOf(c.challenges.create({ challengeType: 'Relationship', relationship })),
		).toMatchObject({
			code: 'error.transport.challenges.challengeTypeRequiresActiveRelationship',
			facts: { relationshipId: relationship, status: 'Terminated' },
		});
		await settle(d);
		expect((await failureOf(validate(d, challenge))).code).toBe('error.transport.recordNotFound');
	});

	it('names us, or it is not signed', async () => {
		network.backbone.faults.add({
			method: 'POST',
			path: /Challenges/,
			action: {
				kind: 'status',
				status: 201,
				body: {
					result: {
						id: 'CHLaaaaaaaaaaaaaaaaa',
						expiresAt: '2099-01-01T00:00:00.000Z',
						createdBy: (await b.account.getIdentity()).address,
						createdByDevice: 'DVCaaaaaaaaaaaaaaaaa',
					},
				},
			},
		});
		expect((await failureOf(create('Identity'))).code).toBe(
			'error.gateway.backbone.unexpectedAnswer',
		);
	});
});

describe('validating a challenge', () => {
	it.each([
		[{}],
		[{ challengeString: 'x' }],
		[{ challengeString: '', signature: '' }],
		[{ challengeString: 'not JSON', signature: 'e30' }],
		[{ challengeString: 7, signature: 7 }],
	])('needs readable input, not %j', async (input) => {
		expect((await failureOf(b.challenges.validate(judged(input)))).code).toBe(invalidProperty);
	});

	it('needs a readable text and a readable signature', async () => {
		const challenge = await create('Identity');
		const unreadable = [
			{ ...challenge, challengeString: '{"id":"CHL"}' },
			{ ...challenge, signature: 'AAAA' },
		];
		for (const one of unreadable) {
			expect((await failureOf(validate(b, one))).code).toBe(invalidProperty);
		}
	});

	it('is possible for peers only', async () => {
		const challenge = await create('Identity');
		const stranger = await network.gateway();
		for (const who of [a, stranger]) {
			expect((await failureOf(validate(who, challenge))).code).toBe(
				'error.transport.recordNotFound',
			);
		}
	});

	it('says no to an altered text and to another signature', async () => {
		const [one, other] = [await create('Identity'), await create('Identity')];
		const short = Buffer.from(JSON.stringify({ sig: 'AAAA', alg: 2 })).toString('base64url');
		for (const signature of [other.signature, short]) {
			expect(await validate(b, { ...one, signature })).toEqual({ isValid: false });
		}
		// Signed by the relationship's key, but said to be signed by the identity's.
		const { signature } = await create('Relationship');
		expect(await validate(b, { ...one, signature })).toEqual({ isValid: false });
		const keys = generateSignatureKeyPair(systemRandom);
		const foreign = signChallenge(one.challengeString, keys.privateKey, 'Identity');
		expect(await validate(b, { ...one, signature: writeBase64Form(foreign) })).toEqual({
			isValid: false,
		});
	});

	it.each([
		['an ID that the Backbone does not know', { id: 'CHLaaaaaaaaaaaaaaaaa' }],
		['no ID at all', { id: '../Identities/Self' }],
		['an end that has passed', { expiresAt: '2020-01-01T00:00:00.000Z' }],
		['another device', { createdByDevice: 'DVCaaaaaaaaaaaaaaaaa' }],
		['no creator', { createdBy: undefined }],
	])('says no to a well signed one with %s', async (_, change) => {
		expect(await b.challenges.validate(await forged(change))).toEqual({ isValid: false });
	});

	it('says no to a well signed challenge of another identity', async () => {
		const { id } = await b.challenges.create({ challengeType: 'Identity' });
		expect(await b.challenges.validate(await forged({ id }))).toEqual({ isValid: false });
	});

	it('says yes to a text that leaves out the device', async () => {
		const verdict = await b.challenges.validate(await forged({ createdByDevice: undefined }));
		expect(verdict.isValid).toBe(true);
	});

	it('says no to an expired challenge, also when its text says otherwise', async () => {
		const late = new Date(Date.now() + 30 * minuteMs).toISOString();
		const [old, longer] = [await create('Identity'), await forged({ expiresAt: late })];
		const later = await network.gateway(network.config(), {
			clock: { now: () => Date.now() + 11 * minuteMs },
		});
		// A gateway of its own, whose clock has moved on.
		const { addressA: creator } = await relate(a, later);
		expect(creator).toBe(addressA);
		expect(await validate(later, old)).toEqual({ isValid: false });
		expect(await later.challenges.validate(longer)).toEqual({ isValid: false });
	});

	it('says nothing when the Backbone cannot be asked', async () => {
		const challenge = await create('Identity');
		network.backbone.faults.add({
			method: 'GET',
			path: /Challenges/,
			times: 10,
			action: { kind: 'status', status: 503 },
		});
		expect((await failureOf(validate(b, challenge)))['kind']).toBe('unavailable');
		network.backbone.faults.clear();
		expect((await validate(b, challenge)).isValid).toBe(true);
	});

	it('says no to another challenge than the one asked for', async () => {
		const [one, other] = [await create('Identity'), await create('Identity')];
		const { id, expiresAt, createdBy, createdByDevice } = other;
		network.backbone.faults.add({
			method: 'GET',
			path: /Challenges/,
			action: {
				kind: 'status',
				status: 200,
				body: { result: { id, expiresAt, createdBy, createdByDevice } },
			},
		});
		expect(await validate(b, one)).toEqual({ isValid: false });
	});
});
