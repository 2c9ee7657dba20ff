/** What happens to a call that a rule fits, instead of or after its normal handling. */
export type FaultAction =
	| { readonly kind: 'delay'; readonly durationMs: number }
	| {
			readonly kind: 'status';
			readonly status: number;
			readonly body?: unknown;
			readonly headers?: Record<string, string>;
	  }
	/** the connection is cut before anything was done */
	| { readonly kind: 'cutBefore' }
	/** everything was done, but the answer is lost */
	| { readonly kind: 'cutAfter' }
	| { readonly kind: 'malformedBody' }
	/** half of the announced body, then the connection ends */
	| { readonly kind: 'truncatedBody' }
	/** a result of so many items */
	| { readonly kind: 'oversizedPage'; readonly items: number }
	/** the body of a success, as the function makes it of `{result, pagination}` */
	| { readonly kind: 'rewritten'; readonly rewrite: (body: never) => unknown };

export interface FaultRule {
	readonly method?: string;
	/** matched against the path with the query */
	readonly path: RegExp;
	/** only the nth call that fits, from 1; default every one */
	readonly nth?: number;
	/** how often the rule works before it is gone; default 1 */
	readonly times?: number;
	readonly action: FaultAction;
}

interface ActiveRule {
	readonly rule: FaultRule;
	seen: number;
	left: number;
}

/** Faults that tests order, so that clients meet what real networks do. */
export class Faults {
	/** how many calls were disturbed so far */
	taken = 0;

	private rules: ActiveRule[] = [];

	private readonly hooks = new Set<(method: string, path: string) => void>();

	/** Returns a function that takes the rule back. */
	add(rule: FaultRule): () => void {
		const active = { rule, seen: 0, left: rule.times ?? 1 };
		this.rules.push(active);
		return () => {
			this.rules = this.rules.filter((other) => other !== active);
		};
	}

	clear(): void {
		this.rules = [];
	}

	/** Resolves when the next call that fits arrives. */
	onNext(method: string, path: RegExp): Promise<void> {
		return new Promise((resolve) => {
			const hook = (foundMethod: string, foundPath: string): void => {
				if (foundMethod !== method || !path.test(foundPath)) return;
				this.hooks.delete(hook);
				resolve();
			};
			this.hooks.add(hook);
		});
	}

	/** For the server: what is to be done with this call. */
	take(method: string, path: string): FaultAction | undefined {
		for (const hook of this.hooks) hook(method, path);
		for (const active of this.rules) {
			const { rule } = active;
			if (rule.method !== undefined && rule.method !== method) continue;
			if (!rule.path.test(path)) continue;
			active.seen++;
			if (rule.nth !== undefined && active.seen !== rule.nth) continue;
			if (--active.left <= 0) this.rules = this.rules.filter((other) => other !== active);
			this.taken++;
			return rule.action;
		}
		return undefined;
	}
}
