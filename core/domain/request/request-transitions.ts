import type { RequestRecord, RequestStatus } from '../../model/record/request';
import { requestErrors } from './request-errors';

export type RequestAction =
	| 'discard'
	| 'send'
	| 'checkPrerequisites'
	| 'requireManualDecision'
	| 'decide'
	| 'complete'
	| 'expire';

interface Transition {
	readonly isOwn: boolean;
	readonly action: RequestAction;
	readonly from: readonly RequestStatus[];
	/** new status; absent when the record is deleted */
	readonly to?: RequestStatus;
}

/** Transitions of docs/protocol/consumption.md 3.2; deleting has a separate code (5.8). */
export const requestTransitions: readonly Transition[] = [
	{ isOwn: true, action: 'discard', from: ['Draft'] },
	{ isOwn: true, action: 'send', from: ['Draft'], to: 'Open' },
	{ isOwn: true, action: 'complete', from: ['Open', 'Expired'], to: 'Completed' },
	{ isOwn: true, action: 'expire', from: ['Draft', 'Open'], to: 'Expired' },
	{ isOwn: false, action: 'checkPrerequisites', from: ['Open'], to: 'DecisionRequired' },
	{
		isOwn: false,
		action: 'requireManualDecision',
		from: ['DecisionRequired'],
		to: 'ManualDecisionRequired',
	},
	{
		isOwn: false,
		action: 'decide',
		from: ['DecisionRequired', 'ManualDecisionRequired'],
		to: 'Decided',
	},
	{ isOwn: false, action: 'complete', from: ['Decided'], to: 'Completed' },
	{
		isOwn: false,
		action: 'expire',
		from: ['Open', 'DecisionRequired', 'ManualDecisionRequired', 'Decided'],
		to: 'Expired',
	},
];

/** @throws `error.runtime.unknown` when the action does not fit the status */
export function transitionOf(
	{ id, isOwn, status }: Pick<RequestRecord, 'id' | 'isOwn' | 'status'>,
	action: RequestAction,
): Transition {
	const row = requestTransitions.find((one) => one.isOwn === isOwn && one.action === action);
	if (row === undefined) throw new TypeError(`There is no action '${action}'`);
	if (row.from.includes(status)) return row;
	throw requestErrors.create('wrongStatus', {
		message: `The request '${id}' is '${status}'; it must be '${row.from.join("' or '")}'.`,
		facts: { requestId: id, status },
	});
}
