import type { QueuedEvent } from './queued-task';

/** Selects events to lose; an absent member matches all. */
export interface DropRule {
	/** address of the event's recipient */
	readonly owner?: string;
	/** event type as in docs/protocol/backbone-api.md 12.2 */
	readonly type?: string;
	/** share of matching events, from 0 to 1, drawn from the seed; default 1 */
	readonly share?: number;
}

export type DroppedEvent = Pick<QueuedEvent, 'owner' | 'type' | 'payload'>;

/** Simulates events lost by a broken message broker. */
export class DropRules {
	readonly dropped: DroppedEvent[] = [];

	private rules: readonly DropRule[] = [];

	add(rule: DropRule): void {
		this.rules = [...this.rules, rule];
	}

	clear(): void {
		this.rules = [];
	}

	/** @param draw random number from 0 to 1 */
	take({ owner, type, payload }: QueuedEvent, draw: number): boolean {
		const isLost = this.rules.some(
			(rule) =>
				(rule.owner ?? owner) === owner && (rule.type ?? type) === type && draw < (rule.share ?? 1),
		);
		if (isLost) this.dropped.push({ owner, type, payload });
		return isLost;
	}
}
