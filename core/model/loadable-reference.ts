import type { Reference, ReferenceKind } from './reference';
import { isIntendedFor, parseReference } from './reference';
import { referenceErrors } from './reference-errors';

/**
 * Kinds of references that an operation accepts, checked in the order of the official gateway:
 * form, content, kind. Source: docs/protocol/crypto-and-identity.md 14.3
 */
interface LoadRule {
	readonly kinds: readonly ReferenceKind[];
	readonly wrongKind: 'wrongKind' | 'invalidField';
}

const loadRules = {
	template: { kinds: ['template', 'token'], wrongKind: 'wrongKind' },
	file: { kinds: ['file', 'token'], wrongKind: 'wrongKind' },
	token: { kinds: ['token'], wrongKind: 'invalidField' },
	/** accepts every kind of reference */
	item: { kinds: ['token', 'file', 'template'], wrongKind: 'wrongKind' },
} as const satisfies Record<string, LoadRule>;

/** Object that the operation loads, for templates and files directly or through a token. */
export type LoadTarget = keyof typeof loadRules;

/* Unanchored on purpose: references with a prefix for apps match as well. */
const patterns: Record<ReferenceKind, readonly RegExp[]> = {
	template: [/UkxU.{84}/, /^https?:\/\/.*\/r\/RLT[a-zA-Z0-9]+(\?app=.+)?#[a-zA-Z0-9-_]+$/],
	token: [/VE9L.{84}/, /^https?:\/\/.*\/r\/TOK[a-zA-Z0-9]+(\?app=.+)?#[a-zA-Z0-9-_]+$/],
	file: [/RklM.{84}/, /^https?:\/\/.*\/r\/FIL[a-zA-Z0-9]+(\?app=.+)?#[a-zA-Z0-9-_]+$/],
};
const maxReferenceLength = 4_000;

/** Applies the schema check of the official gateway, before anything is decoded. */
export function looksLikeReference(text: string, kinds: readonly ReferenceKind[]): boolean {
	if (text.length > maxReferenceLength) return false;
	return kinds.some((kind) => patterns[kind].some((pattern) => pattern.test(text)));
}

export function kindsLoadable(target: LoadTarget): readonly ReferenceKind[] {
	return loadRules[target].kinds;
}

/**
 * @throws `error.runtime.validation.invalidPropertyValue` for text of another form
 * @throws `error.runtime.invalidReference` (templates, files) or
 * `error.runtime.requestDeserialization` (tokens) for another kind inside a fitting form
 * @throws the codes of {@link parseReference}
 */
export function readLoadableReference(text: string, target: LoadTarget): Reference {
	const { kinds, wrongKind }: LoadRule = loadRules[target];
	const expected = kinds.join(' or ');
	if (!looksLikeReference(text, kinds)) {
		const message = `Expected a reference to a ${expected}, found text of another form`;
		throw referenceErrors.create('invalidInput', { message });
	}
	const reference = parseReference(text);
	if (kinds.includes(reference.kind)) return reference;
	const message = `Expected a reference to a ${expected}, found one to a ${reference.kind}`;
	throw referenceErrors.create(wrongKind, { message });
}

/**
 * Checks a reference before the Backbone is asked for its object.
 *
 * @param loader password given and own address; without an address (anonymous) every personal
 * reference is refused
 * @throws `error.transport.noPasswordProvided`
 * @throws `error.transport.general.notIntendedForYou`
 * @see docs/protocol/transport.md 4.2
 */
export function requireLoadable(
	reference: Reference,
	loader: {
		readonly password?: string | undefined;
		readonly address?: string | undefined;
		/** true for a stored object, which is shown regardless of its intended recipient */
		readonly isStored?: boolean;
	},
): void {
	if (reference.passwordProtection !== undefined && loader.password === undefined) {
		throw referenceErrors.create('noPasswordProvided', {
			message: 'The reference is protected by a password, and none was given.',
			facts: { field: 'password' },
		});
	}
	if (loader.isStored === true || isIntendedFor(reference, loader.address ?? '')) return;
	throw referenceErrors.create('notIntendedForYou', {
		message: 'The reference is meant for another identity.',
	});
}
