import type { QueuedEvent } from './queued-task';

/** Which events get lost; without a member it fits all. */
export interface DropRule {
	/** address of who would have been told */
	readonly owner?: string;
	/** as in docs/protocol/backbone-api.md 12.2 */
	readonly type?: string;
	/** from 0 to 1: how many of those that fit, drawn from the seed; default 1 */
	readonly share?: number;
}

export type DroppedEvent = Pick<QueuedEvent, 'owner' | 'type' | 'payload'>;

/** Events that a broken message broker has lost. */
export class DropRules {
	readonly dropped: DroppedEvent[] = [];

	private rules: readonly DropRule[] = [];

	add(rule: DropRule): void {
		this.rules = [...this.rules, rule];
	}

	clear(): void {
		this.rules = [];
	}

	/** @param draw from 0 to 1 */
	take({ owner, type, payload }: QueuedEvent, draw: number): boolean {
		const isLost = this.rules.some(
			(rule) =>
				(rule.owner ?? owner) === owner && (rule.type ?? type) === type && draw < (rule.share ?? 1),
		);
		if (isLost) this.dropped.push({ owner, type, payload });
		return isLost;
	}
}
