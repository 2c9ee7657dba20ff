import type { DeliveredEvent } from './worker';

export interface LedgerSend {
	readonly subject: string;
	readonly to: string;
	/** ids of the message from each confirmed call; empty before the first confirmation */
	readonly ids: string[];
}

/** Record of everything that an account's owner learned from answers and delivered events. */
export class Ledger {
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

	addSend(subject: string, to: string): LedgerSend {
		const send = { subject, to, ids: [] };
		this.sends.set(subject, send);
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
