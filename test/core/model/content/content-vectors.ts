import type { Json, JsonObject } from '../../../../core/model/json';
import { readVectors } from '../../../support/vectors';

export interface ContentCase {
	readonly id: string;
	readonly input?: Json;
	readonly base?: string;
	readonly set?: JsonObject;
	readonly unset?: readonly string[];
	readonly as?: string;
	readonly peer?: string;
	readonly expected: {
		readonly outcome: 'accepted' | 'rejected';
		readonly class?: string;
		readonly serialized?: string;
		readonly serializedLength?: number;
		readonly serializedSha256?: string;
		readonly serialize?: 'throws';
		readonly code?: string;
		readonly kind?: string;
		readonly where?: string;
	};
}

interface ContentVectors {
	readonly bases: Readonly<Record<string, JsonObject>>;
	readonly cases: readonly ContentCase[];
	readonly formField: ReadonlyArray<{
		readonly settings: JsonObject;
		readonly op: 'canCreate' | 'canAccept';
		readonly response?: Json;
		readonly expected: {
			readonly outcome: 'accepted' | 'rejected';
			readonly code?: string;
			readonly thenAccept?: string;
			readonly responseItem?: string;
		};
	}>;
	readonly iql: {
		readonly validate: ReadonlyArray<{
			readonly query: string;
			readonly valid: boolean;
			readonly line?: number;
			readonly column?: number;
		}>;
		readonly attributes: readonly JsonObject[];
		readonly execute: ReadonlyArray<{
			readonly query: string;
			readonly matches: readonly number[];
		}>;
	};
	readonly hints: Readonly<Record<string, JsonObject>>;
	readonly countries: readonly string[];
	readonly languages: readonly string[];
	readonly identityAttributeValueSchema: ReadonlyArray<{
		readonly id: string;
		readonly value: JsonObject;
		readonly expected: { readonly outcome: 'accepted' | 'rejected'; readonly code?: string };
	}>;
}

export const contentVectors = readVectors<ContentVectors>('content.json');

/** The input of a case: its own, or its base with members replaced and removed. */
export function inputOf(entry: ContentCase): Json {
	if (entry.base === undefined) return expandText(entry.input ?? null);
	const members = { ...contentVectors.bases[entry.base], ...entry.set };
	for (const name of entry.unset ?? []) delete members[name];
	return expandText(members);
}

/** `{"$repeat": text, "$count": n}` stands for long text. */
export function expandText(value: Json): Json {
	if (Array.isArray(value)) return value.map(expandText);
	if (typeof value !== 'object' || value === null) return value;
	const { $repeat: text, $count: count } = value;
	if (typeof text === 'string' && typeof count === 'number') return text.repeat(count);
	return Object.fromEntries(
		Object.entries(value).map(([name, member]) => [name, expandText(member)]),
	);
}

/** The type that a case is about, as its id names it. */
export function subjectOf(id: string): string {
	return /^[^./]*/.exec(id)?.[0] ?? '';
}
