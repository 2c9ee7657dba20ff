import * as z from 'zod';
import { backboneErrors } from './backbone-errors';
import { paginationSchema, type Pagination } from './dto/envelope';
import { membersOf } from './json-body';
import { plainText } from './plain-text';
import { problemOf, readWireError, type ProblemContext } from './problem';

/** An honest page has at most 200 items; emulators answer everything in one page. */
export const maxItemsPerPage = 10_000;

/** Checks foreign data; the error names the first place that does not fit. */
function check<Schema extends z.ZodType>(
	value: unknown,
	schema: Schema,
	context: ProblemContext,
): z.output<Schema> {
	const parsed = schema.safeParse(value);
	if (parsed.success) return parsed.data;
	const issue = parsed.error.issues[0];
	const place = plainText(['result', ...(issue?.path ?? [])].map(String).join('.'), [], 100);
	const wrong = plainText(issue?.message ?? 'wrong shape', [], 150);
	throw backboneErrors.create('unexpectedAnswer', {
		message: `The answer to ${context.method} ${context.path} has an unexpected form: ${place}: ${wrong}.`,
		facts: { method: context.method, path: context.path, place },
	});
}

/** The `result` of a success (`docs/protocol/backbone-api.md` 2.8): it must be truthy. */
function resultOf(body: unknown, status: number, context: ProblemContext): unknown {
	const { result } = membersOf(body);
	if (Boolean(result) && readWireError(body) === undefined) return result;
	throw problemOf(status, body, context);
}

/**
 * @throws `error.transport.request.resultUndefined`, `error.gateway.backbone.unexpectedAnswer`, or
 * the code of an error object inside a success
 */
export function readResult<Schema extends z.ZodType>(
	body: unknown,
	schema: Schema,
	context: ProblemContext,
	status: number,
): z.output<Schema> {
	return check(resultOf(body, status, context), schema, context);
}

export interface WirePage<Item> {
	readonly items: Item[];
	readonly pagination: Pagination | undefined;
}

/**
 * One page of a list; counted before its items are looked at.
 *
 * @throws as `readResult`, and `error.gateway.backbone.pageTooLarge`
 */
export function readPage<Schema extends z.ZodType>(
	body: unknown,
	itemSchema: Schema,
	context: ProblemContext,
	status: number,
): WirePage<z.output<Schema>> {
	const result = resultOf(body, status, context);
	if (Array.isArray(result) && result.length > maxItemsPerPage) {
		throw backboneErrors.create('pageTooLarge', {
			message: `A page of the answer to ${context.method} ${context.path} has ${result.length} items; at most ${maxItemsPerPage} are read.`,
			facts: { path: context.path, itemCount: result.length, maxItemsPerPage },
		});
	}
	const items = check(result, z.array(itemSchema), context);
	const { pagination } = membersOf(body);
	return {
		items,
		pagination: check(pagination, paginationSchema.nullish(), context) ?? undefined,
	};
}
