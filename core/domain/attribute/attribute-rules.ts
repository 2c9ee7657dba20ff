import { z } from 'zod';
import type { GatewayError } from '../../base/errors';
import { identityAttribute } from '../../model/content/attributes';
import { isBuiltIdentityValueType } from '../../model/content/attribute-values';
import { contentError } from '../../model/content/content-errors';
import { identityValueTypes } from '../../model/content/content-types';
import type { JsonObject } from '../../model/json';
import { attributeErrors } from './attribute-errors';

/** Steps 1, 3 and 4 of docs/protocol/consumption.md 8.1, as pure decisions. */
const inputSchema = z.strictObject({
	content: z.strictObject({
		value: z.looseObject({ '@type': z.string() }),
		tags: z.array(z.string()).optional(),
		validFrom: z.string().optional(),
		validTo: z.string().optional(),
	}),
});
export type CreateAttributeInput = z.infer<typeof inputSchema>;

const valueSchema = z.strictObject({
	'@type': z.string(),
	'@context': z.string().optional(),
	'@version': z.string().optional(),
	value: z.string(),
});

/** @throws `error.runtime.validation.invalidPropertyValue`, `error.gateway.notSupportedYet` */
export function readCreateInput(input: unknown): CreateAttributeInput {
	const parsed = inputSchema.safeParse(input);
	if (!parsed.success) throw invalid(parsed.error, 'The attribute');
	const type = parsed.data.content.value['@type'];
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
	const value = valueSchema.safeParse(parsed.data.content.value);
	if (!value.success) throw invalid(value.error, `The value of ${type}`, ['content', 'value']);
	return parsed.data;
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
	parseIdentityAttribute(given);
	return parseIdentityAttribute({ ...given, value: trimmedValue(content.value as JsonObject) });
}

/** Text members directly in the value lose surrounding white space. */
export function trimmedValue(value: JsonObject): JsonObject {
	const entries = Object.entries(value).map(([name, member]) => [
		name,
		typeof member === 'string' ? member.trim() : member,
	]);
	return Object.fromEntries(entries) as JsonObject;
}

function parseIdentityAttribute(content: JsonObject): JsonObject {
	const result = identityAttribute.members.safeParse(content);
	if (!result.success) throw contentError('The attribute', result.error);
	return { '@type': 'IdentityAttribute', ...result.data };
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
