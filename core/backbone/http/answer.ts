import * as z from 'zod';
import { parse, safeParse } from '../../base/schema-parse';
import type { GatewayError } from '../../base/errors';
import { ownMember } from '../../model/json';
import type { UnreadableItem } from '../port/backbone';
import { backboneErrors } from '../backbone-errors';
import { paginationSchema, type Pagination } from '../dto/envelope';
import { addressSchema, nameSchema } from '../dto/wire';
import { emptyResultPlace } from '../port/odd-answer';
import { plainText } from '../plain-text';
import { problemOf, readWireError, type ProblemContext } from './problem';

/** Pages of the Backbone have at most 200 items; emulators return all items in one page. */
export const maxItemsPerPage = 10_000;

/** Names the first place that does not match the schema, never the value there. */
function misfit(
	error: z.ZodError,
	path: readonly PropertyKey[],
	context: ProblemContext,
): GatewayError {
	const issue = error.issues[0];
	const place = plainText(
		['result', ...path, ...(issue?.path ?? [])].map(String).join('.'),
		[],
		100,
	);
	const wrong = plainText(issue?.message ?? 'wrong shape', [], 150);
	return backboneErrors.create('unexpectedAnswer', {
		message: `The answer to ${context.method} ${context.path} has an unexpected form: ${place}: ${wrong}.`,
		facts: { method: context.method, path: context.path, place },
	});
}

/**
 * Returns the `result` of a success, which must be truthy (`docs/protocol/backbone-api.md` 2.8).
 * The fact `place` distinguishes an empty `result` from a body that is not JSON.
 */
function resultOf(body: unknown, status: number, context: ProblemContext): unknown {
	const result = ownMember(body, 'result');
	if (Boolean(result) && readWireError(body) === undefined) return result;
	const problem = problemOf(status, body, context);
	if (problem.code !== backboneErrors.resultUndefined.code) throw problem;
	const { message, facts } = problem;
	throw backboneErrors.create('resultUndefined', {
		message,
		facts: { ...facts, place: emptyResultPlace },
	});
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
	const parsed = safeParse(schema, resultOf(body, status, context));
	if (parsed.success) return parsed.data;
	throw misfit(parsed.error, [], context);
}

export interface WirePage<Item> {
	/** readable items, in the order of the page */
	readonly items: Item[];
	readonly unreadable: readonly UnreadableItem[];
	/** undefined if there is only one page */
	readonly pagination: Pagination | undefined;
}

/**
 * Reads one page of a list and checks the number of items first. Each item is parsed by itself, so
 * that an unexpected item does not affect the others.
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
	const list = safeParse(z.array(z.unknown()), result);
	if (!list.success) throw misfit(list.error, [], context);
	const items: Array<z.output<Schema>> = [];
	const unreadable: UnreadableItem[] = [];
	for (const [index, value] of list.data.entries()) {
		const item = safeParse(itemSchema, value);
		if (item.success) items.push(item.data);
		else unreadable.push(unreadableItem(value, misfit(item.error, [index], context)));
	}
	const pagination = parse(paginationSchema.nullish(), ownMember(body, 'pagination'));
	return { items, unreadable, pagination: pagination ?? undefined };
}

/** Describes an unreadable item by its id and creator, as far as these two are valid. */
function unreadableItem(value: unknown, problem: GatewayError): UnreadableItem {
	const id = safeParse(nameSchema, ownMember(value, 'id'));
	const createdBy = safeParse(addressSchema, ownMember(value, 'createdBy'));
	return {
		problem,
		...(id.success ? { id: id.data } : {}),
		...(createdBy.success ? { createdBy: createdBy.data } : {}),
	};
}
