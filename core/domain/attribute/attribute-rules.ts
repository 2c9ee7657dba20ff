import * as z from 'zod';
import type { GatewayError } from '../../base/errors';
import { instantSchema } from '../../model/instant';
import { identityAttribute } from '../../model/content/attributes';
import { isBuiltIdentityValueType } from '../../model/content/attribute-values';
import { identityValueTypes } from '../../model/content/content-types';
import { parseAs } from '../../model/content/parse';
import type { JsonObject } from '../../model/json';
import type { AttributeRecord } from '../../model/record/attribute';
import { attributeErrors } from './attribute-errors';

/* Steps 1, 3 and 4 of docs/protocol/consumption.md 8.1, as pure decisions. */

const date = z
	.string()
	.refine((text) => instantSchema.safeParse(text).success, 'expected an ISO 8601 date and time');

const inputSchema = z.strictObject({
	content: z.strictObject({
		value: z.looseObject({ '@type': z.string() }),
		tags: z.array(z.string()).optional(),
		validFrom: date.optional(),
		validTo: date.optional(),
	}),
});
export type CreateAttributeInput = z.infer<typeof inputSchema>;

/** The structure of the values that are built; lengths and formats come later. */
const valueSchema = z.strictObject({
	'@type': z.string(),
	'@context': z.string().optional(),
	'@version': z.string().optional(),
	value: z.string(),
});

/**
 * The first step: structure only.
 *
 * @throws `error.runtime.validation.invalidPropertyValue`, `error.gateway.notSupportedYet`
 */
export function readCreateInput(input: unknown): CreateAttributeInput {
	const parsed = inputSchema.safeParse(input);
	if (!parsed.success) throw invalid(parsed.error, 'The attribute');
	checkValueStructure(parsed.data.content.value as JsonObject);
	return parsed.data;
}

/** @throws `error.runtime.validation.invalidPropertyValue`, `error.gateway.notSupportedYet` */
export function checkValueStructure(value: JsonObject): void {
	const type = String(value['@type']);
	if (!(identityValueTypes as readonly string[]).includes(type)) {
		throw attributeErrors.create('invalidInput', {
			message: `'${type.slice(0, 100)}' is not a type of identity attribute.`,
			facts: { field: 'content.value.@type' },
		});
	}
	if (!isBuiltIdentityValueType(type)) {
		throw attributeErrors.create('notSupportedYet', {
			message: `Attributes of type '${type}' are not supported yet.`,
			facts: { field: 'content.value.@type' },
		});
	}
	const parsed = valueSchema.safeParse(value);
	if (!parsed.success) throw invalid(parsed.error, `The ${type}`, ['content', 'value']);
}

/**
 * The content to store: checked as given, then with the text trimmed.
 *
 * @throws `error.runtime.requestDeserialization`
 */
export function identityAttributeOf(
	content: CreateAttributeInput['content'],
	owner: string,
): JsonObject {
	const given = { ...content, owner } as unknown as JsonObject;
	parseAs(identityAttribute, given, 'The attribute');
	const trimmed = { ...given, value: trimmedValue(content.value as JsonObject) };
	return parseAs(identityAttribute, trimmed, 'The attribute');
}

/** What counts when values are compared: no envelope properties, no white space around text. */
export function trimmedValue(value: JsonObject): JsonObject {
	const entries = Object.entries(value)
		.filter(([name]) => name !== '@context' && name !== '@version')
		.map(([name, member]) => [name, typeof member === 'string' ? member.trim() : member]);
	return Object.fromEntries(entries) as JsonObject;
}

/** An own identity attribute that is not a shared copy (docs/protocol/consumption.md 7.2). */
export function isRepositoryAttribute(record: AttributeRecord, ownAddress: string): boolean {
	return (
		record.shareInfo === undefined &&
		record.content['@type'] === 'IdentityAttribute' &&
		record.content['owner'] === ownAddress
	);
}

function invalid(error: z.ZodError, what: string, prefix: readonly string[] = []): GatewayError {
	const issue = error.issues[0];
	const unknown = issue?.code === 'unrecognized_keys' ? [issue.keys[0] ?? ''] : [];
	const field = [...prefix, ...(issue?.path ?? []), ...unknown].map(String).join('.');
	return attributeErrors.create('invalidInput', {
		message: `${what} is not valid at '${field}': ${issue?.message ?? 'unexpected value'}.`,
		facts: { field },
	});
}
