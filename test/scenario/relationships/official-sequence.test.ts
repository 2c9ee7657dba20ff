import { eventCatalogue, type FileDto, type Gateway, type AnyEvent } from '../../../core';
import type { IdentityRow } from '../../../sandbox/state/records';
import { inOneHour, mailTo, SandboxNetwork } from '../../support/gateways';
import { itReadsItsVectors } from '../../support/reads-its-vectors';
import { readVectors } from '../../support/vectors';

/*
 * What two official runtimes were told, step by step (transport-events.json): two of our gateways
 * take the same steps, ask the Backbone for the same, and are told the same, in the same order.
 */

interface RecordedEvent {
	readonly namespace: string;
	readonly status?: string;
	readonly lastAuditReason?: string;
}

interface RecordedStep {
	readonly step: number;
	readonly actor: 'A' | 'B';
	readonly call: string;
	readonly eventsOfA: readonly RecordedEvent[];
	readonly eventsOfB: readonly RecordedEvent[];
	readonly backboneCalls: readonly string[];
}

interface RecordedRelationship {
	readonly status: string;
	readonly peer: string;
	readonly auditLog: ReadonlyArray<Record<string, string>>;
}

const vectors = readVectors<{
	sequences: RecordedStep[];
	samples: Record<string, { namespace: string; data?: object }>;
	peerRelationshipBeforeAndAfterDecompositionByOther: Record<
		'before' | 'after',
		RecordedRelationship
	>;
	finalStatusOfStaleRelationship: string;
	externalEventResultsExample: Array<{
		id: string;
		type: string;
		payload: Record<string, string>;
		result: { externalEventId: string; errorCode?: string };
	}>;
}>('transport-events.json');

/** We keep no datawallet, which is for identities with several devices. */
const datawalletSynchronized = 'transport.datawalletSynchronized';
const ourSamples = Object.entries(vectors.samples).filter(
	([name]) => name !== datawalletSynchronized,
);

/**
 * How a sync asks is our own affair; what it then looks at is not. Before the first one, once, the newest
 * messages tell whether the store is an old backup.
 */
const ofSync = /\/(SyncRuns|Datawallet)\b|\/Messages\?/;

/** A relationship may be created: ours ask once, the official runtime twice. */
const created = ['GET /api/v1/Relationships/CanCreate?peer=…', 'POST /api/v1/Relationships'];

/** Where ours ask for something else to learn the same. */
const ownCalls: Readonly<Record<number, readonly string[]>> = {
	// These two events may change places: the Backbone is asked which of them still holds.
	21: ['GET /api/v1/Relationships/CanCreate?peer=…'],
	22: ['GET /api/v1/Relationships/CanCreate?peer=…'],
	24: ['GET /api/v1/Relationships/CanCreate?peer=…'],
	3: created,
	7: created,
	11: created,
	15: ['POST /api/v1/Messages'],
	// One object is asked for in one way, whatever happened to it.
	20: ['GET /api/v1/Messages/{MSG…}'],
	51: ['GET /api/v1/Files/{FIL…}/metadata'],
	// A deletion that is under way is looked for at every sync.
	55: [
		'GET /api/v1/Identities/Self/DeletionProcesses',
		'GET /api/v1/Identities/Self/DeletionProcesses/{IDP…}',
	],
};

const deletionDate = '2099-12-31T23:59:59.000Z';

let network: SandboxNetwork;
let gateways: Record<'A' | 'B' | 'C', Gateway>;
let address: Record<'A' | 'B', string>;

beforeAll(async () => {
	// Kind: the events came in the order that was recorded, each once.
	network = await SandboxNetwork.open({
		behaviour: 'kind',
		hasDeletionApproval: true,
		apis: ['v1'],
	});
	const [A, B, C] = [await network.gateway(), await network.gateway(), await network.gateway()];
	gateways = { A, B, C };
	const identities = [await A.account.getIdentity(), await B.account.getIdentity()];
	address = { A: identities[0]?.address ?? '', B: identities[1]?.address ?? '' };
});

afterAll(() => network.close());

describe('two gateways that do what two official runtimes did', () => {
	let templateId = '';
	let reference = '';
	let relationshipId = '';
	let messageId = '';
	let fileId = '';
	/** Decomposing a relationship erases the data of what was told about it, so it is kept here. */
	const told: Record<'A' | 'B', AnyEvent[]> = { A: [], B: [] };
	const { before, after } = vectors.peerRelationshipBeforeAndAfterDecompositionByOther;

	async function createTemplate(maxNumberOfAllocations?: number): Promise<void> {
		({ truncatedReference: reference } = await gateways.A.templates.create({
			expiresAt: inOneHour(),
			content: { '@type': 'ArbitraryRelationshipTemplateContent', value: 1 },
			...(maxNumberOfAllocations === undefined ? {} : { maxNumberOfAllocations }),
		}));
	}

	async function uploadFile(by: Gateway): Promise<FileDto> {
		const file = await by.files.upload({ filename: 'x', mimetype: 'text/plain' }, Buffer.from('x'));
		({ id: fileId, truncatedReference: reference } = file);
		return file;
	}

	async function createRelationship(by: Gateway): Promise<string> {
		const creationContent = { '@type': 'ArbitraryRelationshipCreationContent' as const, value: 1 };
		return (await by.relationships.create({ templateId, creationContent })).id;
	}

	/** The calls by the first word that the recording has for them. */
	const calls: Readonly<Record<string, (who: Gateway) => Promise<unknown>>> = {
		createOwnRelationshipTemplate: () => createTemplate(1),
		loadPeerRelationshipTemplate: async (who) => {
			({ id: templateId } = await who.templates.loadPeer({ reference }));
		},
		createRelationship: async (who) => {
			relationshipId = await createRelationship(who);
		},
		rejectRelationship: (who) => who.relationships.reject(relationshipId),
		revokeRelationship: (who) => who.relationships.revoke(relationshipId),
		acceptRelationship: (who) => who.relationships.accept(relationshipId),
		terminateRelationship: (who) => who.relationships.terminate(relationshipId),
		requestRelationshipReactivation: (who) => who.relationships.requestReactivation(relationshipId),
		acceptRelationshipReactivation: (who) => who.relationships.acceptReactivation(relationshipId),
		rejectRelationshipReactivation: (who) => who.relationships.rejectReactivation(relationshipId),
		revokeRelationshipReactivation: (who) => who.relationships.revokeReactivation(relationshipId),
		decomposeRelationship: (who) => who.relationships.decompose(relationshipId),
		sendMessage: async (who) => {
			({ id: messageId } = await who.messages.send(mailTo(address.B)));
		},
		markMessageAsRead: (who) => who.messages.markAsRead(messageId),
		markMessageAsUnread: (who) => who.messages.markAsUnread(messageId),
		uploadOwnFile: (who) => uploadFile(who),
		initiateIdentityDeletionProcess: (who) => who.identityDeletion.initiate(),
		cancelIdentityDeletionProcess: (who) => who.identityDeletion.cancel(),
		syncEverything: async (who) => {
			expect((await who.account.sync()).pendingFailures).toEqual([]);
		},
	};

	/** What makes the Backbone tell A something, when no step of A or B did. */
	const causes: Readonly<Record<string, () => Promise<unknown>>> = {
		FileOwnershipLocked: async () => {
			await gateways.B.files.getOrLoad({ reference });
			await gateways.B.files.validateOwnershipToken(fileId, 'wrong');
		},
		FileOwnershipClaimed: async () => {
			// Another file, because the first one stays locked.
			const { ownershipToken = '' } = await uploadFile(gateways.A);
			await gateways.B.files.getOrLoad({ reference });
			await gateways.B.files.claimOwnership(fileId, ownershipToken);
		},
		IdentityDeletionProcessStarted: async () => {
			network.backbone.deletions.start(identityOfA(), 'support');
		},
		IdentityDeletionProcessStatusChanged: async () => {
			const process = identityOfA().deletions.at(-1);
			if (process === undefined) throw new Error('The sandbox lost the process');
			network.backbone.deletions.approve(identityOfA(), process, 'support');
			network.backbone.deletions.cancel(identityOfA(), process, 'support');
		},
		/** A third identity connects and thinks better of it before the owner looks. */
		'first sight': async () => {
			await createTemplate();
			({ id: templateId } = await gateways.C.templates.loadPeer({ reference }));
			relationshipId = await createRelationship(gateways.C);
			await gateways.C.relationships.revoke(relationshipId);
		},
	};

	function identityOfA(): IdentityRow {
		const row = network.backbone.state.identities.get(address.A);
		if (row === undefined) throw new Error('The sandbox has no identity A');
		return row;
	}

	async function bringAbout(call: string): Promise<void> {
		const type = /first sight|(?<=with external event )\w+/.exec(call)?.[0];
		if (type === undefined) return;
		const cause = causes[type];
		if (cause !== undefined) await cause();
		else {
			const payload = { id: messageId, relationshipId, deletionDate };
			// A gateway asks which of these still holds.
			const peer = network.backbone.state.identities.get(address.B);
			if (peer !== undefined) peer.status = type === 'PeerToBeDeleted' ? 'ToBeDeleted' : 'Active';
			network.backbone.events.add(address.A, type, payload);
		}
	}

	async function newEvents(who: 'A' | 'B'): Promise<RecordedEvent[]> {
		const seen = told[who].at(-1)?.sequence ?? 0;
		const events = (await gateways[who].events.recent({}, 200)).filter(
			({ sequence }) => sequence > seen,
		);
		told[who].push(...events);
		// The recording had no consumption layer.
		const ofTransport = events.filter(({ event }) => event.startsWith('transport.'));
		return ofTransport.map(({ event, data }) => {
			const auditLog = data['auditLog'] as Array<{ reason: string }> | undefined;
			return {
				namespace: event,
				...(typeof data['status'] === 'string' ? { status: data['status'] } : {}),
				...(auditLog === undefined ? {} : { lastAuditReason: auditLog.at(-1)?.reason ?? '' }),
			};
		});
	}

	function asked(): string[] {
		const shown = network.backbone.calls.entries.map(
			({ method, path }) =>
				`${method} ${path.replace(/\?(\w+)=.*/, '?$1=…').replace(/\/([A-Z]{3})\w{17}/, '/{$1…}')}`,
		);
		return shown.filter((call) => !ofSync.test(call));
	}

	it.each(vectors.sequences)('$step: $actor $call', async (recorded) => {
		const { step, actor, call } = recorded;
		const name = call.split(/[ (:]/)[0] ?? '';
		const act = calls[name];
		if (act === undefined) throw new Error(`No step for ${name}`);
		await bringAbout(call);
		network.backbone.calls.clear();
		const outcome = act(gateways[actor]);
		if (call.includes('(fails)')) await expect(outcome).rejects.toThrow();
		else await outcome;
		const officiallyAsked = recorded.backboneCalls.filter((one) => !ofSync.test(one));
		expect(asked()).toEqual(ownCalls[step] ?? officiallyAsked);
		// The official runtime shows a status that is past; ours is the true one (transport 6.5).
		const eventsOfA = recorded.eventsOfA.map((event) =>
			step === 56 ? { ...event, status: vectors.finalStatusOfStaleRelationship } : event,
		);
		expect(await newEvents('A')).toEqual(eventsOfA);
		expect(await newEvents('B')).toEqual(recorded.eventsOfB);
	});

	it('are told the same of a relationship whose peer decomposed it', () => {
		const changes = told.B.filter(({ event }) => event === 'transport.relationshipChanged');
		const shown = changes.map(({ data }) => data as unknown as RecordedRelationship);
		const last = shown.at(-1);
		expect([shown.at(-2)?.status, last?.status]).toEqual([before.status, after.status]);
		expect(shapeOf(shown.at(-2))).toEqual(shapeOf(before));
		expect(shapeOf(last)).toEqual(shapeOf(after));
		expect(last?.auditLog.slice(0, -1)).toEqual(shown.at(-2)?.auditLog);
		const { reason, oldStatus, newStatus } = after.auditLog.at(-1) ?? {};
		expect(last?.auditLog.at(-1)).toMatchObject({
			...{ reason, oldStatus, newStatus },
			createdBy: last?.peer,
		});
	});

	it('end with the same status of the relationship that was revoked before it was seen', async () => {
		const { status } = await gateways.A.relationships.get(relationshipId);
		expect(status).toBe(vectors.finalStatusOfStaleRelationship);
	});

	it.each(ourSamples)('are told %s with the same members', (name, { data }) => {
		const first = [...told.A, ...told.B].find(({ event }) => event === name);
		expect(shapeOf(first?.data)).toEqual(shapeOf(asWithUs(name, data)));
	});

	/* As the official runtime, except for what newer Backbones send: that is not a mistake (transport 14). */
	it('find the same external events wrong', async () => {
		const { events, state } = network.backbone;
		const examples = vectors.externalEventResultsExample;
		for (const { type, payload } of examples) {
			const isKnown = payload['relationshipId']?.endsWith('000') === false;
			events.add(address.A, type, isKnown ? { relationshipId } : payload);
		}
		const added = [...(state.openEvents.get(address.A) ?? [])];
		const { pendingFailures } = await gateways.A.account.sync();
		const found = added.map(
			({ id }) => pendingFailures.find(({ eventId }) => eventId === id)?.code,
		);
		expect(found).toEqual(
			examples.map(({ id, type, result: { externalEventId, errorCode } }) => {
				expect(externalEventId).toBe(id);
				return type === 'TokenLocked' ? undefined : errorCode;
			}),
		);
		// The Backbone is told of no failure: it would give up what we still try (ADR 0007).
		expect(added.map(({ done, syncErrorCount }) => ({ done, syncErrorCount }))).toEqual(
			examples.map(() => ({ done: true, syncErrorCount: 0 })),
		);
	});
});

describe('the data of an official event', () => {
	it.each(ourSamples)('%s has our form, no more and no less', (name, sample) => {
		const { payload } = eventCatalogue[name as keyof typeof eventCatalogue];
		const data = asWithUs(name, sample.data);
		expect(payload.parse(data)).toEqual(data);
		expect(sample.namespace).toBe(name);
	});

	it('is known for every event but the one of the datawallet, and for no other', () => {
		const ours = Object.keys(eventCatalogue).filter((name) => name.startsWith('transport.'));
		expect([...ours, datawalletSynchronized].sort()).toEqual(Object.keys(vectors.samples).sort());
	});
});

/** The recording lacks what newer Backbones tell about files, and older ones about deletions. */
function asWithUs(name: string, data: object | undefined): object | undefined {
	if (name.startsWith('transport.file')) return { ...data, owner: address.A };
	if (!name.includes('DeletionProcess')) return data;
	return { ...data, approvalPeriodEndsAt: deletionDate };
}

/** The kind of value at each place, entries of a list taken together. */
function shapeOf(value: unknown, path = 'data'): Set<string> {
	if (typeof value !== 'object' || value === null) return new Set([`${path}: ${typeof value}`]);
	const places = new Set<string>();
	for (const [name, member] of Object.entries(value)) {
		const step = Array.isArray(value) ? '*' : name;
		for (const place of shapeOf(member, `${path}/${step}`)) places.add(place);
	}
	return places;
}

itReadsItsVectors(__filename);
