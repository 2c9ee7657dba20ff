import { loosely } from '../../../support/loosely';
import { GatewayError } from '../../../../core/base/errors';
import { messageHoldings } from '../../../../core/domain/message/message-holdings';
import { sendIntentRetention } from '../../../../core/domain/message/sending/send-intent-retention';
import { sendStateOf, type SendState } from '../../../../core/domain/message/sending/send-states';
import type { SendTransitionName } from '../../../../core/domain/message/sending/send-transitions';
import type { SendIntentRecord } from '../../../../core/model/record/message';
import {
	afterLateArrivalMs,
	mailTo,
	own,
	peers,
	timings,
	type SendBench,
	type SendingProcess,
} from './send-bench';
import type { Reception } from './message-server';

/* How a send comes into each state, and how each transition happens to it. */

type Step = (bench: SendBench, process: SendingProcess, key?: string) => Promise<void>;

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

const [peer = ''] = peers;
const mail = mailTo(peer);

const outcomeUnknown = { code: 'error.gateway.messages.outcomeUnknown' };
const refused = { code: 'error.platform.validation.invalidPropertyValue' } as const;

/** Sends, or repeats the send with the same key; answers once the call has failed as expected. */
const send = async (
	{ backbone }: SendBench,
	{ messages }: SendingProcess,
	reception: Reception,
	idempotencyKey: string | undefined,
): Promise<void> => {
	backbone.reception = reception;
	const sending = messages.send(mail, idempotencyKey === undefined ? {} : { idempotencyKey });
	if (reception === 'accepts') await sending;
	else
		await expect(sending).rejects.toMatchObject(reception === 'refuses' ? refused : outcomeUnknown);
};

const settle = async (
	{ backbone }: SendBench,
	process: SendingProcess,
	reception: Reception,
): Promise<void> => {
	backbone.reception = reception;
	await process.settle();
};

const onlyIntent = async ({ store }: SendingProcess) => {
	const intent = await store.read((tx) => tx.sendIntents.first());
	if (intent === undefined) throw new Error('There is no send');
	return intent;
};

const prepareRequired: Step = async (_bench, { store, preparedMessages, localSends }, key) => {
	const { intentId } = await store.transact((tx) =>
		preparedMessages.prepare(tx, peer, loosely(mail.content), key),
	);
	// As after a restart, which leaves no memory of whether a call has begun.
	localSends.forget(intentId);
};

const request: Step = async (_bench, process) => {
	const { id } = (await onlyIntent(process)).record;
	await process.store.transact((tx) => process.sendIntents.request(tx, id));
};

/** From nothing into each state. */
export const arrange: Readonly<Record<SendState, Step>> = {
	absent: () => Promise.resolve(),
	pending: (bench, process, key) => send(bench, process, 'losesCall', key),
	requested: async (bench, process, key) => {
		await send(bench, process, 'losesCall', key);
		await request(bench, process);
	},
	required: prepareRequired,
	sent: (bench, process, key) => send(bench, process, 'accepts', key),
	failed: (bench, process, key) => send(bench, process, 'refuses', key),
};

/** Calls the Backbone for an open send, which answers like that. */
const callAgain = async (
	bench: SendBench,
	process: SendingProcess,
	reception: Reception,
): Promise<void> => {
	const { backbone } = bench;
	backbone.reception = reception;
	const intent = await onlyIntent(process);
	const before = backbone.posted.length;
	if (sendStateOf(intent.record) === 'pending') {
		await process.settle();
		bench.clock.advance(afterLateArrivalMs);
		const resumed = process.messages['sending'].resume(intent, 'claim', {});
		await expect(resumed).rejects.toMatchObject(reception === 'refuses' ? refused : outcomeUnknown);
	} else {
		await process.settle();
		bench.clock.advance(timings.claimTtlMs);
		if (backbone.posted.length === before) await process.settle();
	}
	expect(backbone.posted.slice(before)).toEqual([intent.record.postBody?.['body']]);
};

/** The Backbone has the message, and the process finds it or gets a late answer. */
const complete: Step = async ({ backbone }, process) => {
	const intent = await onlyIntent(process);
	const { postBody } = intent.record;
	if (postBody === undefined) {
		const sent = { id: 'MSG00000000000000001', createdAt: intent.record.createdAt };
		await process.sendIntents.complete(intent, sent);
		return;
	}
	backbone.store(postBody as unknown as Parameters<typeof backbone.store>[0]);
	const before = backbone.posted.length;
	await process.settle();
	expect(backbone.posted).toHaveLength(before);
};

const expire: Step = async ({ clock }, { store }) => {
	clock.advance(100 * dayMs);
	const now = new Date(clock.now()).toISOString();
	await store.transact((tx) => tx.outbox.prune(now, { after: 0, limit: 100 }));
	for (const state of ['sent', 'failed'] as const) {
		await sendIntentRetention(store, clock, state, 14)();
	}
};

/** Takes each transition by its event. */
export const steps: Readonly<Record<SendTransitionName, Step>> = {
	prepare: (bench, process, key) => send(bench, process, 'losesCall', key),
	prepareRequired,
	renewClaim: async ({ clock }, process) => {
		clock.advance(timings.renewClaimAfterMs + 1);
		await process.sendClaims.renew(await onlyIntent(process));
	},
	claim: (bench, process) => callAgain(bench, process, 'losesCall'),
	claimRequested: (bench, process) => callAgain(bench, process, 'losesCall'),
	loseAnswer: (bench, process) => callAgain(bench, process, 'losesAnswer'),
	deferRequired: (bench, process) => callAgain(bench, process, 'refusesForNow'),
	complete,
	refusePending: (bench, process) => callAgain(bench, process, 'refuses'),
	refuseRequested: (bench, process) => callAgain(bench, process, 'refuses'),
	refuseRequired: (bench, process) => callAgain(bench, process, 'refuses'),
	request,
	withdraw: async (_bench, process) => {
		const { id } = (await onlyIntent(process)).record;
		await process.store.transact((tx) => process.sendIntents.withdraw(tx, id));
	},
	giveUp: async (bench, process) => {
		await settle(bench, process, 'accepts');
		bench.clock.advance(afterLateArrivalMs);
		await settle(bench, process, 'accepts');
		expect(bench.backbone.storedCount).toBe(0);
	},
	forget: async (_bench, { store, preparedMessages }, key = '') => {
		const earlier = await store.transact((tx) => preparedMessages.findEarlier(tx, key));
		expect(earlier).toBeUndefined();
	},
	expire,
	decompose: async (_bench, process) => {
		const { recipients } = (await onlyIntent(process)).record;
		await process.store.transact(async (tx) => {
			const id = recipients[0]?.relationshipId ?? '';
			const entry = await tx.relationships.get(id);
			if (entry !== undefined) await messageHoldings(own).relationshipDecomposed(tx, entry.record);
		});
	},
};

const refusal = new GatewayError({ ...refused, kind: 'invalid', message: 'no', facts: {} });

/** Tries transitions from states that the table does not name. */
export const attempts = {
	renewClaim: async ({ sendClaims }: SendingProcess, record: SendIntentRecord) => {
		const old = { ...record, triedAt: '2029-01-01T00:00:00.000Z' };
		const renewing = sendClaims.renew({ record: old, secrets: { messageKey: '' } });
		await expect(renewing).rejects.toMatchObject(outcomeUnknown);
	},
	claim: async ({ sendClaims }: SendingProcess, record: SendIntentRecord) => {
		expect(await sendClaims.claim(record, 'claim')).toBeUndefined();
	},
	claimRequested: async ({ sendClaims }: SendingProcess, record: SendIntentRecord) => {
		expect(await sendClaims.claim(record, 'claimRequested')).toBeUndefined();
	},
	request: async ({ store, sendIntents }: SendingProcess, { id }: SendIntentRecord) => {
		await store.transact((tx) => sendIntents.request(tx, id));
	},
	withdraw: async ({ store, sendIntents }: SendingProcess, { id }: SendIntentRecord) => {
		await store.transact((tx) => sendIntents.withdraw(tx, id));
	},
	forget: async ({ store, sendIntents }: SendingProcess, { id }: SendIntentRecord) => {
		await store.transact((tx) => sendIntents.forget(tx, id));
	},
	giveUp: async ({ sendIntents }: SendingProcess, record: SendIntentRecord) => {
		await sendIntents.giveUp(record);
	},
} satisfies Partial<
	Record<SendTransitionName, (process: SendingProcess, record: SendIntentRecord) => Promise<void>>
>;

/** The Backbone refuses a message whose send is not open any more. */
export const refuseLate = async (
	{ sendIntents }: SendingProcess,
	record: SendIntentRecord,
): Promise<string> => await sendIntents.refuse(record, refusal);
