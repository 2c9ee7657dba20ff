import { generateKeyPairSync, sign } from 'node:crypto';
import { bytesOf, message, type RawAnswer, RuleBench, sandboxOf } from './support/raw-client';
import { uploadFile } from './support/upload';

/* Rules of docs/protocol/backbone-api.md that were seen on servers of both generations. */
const refusal = ({ status, code }: RawAnswer): string => `${status} ${code}`;

describe.each([6, 7] as const)('a Backbone %s', (majorVersion) => {
	let bench: RuleBench;

	beforeEach(async () => {
		bench = await RuleBench.open({ majorVersion });
	});

	afterEach(() => bench.close());

	it('lists and deletes files for their creator (6) or owner (7)', async () => {
		const [creator, owner] = [await bench.account(), await bench.account()];
		const { id, ownershipToken } = (await uploadFile(creator)).result;
		await owner.call('PATCH', `Files/${String(id)}/ClaimOwnership`, { ownershipToken });
		const [holder, other] = majorVersion === 6 ? [creator, owner] : [owner, creator];
		const listed = async (account: typeof owner) =>
			(await account.call('GET', `Files?ids=${String(id)}`)).result;
		expect(await listed(holder)).toHaveLength(1);
		expect(await listed(other)).toHaveLength(0);
		const path = `Files/${String(id)}`;
		expect(refusal(await other.call('DELETE', path))).toBe('403 error.platform.forbidden');
		expect((await holder.call('DELETE', path)).status).toBe(204);
	});

	it('deletes with an identity the files that it created (6) or owns (7)', async () => {
		const [creator, owner] = [await bench.account(), await bench.account()];
		const { id, ownershipToken } = (await uploadFile(creator)).result;
		await owner.call('PATCH', `Files/${String(id)}/ClaimOwnership`, { ownershipToken });
		const [doomed, left] = majorVersion === 6 ? [creator, owner] : [owner, creator];
		const status = async () => (await left.call('GET', `Files/${String(id)}/metadata`)).status;
		expect(await status()).toBe(200);
		await doomed.call('POST', 'Identities/Self/DeletionProcesses', {
			lengthOfGracePeriodInDays: -1,
		});
		sandboxOf(bench).runJobs();
		expect(await status()).toBe(404);
	});

	it.each(['Reject', 'Revoke'])('answers %s without content with an empty one', async (verb) => {
		const { to, from, id } = await bench.pending();
		const actor = verb === 'Reject' ? to : from;
		await actor.call('PUT', `Relationships/${id}/${verb}`, {});
		const { result } = await to.call('GET', `Relationships/${id}`);
		expect(result['creationResponseContent']).toBe('');
	});

	it('takes the template from its relationships when it is deleted', async () => {
		const { to, id, relationshipTemplateId } = await bench.pending();
		await to.call('DELETE', `RelationshipTemplates/${relationshipTemplateId}`);
		const { result } = await to.call('GET', `Relationships/${id}`);
		expect(result['relationshipTemplateId']).toBeNull();
	});

	it('takes one recipient unless its operator allows more', async () => {
		const { to, from } = await bench.active();
		const body = message(to.address, from.address);
		expect(refusal(await from.call('POST', 'Messages', body))).toBe(
			'400 error.platform.validation.invalidPropertyValue',
		);
		expect((await from.call('POST', 'Messages', message(to.address))).status).toBe(201);
	});

	it('lists the codes of notifications that its operator has configured', async () => {
		const { to, from } = await bench.active();
		sandboxOf(bench).operatorTexts.configureNotification('ring', { en: { title: 'a', body: 'b' } });
		const refused = await from.call('POST', 'Notifications', {
			recipients: [to.address],
			code: 'other',
		});
		expect(refusal(refused)).toBe('400 error.platform.validation.notification.codeDoesNotExist');
		expect(refused.body).toMatchObject({ error: { message: expect.stringMatching(/test, ring/) } });
	});

	it('fails without the date in a challenge that was signed', async () => {
		const keys = generateKeyPairSync('ed25519');
		const body = await bench.identityBody('v2', keys);
		const { id } = JSON.parse(body.signedChallenge.challenge) as { id: string };
		const challenge = JSON.stringify({ id, type: 'Identity' });
		const sig = sign(null, Buffer.from(challenge), keys.privateKey).toString('base64url');
		const signedChallenge = { challenge, signature: bytesOf({ sig, alg: 2 }) };
		const answer = await bench.call('POST', '/api/v2/Identities', { ...body, signedChallenge });
		expect(refusal(answer)).toBe('500 error.platform.unexpected');
	});

	it('names the code of a sync run below the version of the datawallet', async () => {
		const account = await bench.account();
		const identity = sandboxOf(bench).state.identities.get(account.address);
		Object.assign(identity ?? {}, { datawalletVersion: 2 });
		const header = { 'x-supported-datawallet-version': '1' };
		expect(refusal(await account.call('POST', 'SyncRuns', {}, header))).toBe(
			'400 error.platform.validation.datawallet.insufficientSupportedDatawalletVersion',
		);
	});
});
