import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

const all = {
	Completed: 'The answer has reached the side that asked',
	Decided: 'Was accepted or rejected; the answer is on its way',
	DecisionRequired: 'Arrived, and waits for rules or for a person to decide',
	Draft: 'Was not sent',
	Expired: 'Cannot be answered any more',
	ManualDecisionRequired: 'Waits for a person or a workflow to decide',
	Open: 'Was sent and waits for an answer',
} as const;

type Status = keyof typeof all;

/** States of requests to peers. */
export const outgoingStatuses: readonly Status[] = ['Completed', 'Draft', 'Expired', 'Open'];

/** States of requests from peers. */
export const incomingStatuses: readonly Status[] = [
	'Completed',
	'Decided',
	'DecisionRequired',
	'Expired',
	'ManualDecisionRequired',
	'Open',
];

/** Field for selecting among these states; default: all of them. */
export function requestStatuses(statuses?: readonly string[]): INodeProperties {
	const offered = Object.entries(all).filter(([value]) => statuses?.includes(value) ?? true);
	return {
		displayName: 'Request Status',
		name: 'requestStatuses',
		type: 'multiOptions',
		options: offered.map(([value, description]): INodePropertyOptions => {
			const name = value.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
			return { name, value, description };
		}),
		default: [],
	};
}
