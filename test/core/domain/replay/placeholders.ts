import { instantSchema } from '../../../../core/model/instant';

/**
 * What the placeholders of a recorded scene stand for here: `<A>` for an address, `<ATT1>` for an id,
 * `<now>` for any time. A placeholder that is met for the first time takes the value that stands in its place.
 */
export class Placeholders {
	private readonly values = new Map<string, string>();

	/** What `<soon>` stands for */
	soon = (): string => new Date(Date.now() + 3_600_000).toISOString();

	bind(name: string, value: string): void {
		this.values.set(name, value);
	}

	valueOf(name: string): string {
		const value = this.values.get(name);
		if (value === undefined) throw new Error(`Nothing stands for <${name}> yet`);
		return value;
	}

	/** The recorded input with our values. */
	fill(recorded: unknown): unknown {
		const text = JSON.stringify(recorded).replace(/<([A-Za-z]+\d*)>/g, (_all, name: string) =>
			name === 'soon' ? this.soon() : this.valueOf(name),
		);
		return JSON.parse(text) as unknown;
	}

	/** Expects ours to be what was recorded; the placeholders stand for what is found in their places. */
	match(recorded: unknown, ours: unknown): void {
		expect(ours).toEqual(this.expected(recorded, ours));
	}

	private expected(recorded: unknown, ours: unknown): unknown {
		if (typeof recorded === 'string') return this.expectedText(recorded, ours);
		if (Array.isArray(recorded)) {
			return recorded.map((entry, index) =>
				this.expected(entry, Array.isArray(ours) ? ours[index] : undefined),
			);
		}
		if (typeof recorded !== 'object' || recorded === null) return recorded;
		return Object.fromEntries(
			Object.entries(recorded).map(([name, member]) => [
				name,
				this.expected(member, (ours as Record<string, unknown> | null | undefined)?.[name]),
			]),
		);
	}

	private expectedText(recorded: string, ours: unknown): unknown {
		const [, name] = /^<([A-Za-z]+\d*)>$/.exec(recorded) ?? [];
		if (name === undefined) return recorded;
		if (name === 'now' || name === 'soon') {
			return instantSchema.safeParse(ours).success ? ours : recorded;
		}
		const known = this.values.get(name);
		if (known !== undefined) return known;
		const prefix = name.replace(/\d+$/, '');
		if (typeof ours !== 'string' || !ours.startsWith(prefix)) return recorded;
		this.bind(name, ours);
		return ours;
	}
}
