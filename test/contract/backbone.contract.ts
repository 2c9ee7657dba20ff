import { eventsOf } from '../support/backbone/pages';
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { Backbone } from '../../core/backbone/port/backbone';
import type { WireExternalEvent } from '../../core/backbone/dto';

/** What the suite needs of a Backbone and of a client under test. */
export interface BackboneContractHost {
	/** A client without credentials; the suite closes it. */
	connect(options?: { readonly clientSecret?: string }): Backbone;
	/** the domain name that addresses are made of */
	readonly didDomain: string;
	close(): Promise<void>;
}

interface Account {
	readonly backbone: Backbone;
	readonly address: string;
	readonly username: string;
	readonly deviceId: string;
	readonly password: string;
}

const bytesOf = (value: unknown): string =>
	Buffer.from(JSON.stringify(value)).toString('base64url');
const content = bytesOf({ hello: 'world' });
const later = (ms = 3_600_000): string => new Date(Date.now() + ms).toISOString();
const encryptedKey = randomBytes(152).toString('base64url');

function addressOf(publicKey: Buffer, domain: string): string {
	const hash = (algorithm: string, data: Buffer | string) =>
		createHash(algorithm).update(data).digest();
	const identityPart = hash('sha256', hash('sha512', publicKey)).subarray(0, 10).toString('hex');
	const main = `did:e:${domain}:dids:${identityPart}`;
	return main + hash('sha256', main).subarray(0, 1).toString('hex');
}

async function rejection(work: Promise<unknown>): Promise<Record<string, unknown>> {
	return work.then(
		() => {
			throw new Error('expected the call to be refused');
		},
		(error: unknown) => error as Record<string, unknown>,
	);
}

/** The promises of the transport port; every implementation and server must keep them. */
export function describeBackboneContract(
	name: string,
	open: () => Promise<BackboneContractHost>,
): void {
	describe(`${name} keeps the Backbone contract`, () => {
		let host: BackboneContractHost;
		const opened: Backbone[] = [];

		beforeAll(async () => {
			host = await open();
		});

		afterAll(async () => {
			for (const backbone of opened) await backbone.close();
			await host.close();
		});

		const connect = (options?: { readonly clientSecret?: string }): Backbone => {
			const backbone = host.connect(options);
			opened.push(backbone);
			return backbone;
		};

		async function identityBody(backbone: Backbone, password: string) {
			const { publicKey, privateKey } = generateKeyPairSync('ed25519');
			const rawKey = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
			const { id, expiresAt } = await backbone.challenges.create({ anonymous: true });
			const challenge = JSON.stringify({ expiresAt, id, type: 'Identity' });
			const sig = sign(null, Buffer.from(challenge), privateKey).toString('base64url');
			return {
				rawKey,
				body: {
					identityPublicKey: bytesOf({
						pub: rawKey.toString('base64url'),
						alg: 3,
						'@type': 'CryptoSignaturePublicKey',
					}),
					devicePassword: password,
					identityVersion: 1,
					signedChallenge: {
						challenge,
						signature: bytesOf({ sig, alg: 2, '@type': 'CryptoSignature' }),
					},
				},
			};
		}

		/** An identity without a datawallet. */
		async function register(): Promise<Account> {
			const backbone = connect();
			const password = `Aa1!${randomBytes(16).toString('hex')}`;
			const { body, rawKey } = await identityBody(backbone, password);
			const { address, device } = await backbone.identities.create(body);
			expect(address).toBe(addressOf(rawKey, host.didDomain));
			const { id: deviceId, username } = device;
			backbone.authentication.use({ username, password });
			return { backbone, address, username, deviceId, password };
		}

		async function createAccount(): Promise<Account> {
			const account = await register();
			const run = await account.backbone.syncRuns.start('DatawalletVersionUpgrade');
			await account.backbone.syncRuns.finalizeDatawalletVersionUpgrade(run?.id ?? '', 1);
			return account;
		}

		/** Events may come a moment after their cause. */
		async function sync({ backbone }: Account): Promise<WireExternalEvent[]> {
			for (let attempt = 0; attempt < 100; attempt++) {
				const run = await backbone.syncRuns.start('ExternalEventSync');
				if (run !== undefined) {
					const events = await eventsOf(backbone, run.id);
					const results = events.map((event) => ({ externalEventId: event.id }));
					await backbone.syncRuns.finalizeExternalEventSync(run.id, results);
					return events;
				}
				await new Promise((resolve) => setTimeout(resolve, 20));
			}
			throw new Error('no external event came');
		}

		const template = async ({ backbone }: Account, more: object = {}): Promise<string> =>
			(await backbone.templates.create({ content, expiresAt: later(), ...more })).id;

		/** `to` is the templator, `from` the requestor; pending. */
		async function requested() {
			const [to, from] = [await createAccount(), await createAccount()];
			const relationshipTemplateId = await template(to);
			await from.backbone.templates.get(relationshipTemplateId);
			const created = await from.backbone.relationships.create({
				relationshipTemplateId,
				creationContent: content,
			});
			return { to, from, id: created.id, relationshipTemplateId, created };
		}

		async function active() {
			const parties = await requested();
			await parties.to.backbone.relationships.accept(parties.id, content);
			await sync(parties.to);
			await sync(parties.from);
			return parties;
		}

		const message = (...recipients: readonly string[]) => ({
			recipients: recipients.map((address) => ({ address, encryptedKey })),
			body: content,
			attachments: [],
		});

		describe('version and client', () => {
			it('reports a supported version', async () => {
				const { majorVersion, api } = await connect().version.get();
				expect([6, 7]).toContain(majorVersion);
				expect(['v1', 'v2']).toContain(api);
			});

			it('accepts the right client without an identity', async () => {
				const verdict = await connect().authentication.checkClient();
				expect(verdict.verdict).toBe('clientAccepted');
			});

			it('refuses a client with a wrong secret', async () => {
				const verdict = await connect({ clientSecret: 'wrong' }).authentication.checkClient();
				expect(verdict.verdict).toBe('clientRefused');
			});

			it('tells its clock', async () => {
				const backbone = connect();
				await backbone.version.get();
				expect(Math.abs(backbone.clockSkewMs ?? Infinity)).toBeLessThan(60_000);
			});
		});

		describe('creating an identity', () => {
			it('gives an address derived from the key, and a device', async () => {
				const account = await register();
				expect(account.deviceId).toMatch(/^DVC/);
				await expect(account.backbone.identities.self()).resolves.toMatchObject({
					address: account.address,
				});
				await expect(account.backbone.devices.self()).resolves.toMatchObject({
					id: account.deviceId,
				});
			});

			it('is refused with a wrong client secret', async () => {
				const { body } = await identityBody(connect(), 'Aa1!aaaaaaaaaa');
				const error = await rejection(connect({ clientSecret: 'wrong' }).identities.create(body));
				expect(error.code).toBe('error.transport.general.platformClientInvalid');
			});

			it('is refused with a signature of another key', async () => {
				const backbone = connect();
				const { body } = await identityBody(backbone, 'Aa1!aaaaaaaaaa');
				const other = await identityBody(backbone, 'Aa1!aaaaaaaaaa');
				const error = await rejection(
					backbone.identities.create({
						...body,
						identityPublicKey: other.body.identityPublicKey,
					}),
				);
				expect(error.code).toBe('error.platform.validation.device.invalidSignature');
			});

			it('is refused for a key that has one already', async () => {
				const backbone = connect();
				const { body } = await identityBody(backbone, 'Aa1!aaaaaaaaaa');
				await backbone.identities.create(body);
				const error = await rejection(backbone.identities.create(body));
				expect(error).toMatchObject({
					code: 'error.platform.validation.device.addressAlreadyExists',
					kind: 'conflict',
				});
			});

			it('leaves it undeleted', async () => {
				const { backbone, username } = await register();
				await expect(backbone.identities.isDeleted(username)).resolves.toMatchObject({
					isDeleted: false,
				});
			});
		});

		describe('credentials', () => {
			it('with a wrong password are refused', async () => {
				const { backbone, username } = await register();
				backbone.authentication.use({ username, password: 'wrong' });
				const error = await rejection(backbone.authentication.verify());
				expect(error).toMatchObject({
					code: 'error.transport.request.noAuthGrant',
					kind: 'forbidden',
				});
			});

			it('can be changed', async () => {
				const { backbone, username, password: oldPassword } = await register();
				const newPassword = 'Bb2?bbbbbbbbbbbb';
				await backbone.devices.changePassword({ oldPassword, newPassword });
				const other = connect();
				other.authentication.use({ username, password: newPassword });
				await expect(other.authentication.verify()).resolves.toBeUndefined();
			});

			it('are not changed with a wrong old password', async () => {
				const { backbone } = await register();
				const error = await rejection(
					backbone.devices.changePassword({ oldPassword: 'x', newPassword: 'Bb2?bbbbbbbbbbbb' }),
				);
				expect(error.code).toBe('error.platform.validation.device.changePasswordFailed');
			});
		});

		describe('a challenge', () => {
			it('names its creator when there is one', async () => {
				const { backbone, address, deviceId } = await register();
				const challenge = await backbone.challenges.create();
				expect(challenge).toMatchObject({ createdBy: address, createdByDevice: deviceId });
				expect(Date.parse(challenge.expiresAt)).toBeGreaterThan(Date.now());
				await expect(backbone.challenges.get(challenge.id)).resolves.toMatchObject({
					id: challenge.id,
					createdBy: address,
				});
			});

			it('that does not exist is not found', async () => {
				const { backbone } = await register();
				const error = await rejection(backbone.challenges.get('CHLaaaaaaaaaaaaaaaaa'));
				expect(error).toMatchObject({ code: 'error.runtime.recordNotFound', kind: 'notFound' });
			});
		});

		describe('the datawallet', () => {
			it('does not exist before the upgrade run, and has its version afterwards', async () => {
				const { backbone } = await register();
				await expect(backbone.datawallet.get()).resolves.toBeUndefined();
				const run = await backbone.syncRuns.start('DatawalletVersionUpgrade');
				await backbone.syncRuns.finalizeDatawalletVersionUpgrade(run?.id ?? '', 1);
				await expect(backbone.datawallet.get()).resolves.toEqual({ version: 1 });
			});

			it('must exist before events can be synced', async () => {
				const { backbone } = await register();
				const error = await rejection(backbone.syncRuns.start('ExternalEventSync'));
				expect(error.code).toBe('error.runtime.recordNotFound');
			});
		});

		describe('a sync run', () => {
			it('is not created when there is nothing new', async () => {
				const { backbone } = await createAccount();
				await expect(backbone.syncRuns.start('ExternalEventSync')).resolves.toBeUndefined();
			});

			it('shuts out another one until it is finalised, once', async () => {
				const { to } = await requested();
				await sync(to);
				const second = await requested();
				const { syncRuns } = second.to.backbone;
				let run = await syncRuns.start('ExternalEventSync', { durationSeconds: 60 });
				for (let i = 0; run === undefined && i < 100; i++) {
					await new Promise((resolve) => setTimeout(resolve, 20));
					run = await syncRuns.start('ExternalEventSync', { durationSeconds: 60 });
				}
				const id = run?.id ?? '';
				const prefix = 'error.platform.validation.syncRun';
				const another = await rejection(syncRuns.start('ExternalEventSync'));
				expect(another).toMatchObject({
					code: `${prefix}.cannotStartSyncRunWhenAnotherSyncRunIsRunning`,
					kind: 'conflict',
				});
				await expect(syncRuns.get(id)).resolves.toMatchObject({ id });
				const refreshed = await syncRuns.refreshExpirationTime(id);
				expect(Date.parse(refreshed.expiresAt)).toBeGreaterThan(Date.now());
				const [event] = await eventsOf({ syncRuns }, id);
				await expect(
					syncRuns.finalizeExternalEventSync(id, [{ externalEventId: event?.id ?? '' }]),
				).resolves.toEqual({ newUnsyncedExternalEventsExist: false });
				const again = await rejection(syncRuns.finalizeExternalEventSync(id, []));
				expect(again.code).toBe(`${prefix}.syncRunAlreadyFinalized`);
			});

			it('offers an event again that had an error, three times in all', async () => {
				const { to } = await requested();
				const { syncRuns } = to.backbone;
				const counts: number[] = [];
				for (let round = 0; counts.length < 4 && round < 100; round++) {
					const run = await syncRuns.start('ExternalEventSync');
					if (run === undefined) {
						if (counts.length > 0) break;
						await new Promise((resolve) => setTimeout(resolve, 20));
						continue;
					}
					const [event] = await eventsOf({ syncRuns }, run.id);
					counts.push(event?.syncErrorCount ?? -1);
					await syncRuns.finalizeExternalEventSync(run.id, [
						{ externalEventId: event?.id ?? '', errorCode: 'error.transport.unknown' },
					]);
				}
				expect(counts).toEqual([0, 1, 2]);
			});
		});

		describe('a template', () => {
			it('comes back as it was given', async () => {
				const owner = await createAccount();
				const expiresAt = later();
				const id = await template(owner, { expiresAt, maxNumberOfAllocations: 3 });
				const reader = await createAccount();
				const read = await reader.backbone.templates.get(id);
				expect(read).toMatchObject({
					createdBy: owner.address,
					createdByDevice: owner.deviceId,
					content,
					expiresAt,
					maxNumberOfAllocations: 3,
				});
			});

			it('opens with its password only, in either alphabet', async () => {
				const password = Buffer.from([0xfb, 0xff, 0xfe, ...randomBytes(29)]);
				const id = await template(await createAccount(), { password: password.toString('base64') });
				const { backbone } = await createAccount();
				const missing = await rejection(backbone.templates.get(id));
				expect(missing.code).toBe('error.runtime.recordNotFound');
				const wrong = randomBytes(32).toString('base64');
				const refused = await rejection(backbone.templates.get(id, { password: wrong }));
				expect(refused.code).toBe('error.runtime.recordNotFound');
				const given = { password: password.toString('base64url') };
				await expect(backbone.templates.get(id, given)).resolves.toMatchObject({ content });
			});

			it('for one identity is not found by another', async () => {
				const [owner, friend, stranger] = [
					await createAccount(),
					await createAccount(),
					await createAccount(),
				];
				const id = await template(owner, { forIdentity: friend.address });
				await expect(friend.backbone.templates.get(id)).resolves.toMatchObject({ content });
				const error = await rejection(stranger.backbone.templates.get(id));
				expect(error.code).toBe('error.runtime.recordNotFound');
			});

			it('is used up by as many readers as it allows, and its owner learns of it', async () => {
				const owner = await createAccount();
				const id = await template(owner, { maxNumberOfAllocations: 1 });
				const reader = await createAccount();
				await reader.backbone.templates.get(id);
				await reader.backbone.templates.get(id);
				const late = await createAccount();
				const error = await rejection(late.backbone.templates.get(id));
				expect(error).toMatchObject({
					code: 'error.platform.validation.relationshipTemplate.maxNumberOfAllocationsExhausted',
					kind: 'conflict',
				});
				expect(await sync(owner)).toMatchObject([
					{
						type: 'RelationshipTemplateAllocationsExhausted',
						payload: { relationshipTemplateId: id },
					},
				]);
			});

			it('must expire in the future', async () => {
				const error = await rejection(
					template(await createAccount(), { expiresAt: later(-1_000) }),
				);
				expect(error).toMatchObject({
					code: 'error.platform.validation.invalidPropertyValue',
					kind: 'invalid',
				});
			});

			it('is listed when visible, and left out when not', async () => {
				const owner = await createAccount();
				const id = await template(owner);
				const listed = await owner.backbone.templates.list([
					{ id },
					{ id: 'RLTaaaaaaaaaaaaaaaaa' },
				]);
				expect(listed.map((one) => one.id)).toEqual([id]);
			});

			it('can be deleted by its owner only', async () => {
				const owner = await createAccount();
				const id = await template(owner);
				const reader = await createAccount();
				await reader.backbone.templates.get(id);
				const refused = await rejection(reader.backbone.templates.delete(id));
				expect(refused).toMatchObject({ code: 'error.platform.forbidden', kind: 'forbidden' });
				await owner.backbone.templates.delete(id);
				const gone = await rejection(owner.backbone.templates.get(id));
				expect(gone.code).toBe('error.runtime.recordNotFound');
			});
		});

		describe('a relationship', () => {
			const prefix = 'error.platform.validation.relationship';

			it('begins pending, and its templator learns of it', async () => {
				const { to, from, id, created, relationshipTemplateId } = await requested();
				expect(created).toMatchObject({
					status: 'Pending',
					auditLog: [{ reason: 'Creation', newStatus: 'Pending', createdBy: from.address }],
				});
				expect(await sync(to)).toMatchObject([
					{ type: 'RelationshipStatusChanged', payload: { relationshipId: id } },
				]);
				await expect(to.backbone.relationships.get(id)).resolves.toMatchObject({
					relationshipTemplateId,
					from: from.address,
					to: to.address,
					status: 'Pending',
					creationContent: content,
				});
			});

			it('can be created once', async () => {
				const { to, from, relationshipTemplateId } = await requested();
				await expect(from.backbone.relationships.canCreate(to.address)).resolves.toEqual({
					canCreate: false,
					code: `${prefix}.relationshipToTargetAlreadyExists`,
				});
				const error = await rejection(
					from.backbone.relationships.create({ relationshipTemplateId, creationContent: content }),
				);
				expect(error).toMatchObject({
					code: `${prefix}.relationshipToTargetAlreadyExists`,
					kind: 'conflict',
				});
			});

			it('can be created with a known identity, not with an unknown one', async () => {
				const [one, other] = [await createAccount(), await createAccount()];
				const { relationships } = one.backbone;
				await expect(relationships.canCreate(other.address)).resolves.toMatchObject({
					canCreate: true,
				});
				const unknown = addressOf(randomBytes(32), host.didDomain);
				const error = await rejection(relationships.canCreate(unknown));
				expect(error.code).toBe('error.transport.relationships.deletedOwnerOfRelationshipTemplate');
			});

			it('is accepted by the templator, not by the requestor', async () => {
				const { to, from, id } = await requested();
				const refused = await rejection(from.backbone.relationships.accept(id, content));
				expect(refused.code).toBe(
					`${prefix}.cannotAcceptOrRejectRelationshipAddressedToSomeoneElse`,
				);
				const response = bytesOf({ accepted: true });
				await expect(to.backbone.relationships.accept(id, response)).resolves.toMatchObject({
					status: 'Active',
				});
				expect(await sync(from)).toMatchObject([
					{ type: 'RelationshipStatusChanged', payload: { relationshipId: id } },
				]);
				await expect(from.backbone.relationships.get(id)).resolves.toMatchObject({
					status: 'Active',
					creationResponseContent: response,
				});
				const again = await rejection(to.backbone.relationships.accept(id, response));
				expect(again.code).toBe(`${prefix}.relationshipIsNotInCorrectStatus`);
			});

			it('is rejected by the templator', async () => {
				const { to, id } = await requested();
				const rejected = await to.backbone.relationships.reject(id);
				expect(rejected.status).toBe('Rejected');
				expect(rejected.auditLog.map((entry) => entry.reason)).toContain('RejectionOfCreation');
			});

			it('is revoked by the requestor, not by the templator', async () => {
				const { to, from, id } = await requested();
				const refused = await rejection(to.backbone.relationships.revoke(id));
				expect(refused.code).toBe(`${prefix}.cannotRevokeRelationshipNotCreatedByYourself`);
				await expect(from.backbone.relationships.revoke(id)).resolves.toMatchObject({
					status: 'Revoked',
				});
			});

			it('ends, begins again and is decomposed', async () => {
				const { to, from, id } = await active();
				const [ours, theirs] = [to.backbone.relationships, from.backbone.relationships];
				await expect(ours.terminate(id)).resolves.toMatchObject({ status: 'Terminated' });
				await ours.requestReactivation(id);
				await ours.revokeReactivation(id);
				await ours.requestReactivation(id);
				await theirs.rejectReactivation(id);
				await ours.requestReactivation(id);
				await expect(theirs.acceptReactivation(id)).resolves.toMatchObject({ status: 'Active' });
				await theirs.terminate(id);
				await expect(ours.decompose(id)).resolves.toMatchObject({ status: 'DeletionProposed' });
				const gone = await rejection(ours.get(id));
				expect(gone.code).toBe(`${prefix}.relationshipAlreadyDecomposed`);
				await expect(theirs.get(id)).resolves.toMatchObject({ status: 'DeletionProposed' });
				await theirs.decompose(id);
			});

			it('is listed for its parties only', async () => {
				const { to, id } = await requested();
				const stranger = await createAccount();
				expect((await to.backbone.relationships.list([id])).map((one) => one.id)).toEqual([id]);
				await expect(stranger.backbone.relationships.list([id])).resolves.toEqual([]);
				const error = await rejection(stranger.backbone.relationships.get(id));
				expect(error.code).toBe('error.runtime.recordNotFound');
			});
		});

		describe('a message', () => {
			it('reaches its recipient, who is told', async () => {
				const { to, from } = await active();
				const sent = await to.backbone.messages.send(message(from.address));
				expect(await sync(from)).toMatchObject([
					{ type: 'MessageReceived', payload: { id: sent.id } },
				]);
				const received = await from.backbone.messages.get(sent.id);
				expect(received).toMatchObject({
					id: sent.id,
					createdBy: to.address,
					createdByDevice: to.deviceId,
					body: content,
					attachments: [],
					recipients: [{ address: from.address, encryptedKey }],
				});
				const [own] = await to.backbone.messages.list([sent.id]);
				expect(own?.recipients[0]?.receivedByDevice).toBe(from.deviceId);
			});

			it('is refused to a stranger', async () => {
				const [one, other] = [await createAccount(), await createAccount()];
				const error = await rejection(one.backbone.messages.send(message(other.address)));
				expect(error).toMatchObject({
					code: 'error.platform.validation.message.noRelationshipToRecipientExists',
					kind: 'conflict',
				});
			});

			it('is not found by others', async () => {
				const { to, from } = await active();
				const { id } = await to.backbone.messages.send(message(from.address));
				const stranger = await createAccount();
				const error = await rejection(stranger.backbone.messages.get(id));
				expect(error.code).toBe('error.runtime.recordNotFound');
			});

			it('is found by walking from the last page to the first', async () => {
				const { to, from } = await active();
				const sent: string[] = [];
				for (let i = 0; i < 5; i++) {
					sent.push((await to.backbone.messages.send(message(from.address))).id);
				}
				const { messages } = to.backbone;
				const { totalRecords } = await messages.page({ pageNumber: 1, pageSize: 1 });
				expect(totalRecords).toBe(5);
				const walked: string[] = [];
				for (let pageNumber = 3; pageNumber >= 1; pageNumber--) {
					const page = await messages.page({ pageNumber, pageSize: 2 });
					expect(page).toMatchObject({ pageNumber, totalPages: 3, totalRecords: 5 });
					walked.push(...page.items.map((one) => one.id).reverse());
				}
				expect(walked).toEqual([...sent].reverse());
			});

			it('is waiting until the relationship is active', async () => {
				const { to, from, id } = await requested();
				await sync(to);
				await from.backbone.messages.send(message(to.address));
				await expect(to.backbone.syncRuns.start('ExternalEventSync')).resolves.toBeUndefined();
				await to.backbone.relationships.accept(id, content);
				expect(await sync(to)).toMatchObject([{ type: 'MessageReceived' }]);
			});
		});

		describe('a token', () => {
			it('is read by every client, also without an identity', async () => {
				const { backbone, address } = await register();
				const { id } = await backbone.tokens.create({ content, expiresAt: later() });
				const token = await connect().tokens.get(id, { anonymous: true });
				expect(token).toMatchObject({ content, createdBy: address });
			});

			it('opens with its password only', async () => {
				const { backbone } = await register();
				const password = randomBytes(32).toString('base64');
				const { id } = await backbone.tokens.create({ content, expiresAt: later(), password });
				const reader = connect().tokens;
				const error = await rejection(reader.get(id, { anonymous: true }));
				expect(error.code).toBe('error.runtime.recordNotFound');
				await expect(reader.get(id, { anonymous: true, password })).resolves.toMatchObject({
					content,
				});
			});

			it('can be deleted', async () => {
				const { backbone } = await register();
				const { id } = await backbone.tokens.create({ content, expiresAt: later() });
				await backbone.tokens.delete(id);
				const error = await rejection(backbone.tokens.get(id));
				expect(error.code).toBe('error.runtime.recordNotFound');
			});
		});

		describe('a file', () => {
			const fileFields = () => ({
				cipherHash: randomBytes(64).toString('base64url'),
				ownerSignature: bytesOf({ sig: 'AAAA' }),
				expiresAt: later(),
				encryptedProperties: bytesOf({ name: 'a.txt' }),
			});

			it('comes back byte by byte, with what was said about it', async () => {
				const { backbone, address } = await register();
				const bytes = new Uint8Array(randomBytes(100_000));
				const fields = { ...fileFields(), owner: address };
				const { id, ownershipToken } = await backbone.files.upload(bytes, fields);
				expect(ownershipToken).toBeTruthy();
				const { backbone: reader } = await register();
				expect(Buffer.compare(await reader.files.content(id), bytes)).toBe(0);
				const { owner: _owner, ownerSignature: _signature, ...expected } = fields;
				await expect(reader.files.metadata(id)).resolves.toMatchObject({
					...expected,
					owner: address,
					createdBy: address,
				});
				await expect(reader.files.list([id])).resolves.toEqual([]);
				await expect(backbone.files.list([id])).resolves.toMatchObject([{ id }]);
			});

			it('can be deleted by its creator only', async () => {
				const { backbone } = await register();
				const { id } = await backbone.files.upload(new Uint8Array([1]), fileFields());
				const { backbone: other } = await register();
				const refused = await rejection(other.files.delete(id));
				expect(refused.code).toBe('error.platform.forbidden');
				await backbone.files.delete(id);
				const gone = await rejection(backbone.files.content(id));
				expect(gone.code).toBe('error.runtime.recordNotFound');
			});
		});

		describe('the push stream', () => {
			it('wakes up for an external event', async () => {
				const { to, from } = await active();
				const abort = new AbortController();
				const names: string[] = [];
				for await (const signal of to.backbone.push.subscribe({ signal: abort.signal })) {
					if (signal.kind === 'opened') await from.backbone.messages.send(message(to.address));
					if (signal.kind === 'event') names.push(signal.name);
					if (names.includes('ExternalEventCreated')) break;
				}
				expect(names).toContain('ExternalEventCreated');
			});
		});

		describe('a call', () => {
			it('ends with the reason of its caller', async () => {
				const { backbone } = await register();
				const signal = AbortSignal.abort(new Error('gave up'));
				const error = await rejection(backbone.identities.self({ signal }));
				expect(error.message).toBe('gave up');
			});

			it('without credentials is refused before it is made', async () => {
				const error = await rejection(connect().identities.self());
				expect(error.code).toBe('error.transport.secrets.secretNotFound');
			});

			it('after closing is refused', async () => {
				const backbone = connect();
				await backbone.close();
				const error = await rejection(backbone.version.get());
				expect(error.code).toBe('error.gateway.backbone.closed');
			});
		});
	});
}
