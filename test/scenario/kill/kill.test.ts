import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import type { Gateway } from '../../../core';
import { inOneHour, mailTo, relate, SandboxNetwork, settle } from '../../support/gateways';
import { atKillPoints } from '../../support/kill-points';
import { nodesOfThisRun, quietNode } from '../../support/nodes';
import { newSeed } from '../../support/seeds';
import { size } from '../../support/sizes';

jest.setTimeout(600_000);

type RelationshipOperation =
	'terminate' | 'requestReactivation' | 'acceptReactivation' | 'decompose';

type FileOperation = 'claimFile' | 'renewFile' | 'deleteFile';

type RequestOperation = 'decide' | 'ask';

type Operation =
	| 'initiate'
	| 'cancel'
	| FileOperation
	| RequestOperation
	| 'deleteToken'
	| 'open'
	| 'template'
	| 'send'
	| 'sync'
	| 'reconcile'
	| 'create'
	| 'accept'
	| RelationshipOperation;

interface Outcome {
	readonly killed: boolean;
	readonly result: unknown;
	readonly failure: string;
}

const existsAlready = [
	'error.transport.relationships.relationshipCurrentlyExists',
	'error.transport.relationships.relationshipNotYetDecomposedByPeer',
];

const scratch = mkdtempSync(join(tmpdir(), 'enmeshed-kill-'));
const program = join(scratch, 'worker.cjs');

describe.each(nodesOfThisRun)('a process that dies on %s', (_name, nodeProgram) => {
	let network: SandboxNetwork;
	let node: string;
	beforeAll(async () => {
		node = await nodeProgram();
		buildSync({
			entryPoints: [join(__dirname, 'worker.ts')],
			bundle: true,
			format: 'cjs',
			logLevel: 'error',
			outfile: program,
			platform: 'node',
			target: 'node22',
		});
		network = await SandboxNetwork.open({
			behaviour: 'real',
			seed: newSeed(),
			maxUnreceivedMessages: 10_000,
		});
	});
	afterAll(async () => {
		await network.close();
		rmSync(scratch, { recursive: true, force: true });
	});

	function work(
		folder: string,
		operation: Operation,
		killAt: number,
		argument = '',
	): Promise<Outcome> {
		const task = { baseUrl: network.backbone.baseUrl, folder, operation, killAt, argument };
		return new Promise((resolve) => {
			execFile(
				node,
				[quietNode, program, JSON.stringify(task)],
				{ maxBuffer: 64 * 1024 * 1024 },
				(error, stdout, stderr) => {
					const killed = error?.signal === 'SIGKILL';
					const text = stdout === '' ? '{}' : stdout;
					const { result } = JSON.parse(text) as { result?: unknown };
					resolve({ killed, result, failure: stderr });
				},
			);
		});
	}

	/** After the Backbone has told everything: what a killed process leaves, the next sync finds. */
	async function syncAgain(folder: string): Promise<Outcome> {
		network.backbone.queues.deliverAll();
		return await work(folder, 'sync', 0);
	}

	/** An interrupted run at the Backbone expires after ten seconds; nobody waits for that here. */
	const letRunsExpire = (): void => network.backbone.advanceClock(11_000);

	async function ownGateway(folder: string): Promise<Gateway> {
		return await network.gateway(network.config(folder));
	}

	it('while creating its account has one that works afterwards', async () => {
		const points = await atKillPoints(async (point) => {
			const folder = network.newFolder();
			const first = await work(folder, 'open', point);
			letRunsExpire();
			const second = await work(folder, 'open', 0);
			expect(second).toMatchObject({ failure: '', result: expect.stringContaining('did:e:') });
			expect(await syncAgain(folder)).toMatchObject({ failure: '' });
			expect(await work(folder, 'open', 0)).toMatchObject({ result: second.result });
			return first;
		});
		expect(points).toBeGreaterThan(8);
	});

	it('while creating a template leaves the account as it was', async () => {
		const folder = network.newFolder();
		await work(folder, 'open', 0);
		const points = await atKillPoints(async (point) => {
			const first = await work(folder, 'template', point, String(point));
			const again = await work(folder, 'template', 0, String(point));
			expect(again).toMatchObject({ failure: '', killed: false });
			return first;
		});
		expect(points).toBeGreaterThan(2);
	});

	it('while sending has sent exactly once when the step is repeated', async () => {
		const folder = network.newFolder();
		const sender = await ownGateway(folder);
		const receiver = await network.gateway();
		const { addressB } = await relate(sender, receiver);
		await sender.close();
		const wanted: string[] = [];
		const points = await atKillPoints(async (point) => {
			wanted.push(`mail-${point}`);
			const argument = `${addressB} mail-${point}`;
			const first = await work(folder, 'send', point, argument);
			expect(await work(folder, 'send', 0, argument)).toMatchObject({ failure: '', killed: false });
			return first;
		});
		expect(points).toBeGreaterThan(3);
		await settle(receiver);
		const subjects = (await receiver.messages.list()).map(({ content }) => content['subject']);
		expect([...subjects].sort()).toEqual(wanted.sort());
	});

	it('while creating a relationship has one, and one only, that its peer can accept', async () => {
		const folder = network.newFolder();
		const lost = new Set<boolean>();
		const points = await atKillPoints(async (point) => {
			const templator = await network.gateway();
			const template = await templator.templates.create({
				expiresAt: inOneHour(),
				content: { '@type': 'ArbitraryRelationshipTemplateContent', value: 1 },
			});
			const before = await ownGateway(folder);
			const loaded = await before.templates.loadPeer({ reference: template.truncatedReference });
			await before.close();
			const first = await work(folder, 'create', point, loaded.id);
			const again = await work(folder, 'create', 0, loaded.id);
			// What has arrived is in the way of another one, whether we have seen its answer or not.
			lost.add(again.failure === '');
			expect(['', ...existsAlready]).toContain(again.failure);
			await settle(templator);
			const relationships = await templator.relationships.list();
			expect(relationships).toHaveLength(1);
			const id = relationships[0]?.id ?? '';
			await templator.relationships.accept(id);
			expect(await syncAgain(folder)).toMatchObject({ failure: '', killed: false });
			const reopened = await ownGateway(folder);
			expect(await reopened.relationships.get(id)).toMatchObject({ status: 'Active' });
			await reopened.messages.send(mailTo((await templator.account.getIdentity()).address));
			await settle(templator);
			expect(await templator.messages.list()).toHaveLength(1);
			await reopened.close();
			await templator.close();
			return first;
		});
		expect(points).toBeGreaterThan(5);
		// Killed before the creation arrived, and after.
		expect(lost.size).toBeGreaterThanOrEqual(size({ quick: 1, full: 2 }));
	});

	it('while accepting has accepted after the next sync or repetition', async () => {
		const folder = network.newFolder();
		const templator = await ownGateway(folder);
		const template = await templator.templates.create({
			expiresAt: inOneHour(),
			content: { '@type': 'ArbitraryRelationshipTemplateContent', value: 1 },
		});
		await templator.close();
		const points = await atKillPoints(async (point) => {
			const requestor = await network.gateway();
			const loaded = await requestor.templates.loadPeer({ reference: template.truncatedReference });
			const { id } = await requestor.relationships.create({
				templateId: loaded.id,
				creationContent: { '@type': 'ArbitraryRelationshipCreationContent', value: 2 },
			});
			await syncAgain(folder);
			const first = await work(folder, 'accept', point, id);
			await syncAgain(folder);
			const reopened = await ownGateway(folder);
			let { status } = await reopened.relationships.get(id);
			if (status === 'Pending') ({ status } = await reopened.relationships.accept(id));
			expect(status).toBe('Active');
			await settle(requestor);
			await reopened.messages.send(mailTo((await requestor.account.getIdentity()).address));
			await settle(requestor);
			expect(await requestor.messages.list()).toHaveLength(1);
			await reopened.close();
			await requestor.close();
			return first;
		});
		expect(points).toBeGreaterThan(3);
	});

	const createItem = (key: string) => ({
		'@type': 'CreateAttributeRequestItem',
		mustBeAccepted: true,
		attribute: {
			'@type': 'RelationshipAttribute',
			owner: '',
			key,
			confidentiality: 'public',
			value: { '@type': 'ProprietaryString', title: 'T', value: 'V' },
		},
	});

	/** Long after: nobody can be in the middle of a call any more. */
	const laterGateway = (folder: string, aheadMs = () => 600_000): Promise<Gateway> =>
		network.gateway(network.config(folder), { clock: { now: () => Date.now() + aheadMs() } });

	/** Both sides have the answer once, and what it brought about. */
	async function expectAnsweredOnce(decider: Gateway, asker: Gateway, id: string): Promise<void> {
		const { status } = await decider.incomingRequests.get(id);
		if (status === 'ManualDecisionRequired') {
			await decider.incomingRequests.accept(id, { items: [{ accept: true }] });
		}
		await settle(asker);
		expect(await decider.incomingRequests.get(id)).toMatchObject({ status: 'Completed' });
		expect(await asker.outgoingRequests.get(id)).toMatchObject({ status: 'Completed' });
		for (const gateway of [decider, asker]) {
			const query = { 'shareInfo.requestReference': id };
			expect(await gateway.attributes.list({ query })).toHaveLength(1);
		}
	}

	it('while deciding about a request has decided, or not, and the answer arrives once', async () => {
		const folder = network.newFolder();
		const decider = await ownGateway(folder);
		const asker = await network.gateway();
		const { addressA: peer } = await relate(decider, asker);
		await decider.close();
		const points = await atKillPoints(async (point, tried) => {
			const content = { items: [createItem(`key-${point}`)] };
			const request = await asker.outgoingRequests.create({ content, peer });
			await asker.messages.send({ recipients: [peer], content: request.content });
			await syncAgain(folder);
			const first = await work(folder, 'decide', point, request.id);
			const reopened = await laterGateway(folder);
			await settle(reopened);
			await expectAnsweredOnce(reopened, asker, request.id);
			await reopened.close();
			const responses = await asker.messages.list({
				query: { 'content.@type': 'ResponseWrapper' },
			});
			expect(responses).toHaveLength(tried);
			return first;
		});
		expect(points).toBeGreaterThan(4);
	});

	it('while accepting a template has one relationship in the end, with the answer', async () => {
		const folder = network.newFolder();
		const points = await atKillPoints(async (point) => {
			const asker = await network.gateway();
			const template = await asker.templates.create({
				expiresAt: inOneHour(),
				content: {
					'@type': 'RelationshipTemplateContent',
					onNewRelationship: { items: [createItem('key')] },
				},
			});
			const before = await ownGateway(folder);
			const loaded = await before.templates.loadPeer({ reference: template.truncatedReference });
			const query = { 'source.reference': loaded.id };
			const id = (await before.incomingRequests.list({ query }))[0]?.id ?? '';
			await before.close();
			const first = await work(folder, 'decide', point, id);
			let aheadMs = 600_000;
			const reopened = await laterGateway(folder, () => aheadMs);
			await settle(reopened);
			// The event of a rejection could still be on its way when a creation is missing.
			aheadMs += 3 * 60_000;
			await settle(reopened);
			if ((await reopened.incomingRequests.get(id)).status === 'ManualDecisionRequired') {
				await reopened.incomingRequests.accept(id, { items: [{ accept: true }] });
			}
			await settle(asker);
			const relationships = await asker.relationships.list();
			expect(relationships).toHaveLength(1);
			await asker.relationships.accept(relationships[0]?.id ?? '');
			await settle(reopened);
			await expectAnsweredOnce(reopened, asker, id);
			await reopened.close();
			await asker.close();
			return first;
		});
		expect(points).toBeGreaterThan(5);
	});

	it('while sending a request has sent it once, however often that is repeated', async () => {
		const folder = network.newFolder();
		const asker = await ownGateway(folder);
		const asked = await network.gateway();
		const { addressB: peer } = await relate(asker, asked);
		await asker.close();
		const points = await atKillPoints(async (point, tried) => {
			const before = await ownGateway(folder);
			const content = { items: [createItem(`key-${point}`)] };
			const { id } = await before.outgoingRequests.create({ content, peer });
			await before.close();
			const first = await work(folder, 'ask', point, id);
			await syncAgain(folder);
			const again = await work(folder, 'ask', 0, id);
			const reopened = await laterGateway(folder);
			await settle(reopened);
			const { status, content: request } = await reopened.outgoingRequests.get(id);
			// Prepared and never sent: whoever wants it sent says so again.
			if (status === 'Draft')
				await reopened.messages.send({ recipients: [peer], content: request });
			else
				expect(['', 'error.runtime.messages.cannotSendRequestThatWasAlreadySent']).toContain(
					again.failure,
				);
			await reopened.close();
			await settle(asked);
			expect(await asked.incomingRequests.list()).toHaveLength(tried);
			expect(await asked.messages.list({ query: { 'content.@type': 'Request' } })).toHaveLength(
				tried,
			);
			return first;
		});
		expect(points).toBeGreaterThan(3);
	});

	/** What the newest entry of the Backbone says when the operation was carried out. */
	const reasons: Record<RelationshipOperation, string> = {
		terminate: 'Termination',
		requestReactivation: 'ReactivationRequested',
		acceptReactivation: 'AcceptanceOfReactivation',
		decompose: 'Decomposition',
	};

	/** Brings a fresh relationship to where the operation is possible for `own`. */
	async function prepare(
		operation: RelationshipOperation,
		own: Gateway,
		peer: Gateway,
	): Promise<string> {
		const { relationshipId } = await relate(own, peer);
		if (operation === 'terminate') return relationshipId;
		await own.relationships.terminate(relationshipId);
		if (operation === 'acceptReactivation') {
			await settle(peer);
			await peer.relationships.requestReactivation(relationshipId);
			await settle(own);
		}
		return relationshipId;
	}

	it.each(Object.keys(reasons) as RelationshipOperation[])(
		'during the operation %s knows and tells afterwards, once, what has become of it',
		async (operation) => {
			const folder = network.newFolder();
			let done = 0;
			const points = await atKillPoints(async (point) => {
				const own = await ownGateway(folder);
				const peer = await network.gateway();
				const id = await prepare(operation, own, peer);
				const [last] = await own.events.recent({}, 1);
				await own.close();
				const first = await work(folder, operation, point, id);
				expect(await syncAgain(folder)).toMatchObject({ failure: '', killed: false });
				const reopened = await ownGateway(folder);
				const row = network.backbone.state.relationships.get(id);
				const happened = row?.auditLog.at(-1)?.reason === reasons[operation];
				if (happened) done++;
				const [stored] = await reopened.relationships.list({
					orderBy: { field: 'inserted', direction: 'desc' },
					limit: 1,
				});
				const isHere = stored?.id === id;
				expect(isHere).toBe(!(happened && operation === 'decompose'));
				if (isHere) expect(stored?.auditLog).toHaveLength(row?.auditLog.length ?? 0);
				const events = await reopened.events.recent({}, 20);
				const told = events.filter(({ sequence }) => sequence > (last?.sequence ?? 0));
				const hasTwo = operation.includes('Reactivation');
				expect(told).toHaveLength(happened ? (hasTwo ? 2 : 1) : 0);
				await reopened.close();
				await peer.close();
				return first;
			});
			expect(points).toBeGreaterThan(4);
			expect(done).toBeGreaterThan(size({ quick: 0, full: 2 }));
		},
	);

	it.each(['claimFile', 'renewFile', 'deleteFile'] as const)(
		'during the operation %s has the file as the Backbone has it after the next sync',
		async (operation) => {
			const folder = network.newFolder();
			const peer = await network.gateway();
			const { files: rows } = network.backbone.state;
			const described = { filename: 'a', mimetype: 'text/plain' };
			const outcomes = new Set<unknown>();
			const points = await atKillPoints(async (point) => {
				const own = await ownGateway(folder);
				const owner = operation === 'claimFile' ? peer : own;
				const file = await owner.files.upload(described, new Uint8Array(3));
				await own.files.getOrLoad({ reference: file.truncatedReference });
				const { address } = await own.account.getIdentity();
				await own.close();
				const token = file.ownershipToken ?? '';
				const argument = operation === 'claimFile' ? `${file.id} ${token}` : file.id;
				const first = await work(folder, operation, point, argument);
				expect(await syncAgain(folder)).toMatchObject({ failure: '', killed: false });
				const reopened = await ownGateway(folder);
				const row = rows.get(file.id);
				const [stored] = await reopened.files.list({
					orderBy: { field: 'inserted', direction: 'desc' },
					limit: 1,
				});
				const isHere = stored?.id === file.id;
				expect(isHere).toBe(row !== undefined);
				const isOwn = row?.owner === address;
				if (isHere) {
					expect(stored).toMatchObject({ isOwn, owner: row?.owner });
					// The token of a claim whose answer is lost cannot be had again.
					const isLost = operation === 'claimFile' && stored.ownershipToken === undefined;
					if (isOwn && !isLost) expect(stored.ownershipToken).toBe(row?.ownershipToken);
				}
				outcomes.add(row?.ownershipToken === token);
				await reopened.close();
				return first;
			});
			expect(points).toBeGreaterThan(4);
			// Killed before the Backbone was asked, and after; a new token is stored nowhere.
			const most = operation === 'renewFile' ? 1 : 2;
			expect(outcomes.size).toBeGreaterThanOrEqual(size({ quick: 1, full: most }));
			expect(outcomes.size).toBeLessThanOrEqual(most);
		},
	);

	it('while deleting a token has deleted it after the next sync, or not at all', async () => {
		const folder = network.newFolder();
		const points = await atKillPoints(async (point) => {
			const own = await ownGateway(folder);
			const { id } = await own.tokens.create({ content: {}, expiresAt: inOneHour() });
			await own.close();
			const first = await work(folder, 'deleteToken', point, id);
			expect(await syncAgain(folder)).toMatchObject({ failure: '', killed: false });
			const reopened = await ownGateway(folder);
			const stored = (await reopened.tokens.list()).some((token) => token.id === id);
			expect(stored).toBe(network.backbone.state.tokens.has(id));
			await reopened.close();
			return first;
		});
		expect(points).toBeGreaterThan(4);
	});

	it('while syncing loses nothing and doubles nothing', async () => {
		const folder = network.newFolder();
		const receiver = await ownGateway(folder);
		const sender = await network.gateway();
		const { addressA } = await relate(receiver, sender);
		await receiver.close();
		let sent = 0;
		const points = await atKillPoints(async (point) => {
			await sender.messages.send(mailTo(addressA, `mail-${++sent}`));
			network.backbone.queues.deliverAll();
			const first = await work(folder, 'sync', point);
			letRunsExpire();
			expect(await syncAgain(folder)).toMatchObject({ failure: '', killed: false });
			return first;
		});
		expect(points).toBeGreaterThan(10);
		const reopened = await ownGateway(folder);
		const subjects = (await reopened.messages.list()).map(({ content }) => content['subject']);
		expect(subjects).toEqual(Array.from({ length: sent }, (_, index) => `mail-${index + 1}`));
		const events = await reopened.events.recent({ names: ['transport.messageReceived'] }, 500);
		expect(events.map(({ data }) => (data['content'] as { subject: string }).subject)).toEqual(
			subjects,
		);
		await reopened.close();
	});

	it.each(['initiate', 'cancel'] as const)(
		'while its identity is deleted (%s) knows and tells afterwards, once, what has become of it',
		async (operation) => {
			let done = 0;
			const points = await atKillPoints(async (point) => {
				const folder = network.newFolder();
				const before = await ownGateway(folder);
				const { address } = await before.account.getIdentity();
				if (operation === 'cancel') await before.identityDeletion.initiate();
				await before.close();
				const first = await work(folder, operation, point);
				// Refused while the identity is about to be deleted, and that is how it is found out.
				await syncAgain(folder);
				const row = network.backbone.state.identities.get(address);
				const isRunning = row?.status === 'ToBeDeleted';
				const happened = isRunning === (operation === 'initiate');
				if (happened) done++;
				const reopened = await ownGateway(folder);
				const statuses = (await reopened.identityDeletion.list()).map(({ status }) => status);
				const told = (await reopened.events.recent({}, 10)).map(({ data }) => data['status']);
				const ended = operation === 'cancel' && happened;
				expect(statuses).toEqual(isRunning ? ['Approved'] : ended ? ['Cancelled'] : []);
				expect(told).toEqual([
					...(isRunning || ended ? ['Approved'] : []),
					...(ended ? ['Cancelled'] : []),
				]);
				// What did not happen can be tried again.
				if (!happened) await reopened.identityDeletion[operation]();
				await reopened.close();
				return first;
			});
			expect(points).toBeGreaterThan(3);
			expect(done).toBeGreaterThan(size({ quick: 0, full: 1 }));
		},
	);

	it('while comparing with the Backbone finds everything that was lost, and tells it once', async () => {
		const folder = network.newFolder();
		const receiver = await ownGateway(folder);
		const sender = await network.gateway();
		const { addressA, relationshipId } = await relate(receiver, sender);
		await receiver.close();
		const { queues } = network.backbone;
		queues.drop({ owner: addressA });
		const wanted: string[] = [];
		let isPlanned = false;
		const points = await atKillPoints(
			async (point) => {
				if (isPlanned) {
					await sender.identityDeletion.cancel();
					// The Backbone lets it send again a while after that.
					await settle(sender);
				}
				for (const subject of [`one-${point}`, `two-${point}`]) {
					wanted.push(subject);
					await sender.messages.send(mailTo(addressA, subject));
				}
				if (!isPlanned) await sender.identityDeletion.initiate();
				isPlanned = !isPlanned;
				const first = await work(folder, 'reconcile', point);
				letRunsExpire();
				expect(await work(folder, 'reconcile', 0)).toMatchObject({ failure: '', killed: false });
				return first;
			},
			size({ quick: 9, full: 1 }),
		);
		queues.restore();
		expect(points).toBeGreaterThan(20);
		const reopened = await ownGateway(folder);
		const subjects = (await reopened.messages.list()).map(({ content }) => content['subject']);
		expect([...subjects].sort()).toEqual(wanted.sort());
		const { peerDeletionInfo } = await reopened.relationships.get(relationshipId);
		expect(peerDeletionInfo?.deletionStatus).toBe(isPlanned ? 'ToBeDeleted' : undefined);
		const told = await reopened.events.recent(
			{ names: ['transport.peerToBeDeleted', 'transport.peerDeletionCancelled'] },
			400,
		);
		expect(told).toHaveLength(wanted.length / 2);
		await reopened.close();
	});

	it('five times in a row on the same event still gets the message', async () => {
		const folder = network.newFolder();
		const receiver = await ownGateway(folder);
		const sender = await network.gateway();
		const { addressA } = await relate(receiver, sender);
		await receiver.close();
		const wanted: string[] = [];
		// Every point of a sync, five deaths each, also where the Backbone counts the event as failed.
		const stride = size({ quick: 3, full: 1 });
		for (let point = 1 + (newSeed() % stride); point <= 16; point += stride) {
			wanted.push(`mail-${point}`);
			await sender.messages.send(mailTo(addressA, `mail-${point}`));
			network.backbone.queues.deliverAll();
			for (let death = 0; death < 5; death++) {
				await work(folder, 'sync', point);
				letRunsExpire();
			}
			await syncAgain(folder);
		}
		const reopened = await ownGateway(folder);
		const subjects = (await reopened.messages.list()).map(({ content }) => content['subject']);
		expect(subjects).toEqual(wanted);
		await reopened.close();
	});
});
