import type { SendIntentRecord, SendIntentSecrets } from '../../../model/record/message';
import type { WorkRecord } from '../../../model/record/work';
import type { Entry, ReadTransaction } from '../../../store/store';
import { workOf } from '../../unfinished/ledger';
import { matching } from '../../query/conditions';

export type SendIntent = Entry<SendIntentRecord, SendIntentSecrets>;

export type SendState = 'absent' | 'pending' | 'requested' | 'required' | 'sent' | 'failed';

/** States in which the Backbone may or may not have the message. */
export type OpenSendState = 'pending' | 'requested' | 'required';

export type FinishedSendState = 'sent' | 'failed';

interface SendStateDescription {
	readonly meaning: string;
	/** points at which a process can end without losing or doubling the message */
	readonly survives: string;
	/** true when syncs send the message if the Backbone does not have it */
	readonly isSentBySyncs: boolean;
}

/** Meaning of each state of a send, and the crashes that it survives (docs/adr/0006). */
export const sendStates = {
	absent: {
		meaning: 'There is no row.',
		survives: 'A crash before the first commit: nothing was sent, reserved counters are skipped.',
		isSentBySyncs: false,
	},
	pending: {
		meaning: 'A caller wants the message sent; the Backbone may have it.',
		survives:
			'A crash before, during and after the call: the search at the Backbone tells which of them it was. Without a trace until two minutes after the call, the message was not sent.',
		isSentBySyncs: false,
	},
	requested: {
		meaning: 'A person wants a pending message sent if the Backbone does not have it.',
		survives: 'The same, and a crash between the wish and the sync that carries it out.',
		isSentBySyncs: true,
	},
	required: {
		meaning: 'The message belongs to a change that is committed with it.',
		survives: 'The same, and a crash between the change and the call: syncs send the message.',
		isSentBySyncs: true,
	},
	sent: {
		meaning: 'The message is stored; the row is kept for its idempotency key.',
		survives: 'A crash before the caller has the answer: its repetition gets the same message.',
		isSentBySyncs: false,
	},
	failed: {
		meaning: 'The message was not sent; the row is kept with the reason.',
		survives: 'A crash before the caller has the answer: its repetition prepares the message anew.',
		isSentBySyncs: false,
	},
} as const satisfies Record<SendState, SendStateDescription>;

/** Derives the state of a send from its row. */
export function sendStateOf(record: SendIntentRecord | undefined): SendState {
	if (record === undefined) return 'absent';
	if (record.state !== 'prepared') return record.state;
	if (record.mustArrive === true) return 'required';
	return record.again === true ? 'requested' : 'pending';
}

/** Stored fields of an open state. */
export function fieldsOf(
	state: OpenSendState,
): Pick<SendIntentRecord, 'state' | 'again' | 'mustArrive'> {
	return {
		state: 'prepared',
		...(state === 'requested' ? { again: true } : {}),
		...(state === 'required' ? { mustArrive: true } : {}),
	};
}

/** Send in one of the open states, with its work in the ledger. */
export type OpenSend = SendIntent & { readonly work: WorkRecord };

/** Condition for rows in one of the open states. */
export const openSends = matching({ state: 'prepared' });

/** Open sends, in the order of their preparation. */
export async function openSendsWithWork(
	tx: Pick<ReadTransaction, 'sendIntents' | 'work'>,
): Promise<OpenSend[]> {
	const work = new Map((await workOf(tx, ['sendMessage'])).map((row) => [row.id, row]));
	if (work.size === 0) return [];
	const entries = await tx.sendIntents.list({ where: openSends });
	return entries.flatMap(({ record, secrets }) => {
		const row = work.get(record.id);
		return row === undefined ? [] : { record, secrets, work: row };
	});
}

/** Time when the newest call began, by the store's clock. */
export function claimedAt({ triedAt, createdAt }: SendIntentRecord): string {
	return triedAt ?? createdAt;
}

/** True when no other call has begun between the two reads of a send. */
export function isSameClaim(one: SendIntentRecord, other: SendIntentRecord): boolean {
	return claimedAt(one) === claimedAt(other) && one.caller === other.caller;
}
