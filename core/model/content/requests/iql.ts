/** Parsed query for identity attributes (docs/protocol/content.md 8.5). */
export type IqlQuery =
	| { readonly kind: 'or' | 'and'; readonly of: readonly IqlQuery[] }
	| { readonly kind: 'not'; readonly of: IqlQuery }
	| { readonly kind: 'tag'; readonly tag: string }
	| {
			readonly kind: 'value';
			readonly type: string;
			/** path below `value`; empty for `value.value` */
			readonly path: readonly string[];
			readonly predicate?: IqlPredicate;
	  }
	| {
			readonly kind: 'field';
			readonly path: readonly string[];
			readonly predicate: IqlPredicate;
	  };

export type IqlPredicate =
	| { readonly operator: '=' | '<' | '>' | '~'; readonly literal: string }
	| { readonly operator: '?' };

/** Position at which parsing fails: both numbers count from 1, in UTF-16 code units. */
export interface IqlProblem {
	readonly line: number;
	readonly column: number;
}

export type IqlResult =
	| { readonly isValid: true; readonly query: IqlQuery }
	| { readonly isValid: false; readonly problem: IqlProblem };

/** limit in UTF-16 code units */
export const maxIqlLength = 4096;
/** Limit that protects the stack against a peer's text; real queries stay far below it. */
const maxNesting = 100;

/** Parses a query; text that exceeds the limits of length or nesting is a problem at its end. */
export function parseIql(text: string): IqlResult {
	const cut = text.slice(0, maxIqlLength + 1);
	const parser = new IqlParser(cut);
	const query = parser.read();
	const isValid = query !== undefined && text.length <= maxIqlLength;
	if (isValid) return { isValid, query };
	const before = cut.slice(0, parser.furthest).split('\n');
	return {
		isValid: false,
		problem: { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 },
	};
}

/** Recursive-descent parser without backtracking over the text. */
class IqlParser {
	/** index of the first character that no rule could consume */
	furthest = 0;
	private position = 0;
	private nesting = 0;

	constructor(private readonly text: string) {}

	read(): IqlQuery | undefined {
		const query = this.or();
		return query !== undefined && this.position === this.text.length ? query : undefined;
	}

	private or(): IqlQuery | undefined {
		return this.chain('or', '||', () => this.chain('and', '&&', () => this.not()));
	}

	private chain(
		kind: 'or' | 'and',
		operator: string,
		operand: () => IqlQuery | undefined,
	): IqlQuery | undefined {
		const first = operand();
		if (first === undefined) return undefined;
		const of = [first];
		for (;;) {
			const start = this.position;
			const next = this.spaces() && this.take(operator) && this.spaces() ? operand() : undefined;
			if (next === undefined) {
				this.position = start;
				return of.length === 1 ? first : { kind, of };
			}
			of.push(next);
		}
	}

	private not(): IqlQuery | undefined {
		if (!this.text.startsWith('!', this.position)) return this.atom();
		return this.nested(() => {
			this.take('!');
			const of = this.not();
			return of === undefined ? undefined : { kind: 'not', of };
		});
	}

	private atom(): IqlQuery | undefined {
		if (!this.text.startsWith('(', this.position)) return this.term();
		return this.nested(() => {
			this.take('(');
			const inner = this.spaces() ? this.or() : undefined;
			return inner !== undefined && this.spaces() && this.take(')') ? inner : undefined;
		});
	}

	private nested(read: () => IqlQuery | undefined): IqlQuery | undefined {
		if (this.nesting >= maxNesting) return this.stop();
		this.nesting += 1;
		const query = read();
		this.nesting -= 1;
		return query;
	}

	/** Parses a term; an incomplete term is a problem at its beginning. */
	private term(): IqlQuery | undefined {
		if (this.text.startsWith('#', this.position)) {
			this.take('#');
			return { kind: 'tag', tag: this.literal() };
		}
		const type = this.match(/[A-Z][A-Za-z0-9]*/y);
		if (type !== undefined) return this.valueTerm(type);
		const start = this.position;
		const name = this.match(/[a-z][A-Za-z0-9]+/y);
		if (name !== undefined) {
			const path = [name, ...this.path()];
			const predicate = this.predicate();
			if (predicate !== undefined) return { kind: 'field', path, predicate };
		}
		this.position = start;
		return this.stop();
	}

	private valueTerm(type: string): IqlQuery {
		const afterType = this.position;
		const path = this.path();
		const predicate = this.predicate();
		if (predicate !== undefined) return { kind: 'value', type, path, predicate };
		this.position = afterType;
		return { kind: 'value', type, path: [] };
	}

	private path(): string[] {
		const path: string[] = [];
		for (;;) {
			const step = this.match(/\.[a-z][A-Za-z0-9]+/y);
			if (step === undefined) return path;
			path.push(step.slice(1));
		}
	}

	private predicate(): IqlPredicate | undefined {
		const operator = this.match(/[=<>~?]/y);
		switch (operator) {
			case '?':
				return { operator };
			case '=':
			case '<':
			case '>':
			case '~':
				return { operator, literal: this.literal() };
			default:
				return undefined;
		}
	}

	/**
	 * Parses a quoted literal, or text up to the next space, quote or lone backslash; never fails.
	 */
	private literal(): string {
		const quoted = this.match(/'(?:[^'\\]|\\['\\])*'/y);
		const text = quoted?.slice(1, -1) ?? this.match(/(?:[^'\\ ]|\\['\\])*/y) ?? '';
		return text.replace(/\\(['\\])/g, '$1');
	}

	/** Consumes at least one space. */
	private spaces(): boolean {
		const found = this.match(/[ \t\n\r]+/y) !== undefined;
		this.stop();
		return found;
	}

	private take(token: string): boolean {
		const found = this.text.startsWith(token, this.position);
		if (found) this.position += token.length;
		this.stop();
		return found;
	}

	private match(pattern: RegExp): string | undefined {
		pattern.lastIndex = this.position;
		const [found] = pattern.exec(this.text) ?? [];
		if (found !== undefined) this.position += found.length;
		return found;
	}

	/** Records the furthest position and returns undefined as the result of a failed rule. */
	private stop(): undefined {
		this.furthest = Math.max(this.furthest, this.position);
	}
}
