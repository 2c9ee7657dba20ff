import type { RequestRecord } from '../../model/record/request';
import type { ReadTransaction, WriteTransaction } from '../../store/store';

type Reader = Pick<ReadTransaction, 'requests'>;
type Writer = Pick<WriteTransaction, 'requests'>;

/** Decided request whose response was finally refused, so that the peer does not have it. */
export type RefusedAnswer = RequestRecord & {
	readonly deliveryFailure: NonNullable<RequestRecord['deliveryFailure']>;
};

export async function refusedAnswers(tx: Reader): Promise<RefusedAnswer[]> {
	const found = await tx.requests.list({ where: [{ field: 'deliveryFailure', op: 'exists' }] });
	return found.map(({ record }) => record).filter(isRefused);
}

export async function refusedAnswer(tx: Reader, id: string): Promise<RefusedAnswer | undefined> {
	const record = (await tx.requests.get(id))?.record;
	return record !== undefined && isRefused(record) ? record : undefined;
}

/** Makes the next sync deliver the response to the peer. */
export async function answerAgain(tx: Writer, record: RefusedAnswer): Promise<void> {
	await tx.requests.update({ ...withoutFailure(record), pending: 'delivery' });
}

/** Keeps the decision, without any notice to the peer. */
export async function giveAnswerUp(tx: Writer, record: RefusedAnswer): Promise<void> {
	await tx.requests.update(withoutFailure(record));
}

function isRefused(record: RequestRecord): record is RefusedAnswer {
	return record.status === 'Decided' && record.deliveryFailure !== undefined;
}

function withoutFailure({ deliveryFailure: _failure, ...rest }: RequestRecord): RequestRecord {
	return rest;
}
