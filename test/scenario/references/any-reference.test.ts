import { judged, type Gateway } from '../../../core';
import { inOneHour, relate, SandboxNetwork } from '../../support/gateways';

/* docs/protocol/transport.md 9: one door for whatever a person has scanned. */

const notFound = 'error.runtime.recordNotFound';
const noPassword = 'error.transport.noPasswordProvided';
const notForUs = 'error.transport.general.notIntendedForYou';
const invalidInput = 'error.runtime.validation.invalidPropertyValue';
const protectedBy = (password: string) => ({ passwordProtection: { password } });

let network: SandboxNetwork;
let owner: Gateway;
let gateway: Gateway;

beforeAll(async () => {
	network = await SandboxNetwork.open();
	owner = await network.gateway();
	gateway = await network.gateway();
	await relate(owner, gateway);
});
afterAll(() => network.close());

const load = (of: { truncatedReference: string }, more: object = {}) =>
	gateway.account.loadItemFromReference({ reference: of.truncatedReference, ...more });
const createTemplate = (more: object = {}) =>
	owner.templates.create({
		expiresAt: inOneHour(),
		content: { '@type': 'ArbitraryRelationshipTemplateContent', value: 1 },
		...more,
	});
const createFile = () =>
	owner.files.upload({ filename: 'a.txt', mimetype: 'text/plain' }, Buffer.from('text'));
const createToken = (more: object = {}) =>
	owner.tokens.create({ content: { any: 'json' }, expiresAt: inOneHour(), ...more });

describe('any reference', () => {
	it('of a template leads to it, and it is loaded as always', async () => {
		const template = await createTemplate();
		const before = await gateway.events.recent({}, 100);
		const item = await load(template);
		expect(item).toEqual({
			type: 'RelationshipTemplate',
			value: await gateway.templates.get(template.id),
		});
		const told = (await gateway.events.recent({}, 100)).slice(before.length);
		expect(told.map(({ event }) => event)).toEqual([
			'transport.peerRelationshipTemplateLoaded',
			'consumption.relationshipTemplateProcessed',
		]);
	});

	it('of a file leads to it', async () => {
		const file = await createFile();
		const item = await load(file);
		expect(item).toEqual({ type: 'File', value: await gateway.files.get(file.id) });
		network.backbone.calls.clear();
		expect(await load(file)).toEqual(item);
		expect(network.backbone.calls.entries).toEqual([]);
	});

	it('as a link leads there as well', async () => {
		const template = await createTemplate();
		const item = await gateway.account.loadItemFromReference({
			reference: template.reference.url,
		});
		expect(item).toMatchObject({ type: 'RelationshipTemplate', value: { id: template.id } });
	});

	it('of a token leads to what the token is for, and the token is not kept', async () => {
		const template = await createTemplate(protectedBy('secret'));
		const file = await createFile();
		const tokens = [
			await owner.templates.createToken(template.id, protectedBy('secret')),
			await owner.files.createToken(file.id, protectedBy('another')),
		] as const;
		expect(await load(tokens[0], { password: 'secret' })).toMatchObject({
			type: 'RelationshipTemplate',
			value: { id: template.id },
		});
		expect(await load(tokens[1], { password: 'another' })).toMatchObject({
			type: 'File',
			value: { id: file.id },
		});
		expect(await gateway.tokens.list()).toEqual([]);
	});

	it('of a token for nothing else leads to the token', async () => {
		const token = await createToken();
		expect(await load(token)).toEqual({
			type: 'Token',
			value: { ...token, isOwn: false, isEphemeral: true },
		});
		expect(await gateway.tokens.list()).toEqual([]);
	});

	const key = (name: string, value: string) => ({ [name]: value, alg: 3 });
	const form = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
	const shared = {
		id: 'DVCpyJrzv5dbChjCnM29',
		createdAt: '2026-11-21T12:13:02.841Z',
		createdByDevice: 'DVCPccZOopofmncyyLNL',
		deviceIndex: 2,
		identity: {
			address: 'did:e:localhost:dids:9c43a8599ca11696f94090',
			publicKey: key('pub', '-s0BuUOSp9ljvm183bTj7PBbcraSIG8UuBXDlA_EQgw'),
		},
		name: 'n',
		password: 'p',
		profileName: 'pn',
		secretBaseKey: key('key', 'eX0Uxw_eAa6mPC9RDVy5gaeqMJNKX_0FIOS1fL5VUvU'),
		synchronizationKey: key('key', 'AxQEDK6-qklG2D_L7pyAQv-zDGz88nhH9fdUn_sxlfY'),
		username: 'USRmrPEQsPLPCVRSZVwn',
	};

	it('of a token for a new device leads to what that device is told', async () => {
		const content = { '@type': 'TokenContentDeviceSharedSecret', sharedSecret: shared };
		expect(await load(await createToken({ content }))).toEqual({
			type: 'DeviceOnboardingInfo',
			value: {
				...shared,
				identity: { ...shared.identity, publicKey: form(shared.identity.publicKey) },
				secretBaseKey: form(shared.secretBaseKey),
				synchronizationKey: form(shared.synchronizationKey),
				isBackupDevice: false,
			},
		});
	});

	it('of a token that promises a device and has none is refused', async () => {
		const sharedSecret = { ...shared, secretBaseKey: 'none' };
		const content = { '@type': 'TokenContentDeviceSharedSecret', sharedSecret };
		await expect(load(await createToken({ content }))).rejects.toMatchObject({
			code: 'error.runtime.requestDeserialization',
		});
	});
});

describe('a reference that cannot be loaded', () => {
	it.each([
		['garbage', invalidInput],
		['', invalidInput],
		[7, invalidInput],
		['http://localhost/r/XYZ123#abc', invalidInput],
	])('because it is %p says so', async (reference, code) => {
		await expect(
			gateway.account.loadItemFromReference(judged({ reference })),
		).rejects.toMatchObject({
			code,
		});
	});

	it.each([
		['a template', () => createTemplate(protectedBy('right'))],
		['a token', () => createToken(protectedBy('right'))],
	])('for its password: %s', async (_what, create) => {
		const made = await create();
		await expect(load(made)).rejects.toMatchObject({ code: noPassword });
		await expect(load(made, { password: 'wrong' })).rejects.toMatchObject({ code: notFound });
		expect(await load(made, { password: 'right' })).toMatchObject({ value: { id: made.id } });
	});

	it('for being meant for another identity says so', async () => {
		const { address } = await owner.account.getIdentity();
		const other = await network.gateway();
		const { address: forIdentity } = await other.account.getIdentity();
		const template = await createTemplate({ forIdentity });
		await expect(load(template)).rejects.toMatchObject({ code: notForUs });
		const token = await owner.templates.createToken(template.id, { forIdentity });
		await expect(load(token)).rejects.toMatchObject({ code: notForUs });
		expect(address).not.toBe(forIdentity);
	});

	it('for being gone says so', async () => {
		const template = await createTemplate();
		await owner.templates.delete(template.id);
		await expect(load(template)).rejects.toMatchObject({ code: notFound });
		const token = await createToken();
		await owner.tokens.delete(token.id);
		await expect(load(token)).rejects.toMatchObject({ code: notFound });
	});
});
