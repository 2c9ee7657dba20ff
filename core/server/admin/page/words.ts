import type { RelationshipStatus } from '../../../model/record/relationship';
import type { ProblemKind } from '../../../model/record/problem';
import type { HostedState } from '../../accounts/account-view';

interface ProblemWords {
	/** name of the kind, for filters */
	readonly name: string;
	readonly title: string;
	/** what helps */
	readonly advice: string;
	readonly discard: string;
}

/** What the kinds of problems mean for a person, what helps, and what discarding does. */
export const problemWords: Readonly<Record<ProblemKind, ProblemWords>> = {
	receivedEvent: {
		name: 'Not received',
		title: 'News from the Backbone could not be processed',
		advice:
			'Try again when the cause is removed: nothing is done twice. If it keeps failing, tell the operator of the Backbone the code.',
		discard: 'It is dropped for good. What it announced, such as a message, does not arrive here.',
	},
	delivery: {
		name: 'Not delivered',
		title: 'A program did not accept an event',
		advice:
			'Look whether the program runs and what its log says. Then the event can be sent again.',
		discard: 'The program never gets this event.',
	},
	sending: {
		name: 'Perhaps not sent',
		title: 'It is not known whether a message was sent',
		advice:
			'Try again: the gateway looks for the message, and sends it if it is missing. It is never sent twice.',
		discard: 'It is no longer sent. If it was sent already, the gateway finds out within minutes.',
	},
	unfinishedChange: {
		name: 'Not finished',
		title: 'A change is not finished',
		advice: 'Try again when the Backbone can be reached and gives usable answers.',
		discard: 'The change is no longer tried. What the Backbone has done of it stays.',
	},
	wait: {
		name: 'Not continued',
		title: 'A workflow does not go on, although the answer has arrived',
		advice: 'Look whether n8n runs and can be reached. Then it can be asked again.',
		discard: 'n8n is no longer asked. The workflow waits until its own time limit.',
	},
};

export const stateWords: Readonly<Record<HostedState, string>> = {
	starting: 'Starting',
	running: 'Running',
	failed: 'Cannot be opened',
	paused: 'Paused',
	deleting: 'Is being deleted',
};

const statusWords: Readonly<Record<string, string>> = {
	Pending: 'Waits to be accepted',
	Active: 'Connected',
	Rejected: 'Declined',
	Revoked: 'Withdrawn',
	Terminated: 'Ended',
	DeletionProposed: 'Ended and removed by the person',
} satisfies Partial<Record<RelationshipStatus, string>>;

/** States by which people are selected. */
export const statuses = Object.keys(statusWords);

export const statusText = (status: string): string => statusWords[status] ?? status;

/** Name of a receiver of events in words, and what it is. */
export function consumerText(name: string): string {
	const [, kind = '', own = ''] = /^([\w-]+):(.*)$/s.exec(name) ?? [];
	const kinds: Readonly<Record<string, string>> = {
		'registered-webhook': 'Webhook',
		webhook: 'Webhook of the configuration,',
		broker: 'Message broker',
		poll: 'Program that asks for events,',
	};
	return kinds[kind] === undefined ? name : `${kinds[kind]} ${own}`;
}

/** Day and time in the words of the browser's language. */
export function momentText(at: string): string {
	return new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}

const units = [
	['day', 86_400],
	['hour', 3_600],
	['minute', 60],
] as const;

/** How long ago something was, roughly. */
export function agoText(at: string): string {
	const seconds = (Date.parse(at) - Date.now()) / 1_000;
	const words = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
	const found = units.find(([, length]) => Math.abs(seconds) >= length);
	return found === undefined ? 'just now' : words.format(Math.round(seconds / found[1]), found[0]);
}

export const countText = (count: number, noun: string): string =>
	`${count} ${noun}${count === 1 ? '' : 's'}`;

/** Value that a person has shared, as text. */
export function valueText(value: unknown): string {
	if (typeof value !== 'object' || value === null) return String(value);
	return Object.entries(value)
		.filter(([name]) => name !== '@type')
		.map(([name, part]) => (Array.isArray(value) ? '' : `${name}: `) + valueText(part))
		.join(', ');
}
