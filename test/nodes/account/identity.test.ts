import type { IDataObject } from 'n8n-workflow';
import type { StubOptions } from '../../support/n8n/n8n-functions';
import { NodeBench } from '../support/node-bench';

jest.setTimeout(60_000);

const stranger = 'did:e:localhost:dids:4f1c0a2b9d8e7f60513244';
const invalid = 'error.runtime.validation.invalidPropertyValue';

let bench: NodeBench;
let relationshipId: string;
let peer: string;
let own: string;

beforeAll(async () => {
	bench = await NodeBench.open();
	({ relationshipId, address: peer } = await bench.connect());
	await bench.run('relationship', 'accept', { relationship: relationshipId });
	await bench.network.settle(bench.wallet);
	own = String((await bench.one('account', 'getIdentity'))['address']);
});

afterAll(async () => {
	await bench?.close();
});

describe('a note about an identity', () => {
	const note = (handling: string, parameters: IDataObject = {}) =>
		bench.one('account', 'identityMetadata', { handling, ...parameters });
	const about = (value: string) => ({ reference: { __rl: true, mode: 'address', value } });

	it.each<[string, unknown, unknown]>([
		['an object as text', '{ "visits": 3 }', { visits: 3 }],
		['an object of an expression', { visits: 3 }, { visits: 3 }],
		['a list', '[1, 2]', [1, 2]],
		['a plain text', 'regular customer', 'regular customer'],
		['a quoted text', '"{ in braces"', '{ in braces'],
		['a number', 0, 0],
		['false', false, false],
	])('holds %s', async (_what, value, stored) => {
		const place = { ...about(peer), key: 'state' };
		const set = await note('set', { ...place, storedValue: value as string });
		expect(set).toEqual({ peer, key: 'state', value: stored });
		expect(await note('get', place)).toEqual(set);
	});

	it('is about this account without a person, and has one value without a key', async () => {
		expect(await note('set', { storedValue: '"mine"' })).toEqual({ value: 'mine' });
		expect(await note('get')).toEqual({ value: 'mine' });
		await expect(note('get', about(peer))).rejects.toMatchObject({
			context: { code: 'error.runtime.identityMetadata.notFound' },
		});
		expect(await note('delete')).toEqual({ deleted: true });
		await expect(note('delete')).rejects.toMatchObject({
			context: { code: 'error.runtime.identityMetadata.notFound' },
		});
	});

	it.each<[string, IDataObject, string, string]>([
		['no value', { storedValue: '' }, 'Value', invalid],
		['null', { storedValue: 'null' }, 'Value', invalid],
		['text that begins as JSON', { storedValue: '{ "a": ' }, 'Value', invalid],
		['a name instead of an address', { ...about('Ada'), storedValue: '1' }, 'Person', invalid],
		['a key of 1001 characters', { key: 'k'.repeat(1_001), storedValue: '1' }, 'Key', invalid],
		[
			'a stranger',
			{ ...about(stranger), storedValue: '1' },
			'Person',
			'error.runtime.identityMetadata.unfamiliarReferencedIdentity',
		],
	])('is not stored with %s', async (_what, parameters, field, code) => {
		await expect(note('set', parameters)).rejects.toMatchObject({
			message: `The field '${field}' is not valid`,
			context: { code },
		});
	});

	it('knows no other handling', async () => {
		await expect(note('erase')).rejects.toMatchObject({
			message: "The field 'What to Do' is not valid",
		});
	});
});

describe('a challenge', () => {
	const challenge = (parameters: IDataObject) => bench.one('account', 'challenge', parameters);

	it.each<[string, () => IDataObject]>([
		['Identity', () => ({})],
		['Relationship', () => ({ relationship: { __rl: true, mode: 'id', value: relationshipId } })],
	])('of the type %s is created here, and the peer finds it valid', async (type, more) => {
		const created = await challenge({ challengeType: type, ...more() });
		expect(created).toMatchObject({ type, createdBy: own });
		const { challengeString, signature } = created as Record<string, string>;
		const verdict = await bench.wallet.challenges.validate({
			challengeString: challengeString ?? '',
			signature: signature ?? '',
		});
		expect(verdict).toMatchObject({ isValid: true, correspondingRelationship: { peer: own } });
	});

	it('of the type Device is created', async () => {
		expect(await challenge({ challengeType: 'Device' })).toMatchObject({ type: 'Device' });
	});

	it('of a peer is validated, and says who it is', async () => {
		const { challengeString, signature } = await bench.wallet.challenges.create({
			challengeType: 'Identity',
		});
		const signed = { handling: 'validate', challengeString, signature };
		expect(await challenge(signed)).toEqual({ isValid: true, peer, relationshipId });
		const other = await bench.wallet.challenges.create({ challengeType: 'Identity' });
		expect(await challenge({ ...signed, challengeString: other.challengeString })).toEqual({
			isValid: false,
		});
	});

	it.each<[string, IDataObject, string]>([
		['no relationship', { challengeType: 'Relationship' }, "The field 'Relationship' is not valid"],
		['no such type', { challengeType: 'Person' }, "The field 'Type' is not valid"],
		['no text', { handling: 'validate', signature: 'x' }, "The field 'Challenge' is not valid"],
		[
			'no signature',
			{ handling: 'validate', challengeString: '{}' },
			"The field 'Signature' is not valid",
		],
		[
			'a text of 2001 characters',
			{ handling: 'validate', challengeString: 'x'.repeat(2_001), signature: 'x' },
			"The field 'Challenge' is not valid",
		],
	])('is refused with %s', async (_what, parameters, message) => {
		await expect(challenge(parameters)).rejects.toMatchObject({ message });
	});

	it('of another form is refused with a code', async () => {
		const parameters = { handling: 'validate', challengeString: 'no JSON', signature: 'x' };
		await expect(challenge(parameters)).rejects.toMatchObject({
			context: { code: expect.stringMatching(/^error\./) as string },
		});
	});
});

describe('the deletion of the own identity', () => {
	const deletion = (parameters: IDataObject = {}, options: Omit<StubOptions, 'parameters'> = {}) =>
		bench
			.run('account', 'deleteIdentity', parameters, options)
			.then(([item]) => item?.json as IDataObject);
	const started = () => bench.network.backbone.calls.count('POST', /DeletionProcesses$/);

	it('is not under way at first', async () => {
		expect(await deletion()).toEqual({
			address: own,
			status: 'None',
			isToBeDeleted: false,
			isDeleted: false,
		});
		await expect(deletion({ handling: 'cancel' })).rejects.toMatchObject({
			context: {
				code: 'error.runtime.identityDeletionProcess.noApprovedIdentityDeletionProcess',
			},
		});
	});

	it.each<[string, () => unknown]>([
		['nothing', () => ''],
		['yes', () => 'yes'],
		['true', () => true],
		['the address of another person', () => peer],
		['a part of the address', () => own.slice(0, -1)],
		['a list with the address', () => [own]],
	])('does not start when %s was typed to confirm it', async (_what, typed) => {
		const confirmation = typed() as string;
		await expect(deletion({ handling: 'start', confirmation })).rejects.toMatchObject({
			message: "The field 'Address to Delete' is not valid",
			description: expect.stringContaining('Nothing was deleted') as string,
			context: { code: invalid },
		});
		expect(started()).toBe(0);
	});

	it('does not start by an expression that gives the address', async () => {
		const expressions = { entered: { confirmation: '={{ $json.address }}' }, values: {} };
		await expect(
			deletion({ handling: 'start', confirmation: own }, { expressions }),
		).rejects.toMatchObject({
			description: expect.stringContaining('instead of an expression') as string,
			context: { code: invalid },
		});
		expect(started()).toBe(0);
	});

	it('does not start by an agent, whatever it enters', async () => {
		for (const options of [{ isTool: true }, { node: { type: 'x.enmeshedHitlTool' } }]) {
			await expect(
				deletion({ handling: 'start', confirmation: own }, options),
			).rejects.toMatchObject({ context: { code: 'error.gateway.identity.notByAgent' } });
		}
		expect(started()).toBe(0);
		expect(await deletion({}, { isTool: true })).toMatchObject({ status: 'None' });
	});

	it.each([-1, 3_651, 'soon'])('does not start with a grace period of %j', async (days) => {
		const options = { lengthOfGracePeriodInDays: days };
		await expect(deletion({ handling: 'start', confirmation: own, options })).rejects.toMatchObject(
			{ message: "The field 'Grace Period' is not valid" },
		);
		expect(started()).toBe(0);
	});

	it('starts after the address was typed, once, and is cancelled', async () => {
		const options = { lengthOfGracePeriodInDays: 3 };
		const start = { handling: 'start', confirmation: ` ${own} `, options };
		const running = await deletion(start);
		expect(running).toMatchObject({
			address: own,
			status: 'Approved',
			isToBeDeleted: true,
			gracePeriodEndsAt: expect.any(String) as string,
		});
		expect(started()).toBe(1);
		const days = Date.parse(String(running['gracePeriodEndsAt'])) - Date.now();
		expect(Math.round(days / 86_400_000)).toBe(3);
		await expect(deletion(start)).rejects.toMatchObject({
			context: {
				code: 'error.runtime.identityDeletionProcess.activeIdentityDeletionProcessAlreadyExists',
			},
		});
		expect(await deletion()).toEqual({ ...running, isDeleted: false });
		expect(await deletion({ handling: 'cancel' })).toMatchObject({
			id: running['id'],
			status: 'Cancelled',
			isToBeDeleted: false,
		});
		expect(await deletion()).toMatchObject({ status: 'Cancelled', isDeleted: false });
	});

	it('has ended when the grace period is over', async () => {
		const options = { lengthOfGracePeriodInDays: 0 };
		await deletion({ handling: 'start', confirmation: own, options });
		expect(await deletion()).toMatchObject({
			address: own,
			isDeleted: true,
			isToBeDeleted: false,
			deletedAt: expect.any(String) as string,
		});
	});
});
