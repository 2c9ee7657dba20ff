import type { ProblemDto } from '../../../core';

/** Label of a problem in a list, without the ids of workflows and nodes. */
export function problemLabel({ kind, subject, since, message, consumer }: ProblemDto): string {
	const when = since.slice(0, 16).replace('T', ' ');
	if (kind === 'sending') return `${subject} of ${when}: may not have been sent`;
	if (kind === 'receivedEvent') return `${subject} of ${when}: ${message}`;
	if (kind === 'unfinishedChange') return `${subject} of ${when}, not finished: ${message}`;
	if (kind === 'wait') return `Execution that waits since ${when}: ${message}`;
	const isTrigger = consumer?.startsWith('n8n:') === true;
	return `${subject} of ${when}, not taken by ${isTrigger ? 'a trigger' : consumer}: ${message}`;
}
