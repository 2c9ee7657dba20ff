import type { Json, JsonObject } from '../../json';
import { consentLimits } from '../consent';
import { partKindOf, partsOf, simpleKindOf } from './identity-values';
import { proprietaryKindOf } from './relationship-values';
import type { ValueKind } from './value-kinds';
import { objectMember } from '../members';

/** Hints for user interfaces about a value type, as content of types ValueHints and RenderHints. */
export interface DefaultHints {
	readonly valueHints: JsonObject;
	readonly renderHints: JsonObject;
}

/**
 * Hints for an attribute value type (docs/protocol/content.md 9.2, generation-7.md 4); undefined
 * for other types. Not cached, because lists of country and language codes are large.
 */
export function defaultHintsOf(valueType: string): DefaultHints | undefined {
	const kind = simpleKindOf(valueType) ?? proprietaryKindOf(valueType);
	if (kind !== undefined) return hintsOfKind(kind);
	if (valueType === 'Consent') return consentHints();
	if (valueType === 'VerifiableCredential') return withoutLimits('TextArea', 'Unknown');
	const parts = partsOf(valueType);
	if (parts === undefined) return undefined;
	return composed(
		Object.entries(parts).map(([name, part]) => [
			name,
			part.type === 'text' ? withoutLimits('InputLike', 'String') : hintsOfKind(partKindOf(part)),
		]),
	);
}

/**
 * Merges overrides into the hints of a value type: given members win, hints of parts are merged by
 * name (docs/protocol/content.md 9.2).
 *
 * @param override parsed content of type ValueHintsOverride
 */
export function effectiveValueHints(valueHints: JsonObject, override: JsonObject): JsonObject {
	return {
		...valueHints,
		...override,
		'@type': 'ValueHints',
		propertyHints: {
			...objectMember(valueHints, 'propertyHints'),
			...objectMember(override, 'propertyHints'),
		},
	};
}

function hintsOfKind(kind: ValueKind): DefaultHints {
	const { limits = {}, format, codes, editHelp, rendering } = kind;
	const values = [...(codes?.codes ?? [])].map((key) => ({
		key,
		displayName: `i18n://attributes.values.${codes?.name}.${key}`,
	}));
	return {
		valueHints: valueHints({
			...limits,
			...(editHelp === undefined ? {} : { editHelp }),
			...(format === undefined ? {} : { pattern: format.pattern.source }),
			...(values.length === 0 ? {} : { values }),
		}),
		renderHints: renderHints({ ...rendering }),
	};
}

function withoutLimits(editType: string, technicalType: string): DefaultHints {
	return { valueHints: valueHints({}), renderHints: renderHints({ editType, technicalType }) };
}

function consentHints(): DefaultHints {
	const limits = Object.entries(consentLimits).map(
		([name, limit]) => [name, valueHints({ ...limit })] as const,
	);
	return {
		valueHints: valueHints({}, Object.fromEntries(limits)),
		renderHints: renderHints(complex, {
			consent: renderHints({ editType: 'TextArea', technicalType: 'String' }),
			link: renderHints({ editType: 'InputLike', technicalType: 'String', dataType: 'URL' }),
		}),
	};
}

function composed(parts: Array<[string, DefaultHints]>): DefaultHints {
	const pick = (name: keyof DefaultHints): JsonObject =>
		Object.fromEntries(parts.map(([part, hints]) => [part, hints[name]]));
	return {
		valueHints: valueHints({}, pick('valueHints')),
		renderHints: renderHints(complex, pick('renderHints')),
	};
}

const complex = { editType: 'Complex', technicalType: 'Object' };

const valueHints = (members: JsonObject, propertyHints: JsonObject = {}): JsonObject =>
	hints('ValueHints', members, propertyHints);

const renderHints = (members: JsonObject, propertyHints: JsonObject = {}): JsonObject =>
	hints('RenderHints', members, propertyHints);

function hints(type: string, members: JsonObject, propertyHints: Json): JsonObject {
	return { '@type': type, ...members, propertyHints };
}
