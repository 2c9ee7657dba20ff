import type { ErrorCode, ErrorFacts, FactsOf } from './error-codes';

/**
 * The single error class of the gateway and the builder of its catalogues.
 *
 * Callers branch on `code`, whose exact text is part of the public interface; edges translate
 * `kind` (an HTTP status, an n8n error class). `message` says what was expected and what was found,
 * `remedy` what to do next. Facts are small and safe to log; response bodies are reachable through
 * `cause` only, and key material through neither.
 */
export type ErrorKind =
	'invalid' | 'notFound' | 'conflict' | 'forbidden' | 'unavailable' | 'internal';

/** What an error is made of. */
export interface GatewayErrorInit<Code extends ErrorCode = ErrorCode> {
	/** code from the catalogue */
	readonly code: Code;
	/** class of the error */
	readonly kind: ErrorKind;
	/** what was expected, and what was found */
	readonly message: string;
	/** what to do next */
	readonly remedy?: string | undefined;
	/** small values that are safe to log */
	readonly facts?: FactsOf<Code> | undefined;
	/** error or answer of another party */
	readonly cause?: unknown;
}

/** Error that this package throws; callers branch on its `code`. */
export class GatewayError extends Error {
	/** exact text on which callers may rely; docs/errors.md lists all */
	readonly code: ErrorCode;

	/** class of the error, from which a program derives for example a status of HTTP */
	readonly kind: ErrorKind;

	/** what to do next; absent if there is no advice */
	readonly remedy: string | undefined;

	/** names by code: {@link isGatewayError} with a code narrows them */
	readonly facts: ErrorFacts;

	constructor(init: GatewayErrorInit) {
		super(init.message, init.cause === undefined ? undefined : { cause: init.cause });
		this.name = 'GatewayError';
		this.code = init.code;
		this.kind = init.kind;
		this.remedy = init.remedy;
		this.facts = init.facts ?? {};
	}

	/**
	 * Members that may be logged or shown. The cause is omitted, because its content comes from
	 * another party.
	 */
	toJSON(): Record<string, unknown> {
		return {
			code: this.code,
			kind: this.kind,
			message: this.message,
			...(this.remedy === undefined ? {} : { remedy: this.remedy }),
			...(Object.keys(this.facts).length === 0 ? {} : { facts: this.facts }),
		};
	}
}

/** A {@link GatewayError} of one code, with the facts of that code. */
export type GatewayErrorOf<Code extends ErrorCode> = Code extends ErrorCode
	? GatewayError & {
			/** the code */
			readonly code: Code;
			/** facts of the code */
			readonly facts: FactsOf<Code>;
		}
	: never;

/** One row of a catalogue: the public code, its kind, and the default advice to the user. */
export interface ErrorDefinition<Code extends ErrorCode = ErrorCode> {
	readonly code: Code;
	readonly kind: ErrorKind;
	/**
	 * text for docs/errors.md: what happened, and the likely cause where the remedy does not name it
	 */
	readonly meaning: string;
	readonly remedy: string;
}

export interface ErrorDetails<Code extends ErrorCode = ErrorCode> {
	readonly message: string;
	readonly facts?: FactsOf<Code>;
	readonly cause?: unknown;
	/** Replaces the default advice where the situation allows better advice. */
	readonly remedy?: string;
}

type Definitions<Codes extends Readonly<Record<string, ErrorCode>>> = {
	readonly [Name in keyof Codes]: ErrorDefinition<Codes[Name]>;
};

type CreateError<Codes extends Readonly<Record<string, ErrorCode>>> = <
	Name extends keyof Codes & string,
>(
	name: Name,
	details: ErrorDetails<Codes[Name]>,
) => GatewayError;

export type ErrorCatalogue<Codes extends Readonly<Record<string, ErrorCode>>> =
	Definitions<Codes> & { readonly create: CreateError<Codes> };

/**
 * Builds the catalogue of one noun: `const messageErrors = defineErrors({ notFound: {...} })`, then
 * `throw messageErrors.create('notFound', { message })`. `docs/errors.md` lists every entry; a test
 * compares the two.
 */
export function defineErrors<const Codes extends Readonly<Record<string, ErrorCode>>>(
	definitions: Definitions<Codes>,
): ErrorCatalogue<Codes> {
	const create: CreateError<Codes> = (name, { message, remedy, facts, cause }) => {
		const { code, kind, remedy: usual } = definitions[name];
		return new GatewayError({ code, kind, message, remedy: remedy ?? usual, facts, cause });
	};
	return { ...definitions, create };
}

/**
 * Tells whether a thrown value is a {@link GatewayError}; with a code, whether it is one with this
 * code, and so has its facts.
 */
export function isGatewayError(value: unknown): value is GatewayError;
export function isGatewayError<Code extends ErrorCode>(
	value: unknown,
	code: Code,
): value is GatewayErrorOf<Code>;
export function isGatewayError(value: unknown, code?: ErrorCode): boolean {
	// A check by shape instead of class: n8n reloads the modules of this package while objects of the
	// old modules are still in use.
	return (
		value instanceof Error &&
		value.name === 'GatewayError' &&
		'code' in value &&
		(code === undefined ? typeof value.code === 'string' : value.code === code)
	);
}

/** Code of a thrown value; undefined unless it is a {@link GatewayError}. */
export function codeOf(value: unknown): ErrorCode | undefined {
	return isGatewayError(value) ? value.code : undefined;
}
