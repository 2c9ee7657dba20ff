import type { DeliveredEvent } from './worker';

export interface LedgerSend {
	readonly subject: string;
	readonly to: string;
	/** of the message, as each confirmed call named it; none while no call was confirmed */
	readonly ids: string[];
}

/** What the owner of one account was told: by answers to calls, and by delivered events. */
export class Ledger {
	readonly sends = new Map<string, LedgerSend>();

	/** messages whose marking as read was confirmed */
	readonly read = new Set<string>();

	/** by id, with their content */
	readonly files = new Map<string, string>();

	readonly templates = new Set<string>();

	/** requests to a peer whose sending was confirmed */
	readonly asked = new Set<string>();

	/** confirmed decisions by request, as its response names them */
	readonly decisions = new Map<string, 'Accepted' | 'Rejected'>();

	/** sequence numbers by consumer, in the order of their first delivery */
	readonly deliveries = new Map<string, Set<number>>();

	/** what no call and no process may do, such as an unexpected refusal */
	readonly complaints: string[] = [];

	/** received messages, as events told */
	readonly received: string[] = [];

	/** requests of peers that wait for a decision, as events told */
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
