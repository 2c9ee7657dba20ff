import type * as z from 'zod';
import { safeParse } from '../../base/schema-parse';
import { isGatewayError, type GatewayError } from '../../base/errors';
import { type AttributeContent } from '../../model/input/attribute';
import {
	identityAttribute,
	type Attribute,
	type IdentityAttribute,
} from '../../model/content/attributes';
import { parseAs } from '../../model/content/parse';
import { valueStructureOf } from '../../model/content/values/value-structure';
import type { JsonObject } from '../../model/json';
import { successionErrors } from './succession/succession-errors';
import { invalidInput } from '../input-errors';

/* Steps 1, 3 and 4 of docs/protocol/consumption.md 8.1, as pure functions. */

/**
 * Reads the input for an attribute or a successor; the value itself is not validated here.
 *
 * @throws `error.runtime.validation.invalidPropertyValue`
 */
export function readAttributeInput<Output>(schema: z.ZodType<Output>, input: unknown): Output {
	const parsed = safeParse(schema, input);
	if (parsed.success) return parsed.data;
	throw invalid(parsed.error, 'The attribute');
}

/**
 * Parses the content of a successor and converts parse errors to the code for successors.
 *
 * @throws `error.consumption.attributes.successorIsNotAValidAttribute`
 */
export function successorContentOf<Content extends Attribute>(parse: () => Content): Content {
	try {
		return parse();
	} catch (error) {
		if (!isGatewayError(error)) throw error;
		throw successionErrors.create('successorIsNotAValidAttribute', {
			message: error.message,
			facts: error.facts,
			cause: error,
		});
	}
}

/** @throws `error.runtime.validation.invalidPropertyValue` */
export function checkValueStructure(value: JsonObject): void {
	const type = String(value['@type']);
	const structure = valueStructureOf(type);
	if (structure === undefined) {
		throw invalidInput(
			`'${type.slice(0, 100)}' is not a type of identity attribute.`,
			'content.value.@type',
		);
	}
	const parsed = safeParse(structure, value);
	if (!parsed.success) throw invalid(parsed.error, `The ${type}`, ['content', 'value']);
}

/**
 * Parses given content as an identity attribute of the given owner.
 *
 * @throws `error.runtime.requestDeserialization`
 */
export function identityAttributeOf(content: AttributeContent, owner: string): IdentityAttribute {
	return parseAs(identityAttribute, { ...content, owner }, 'The attribute');
}

/**
 * Trims the texts of the content for storage and parses the result again.
 *
 * @throws `error.runtime.requestDeserialization`
 */
export function trimmedAttribute(
	content: Omit<IdentityAttribute, 'value'> & { readonly value: JsonObject },
): IdentityAttribute {
	const value = trimmedValue(content.value);
	return parseAs(identityAttribute, { ...content, value }, 'The attribute');
}

/**
 * Parses given content and trims its texts for storage; content without surrounding white space is
 * parsed only once.
 *
 * @throws `error.runtime.requestDeserialization`
 */
export function storedAttributeOf(content: AttributeContent, owner: string): IdentityAttribute {
	const attribute = identityAttributeOf(content, owner);
	const members = Object.values(attribute.value);
	const isTrimmed = members.every((one) => typeof one !== 'string' || one === one.trim());
	return isTrimmed ? attribute : trimmedAttribute(attribute);
}

/** Reduces a value to what counts in comparisons: no envelope properties, and trimmed texts. */
export function trimmedValue(value: JsonObject): JsonObject {
	return Object.fromEntries(
		Object.entries(value)
			.filter(([name]) => name !== '@context' && name !== '@version')
			.map(([name, member]) => [name, typeof member === 'string' ? member.trim() : member]),
	);
}

function invalid(error: z.ZodError, what: string, prefix: readonly string[] = []): GatewayError {
	const issue = error.issues[0];
	const unknown = issue?.code === 'unrecognized_keys' ? [issue.keys[0] ?? ''] : [];
	const field = [...prefix, ...(issue?.path ?? []), ...unknown].map(String).join('.');
	return invalidInput(
		`${what} is not valid at '${field}': ${issue?.message ?? 'unexpected value'}.`,
		field,
	);
}
