import * as z from 'zod';
import { anyField } from '../fields';
import { partKindOf, partsOf, simpleKindOf } from './identity-values';
import { valueKinds, type ValueKind } from './value-kinds';

/**
 * Schema for the value of an identity attribute as clients give it, applied before it is parsed as
 * content: exactly the members of its type, each of the right JSON type; lengths, formats and codes
 * are checked later (docs/protocol/content.md 4.1).
 *
 * @returns undefined for a type that is not an identity attribute value
 */
export function valueStructureOf(type: string): z.ZodType | undefined {
	const known = structures.get(type);
	if (known !== undefined) return known;
	const structure = structureOf(type);
	if (structure !== undefined) structures.set(type, structure);
	return structure;
}

/** Schemas by type, built on first use; bounded, because only known types have a schema. */
const structures = new Map<string, z.ZodType>();

function structureOf(type: string): z.ZodType | undefined {
	const members =
		type === 'VerifiableCredential'
			? credentialMembers
			: (simpleMembers(type) ?? compositeMembers(type));
	if (members === undefined) return undefined;
	return z.strictObject({
		'@type': z.literal(type),
		'@context': z.string().optional(),
		'@version': z.string().optional(),
		...members,
	});
}

function simpleMembers(type: string): z.ZodRawShape | undefined {
	const kind = simpleKindOf(type);
	if (kind === undefined) return undefined;
	// The month is the only bound that the official structure check has.
	const value = kind === valueKinds.month ? z.number().min(1).max(12) : jsonType(kind);
	return /^Schematized/.test(type) ? { schemaURL: z.string().optional(), value } : { value };
}

const credentialMembers = {
	value: z.union([z.string(), z.record(z.string(), z.unknown())]),
	type: z.string(),
	displayInformation: z.array(z.record(z.string(), z.unknown())).optional(),
	displayInformationCachedImages: z
		.array(z.looseObject({ '@type': z.literal('DisplayInformationCachedImages') }))
		.optional(),
};

function compositeMembers(type: string): z.ZodRawShape | undefined {
	const parts = partsOf(type);
	if (parts === undefined) return undefined;
	const members = Object.entries(parts).map(([name, part]): [string, z.ZodType] => {
		const member = jsonType(partKindOf(part));
		return [name, part.required ? member : member.optional()];
	});
	return Object.fromEntries(members);
}

function jsonType({ json }: ValueKind): z.ZodType {
	if (json === 'any') return anyField;
	return json === 'string' ? z.string() : z.number();
}
