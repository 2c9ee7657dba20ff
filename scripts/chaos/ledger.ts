import type { MessageContentInput } from '../../core';
import type { DeliveredEvent } from './worker';

export interface SendInput {
	readonly recipients: readonly string[];
	readonly content: Extract<MessageContentInput, { '@type': 'Mail' }>;
	readonly attachments?: readonly string[];
}

export interface LedgerSend {
	readonly input: SendInput;
	readonly idempotencyKey: string;
	/** ids of the message from each confirmed call; empty before the first confirmation */
	readonly ids: string[];
}

/** Record of everything that an account's owner learned from answers and delivered events. */
export class Ledger {
	/** mails that must be there once each, by names; equal mails of a workflow have several names */
	readonly sends = new Map<string, LedgerSend>();

	/** ids of messages whose marking as read was confirmed */
	readonly read = new Set<string>();

	/** contents by id */
	readonly files = new Map<string, string>();

	readonly templates = new Set<string>();

	/** ids of requests whose sending to a peer was confirmed */
	readonly asked = new Set<string>();

	/** confirmed decisions by request, in the words of the response */
	readonly decisions = new Map<string, 'Accepted' | 'Rejected'>();

	/** sequence numbers by consumer, in the order of their first delivery */
	readonly deliveries = new Map<string, Set<number>>();

	/** errors that no call or process may cause, such as an unexpected refusal */
	readonly complaints: string[] = [];

	/** ids of received messages, from events */
	readonly received: string[] = [];

	/** ids of peers' requests that wait for a decision, from events */
	readonly waiting = new Set<string>();

	/** Returns the send that has the name already, if there is one. */
	addSend(name: string, input: SendInput, idempotencyKey: string): LedgerSend {
		const send = this.sends.get(name) ?? { input, idempotencyKey, ids: [] };
		this.sends.set(name, send);
		return send;
	}

	addDelivery(consumer: string, events: readonly DeliveredEvent[]): void {
		const known = this.deliveries.get(consumer) ?? new Set<number>();
		this.deliveries.set(consumer, known);
		for (const { sequence, name, id, newStatus } of events) {
			const isFirst = [...this.deliveries.values()].every((numbers) => !numbers.has(sequence));
			known.add(sequence);
			if (!isFirst) continue;
			if (name === 'transport.messageReceived') this.received.push(id);
			if (newStatus === 'ManualDecisionRequired') this.waiting.add(id);
			else this.waiting.delete(id);
		}
	}
}
