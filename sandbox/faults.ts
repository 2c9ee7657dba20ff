/** Effect of a matching rule on a call, instead of or after its normal handling. */
export type FaultAction =
	| { readonly kind: 'delay'; readonly durationMs: number }
	| {
			readonly kind: 'status';
			readonly status: number;
			readonly body?: unknown;
			readonly headers?: Record<string, string>;
	  }
	/** does everything, but a proxy in front of the Backbone answers with this status */
	| { readonly kind: 'statusAfter'; readonly status: number }
	/** closes the connection before anything is done */
	| { readonly kind: 'cutBefore' }
	/** does everything, but closes the connection before the answer */
	| { readonly kind: 'cutAfter' }
	| { readonly kind: 'malformedBody' }
	/** sends half of the announced body, then closes the connection */
	| { readonly kind: 'truncatedBody' }
	/** answers with the given number of items */
	| { readonly kind: 'oversizedPage'; readonly items: number }
	/** replaces the body of a success by the function's result for `{result, pagination}` */
	| { readonly kind: 'rewritten'; readonly rewrite: (body: never) => unknown };

export interface FaultRule {
	readonly method?: string;
	/** matched against the path with the query */
	readonly path: RegExp;
	/** affects only the nth matching call, from 1; default: every matching call */
	readonly nth?: number;
	/** number of calls after which the rule is removed; default 1, `Infinity` for a lasting fault */
	readonly times?: number;
	readonly action: FaultAction;
}

interface ActiveRule {
	readonly rule: FaultRule;
	seen: number;
	left: number;
}

/** Faults on request of a test, which expose clients to the behaviour of real networks. */
export class Faults {
	/** number of disturbed calls so far */
	taken = 0;

	private rules: ActiveRule[] = [];

	private readonly hooks = new Set<(method: string, path: string) => void>();

	/** Adds a rule and returns a function that removes it. */
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

	/** Resolves when the next matching call arrives. */
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

	/** Returns the effect on a call, for the server. */
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
