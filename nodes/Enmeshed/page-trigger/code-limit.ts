const minuteMs = 60_000;

/**
 * Limits how many codes each node makes within a minute in this process. A restart of n8n begins
 * anew.
 */
export class CodeLimit {
	/** times of the codes of the last minute, by node */
	private readonly made = new Map<string, number[]>();

	/** True if a node may make another code now. */
	hasRoom(node: string, perMinute: number, nowMs: number): boolean {
		return this.recent(node, nowMs).length < perMinute;
	}

	/** Counts a code; false if there is no room for it. */
	take(node: string, perMinute: number, nowMs: number): boolean {
		const recent = this.recent(node, nowMs);
		if (recent.length >= perMinute) return false;
		recent.push(nowMs);
		this.made.set(node, recent);
		return true;
	}

	private recent(node: string, nowMs: number): number[] {
		const recent = (this.made.get(node) ?? []).filter((time) => time > nowMs - minuteMs);
		if (recent.length === 0) this.made.delete(node);
		else this.made.set(node, recent);
		return recent;
	}
}
