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

export type ErrorFacts = Readonly<Record<string, string | number | boolean | readonly string[]>>;

export interface GatewayErrorInit {
	readonly code: string;
	readonly kind: ErrorKind;
	readonly message: string;
	readonly remedy?: string | undefined;
	readonly facts?: ErrorFacts | undefined;
	readonly cause?: unknown;
}

export class GatewayError extends Error {
	readonly code: string;

	readonly kind: ErrorKind;

	readonly remedy: string | undefined;

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

/** One row of a catalogue: the public code, its kind, and the default advice to the user. */
export interface ErrorDefinition {
	readonly code: string;
	readonly kind: ErrorKind;
	/**
	 * text for docs/errors.md, written once for each code: what happened, and the likely cause where
	 * the remedy does not name it
	 */
	readonly meaning?: string;
	readonly remedy: string;
}

export interface ErrorDetails {
	readonly message: string;
	readonly facts?: ErrorFacts;
	readonly cause?: unknown;
	/** Replaces the default advice where the situation allows better advice. */
	readonly remedy?: string;
}

export type ErrorCatalogue<Name extends string> = Readonly<Record<Name, ErrorDefinition>> & {
	readonly create: (name: Name, details: ErrorDetails) => GatewayError;
};

/**
 * Builds the catalogue of one noun: `const messageErrors = defineErrors({ notFound: {...} })`, then
 * `throw messageErrors.create('notFound', { message })`. `docs/errors.md` lists every entry; a test
 * compares the two.
 */
export function defineErrors<const Definitions extends Record<string, ErrorDefinition>>(
	definitions: Definitions,
): ErrorCatalogue<Extract<keyof Definitions, string>> {
	const create = (name: string, details: ErrorDetails): GatewayError => {
		const definition = definitions[name];
		if (definition === undefined) throw new TypeError(`No error named '${name}' in the catalogue`);
		return new GatewayError({
			code: definition.code,
			kind: definition.kind,
			message: details.message,
			remedy: details.remedy ?? definition.remedy,
			facts: details.facts,
			cause: details.cause,
		});
	};
	return { ...definitions, create } as unknown as ErrorCatalogue<
		Extract<keyof Definitions, string>
	>;
}

export function isGatewayError(value: unknown): value is GatewayError {
	// A check by shape instead of class: n8n reloads the modules of this package while objects of the
	// old modules are still in use.
	return (
		value instanceof Error &&
		value.name === 'GatewayError' &&
		typeof (value as { code?: unknown }).code === 'string'
	);
}

/** Code of a thrown value; undefined unless it is a {@link GatewayError}. */
export function codeOf(value: unknown): string | undefined {
	return isGatewayError(value) ? value.code : undefined;
}
