import * as z from 'zod';
import type { GatewayError } from '../base/errors';
import type { UnreadableItem } from './backbone';
import { backboneErrors } from './backbone-errors';
import { paginationSchema, type Pagination } from './dto/envelope';
import { addressSchema, nameSchema } from './dto/wire';
import { emptyResultPlace } from './odd-answer';
import { membersOf } from './json-body';
import { plainText } from './plain-text';
import { problemOf, readWireError, type ProblemContext } from './problem';

/** An honest page has at most 200 items; emulators answer everything in one page. */
export const maxItemsPerPage = 10_000;

/** Names the first place that does not fit, never the value that stands there. */
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
 * The `result` of a success (`docs/protocol/backbone-api.md` 2.8): it must be truthy. The place tells an object
 * without a form from an answer that is none.
 */
function resultOf(body: unknown, status: number, context: ProblemContext): unknown {
	const { result } = membersOf(body);
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
	const parsed = schema.safeParse(resultOf(body, status, context));
	if (parsed.success) return parsed.data;
	throw misfit(parsed.error, [], context);
}

export interface WirePage<Item> {
	/** those that can be read, in their order */
	readonly items: Item[];
	readonly unreadable: readonly UnreadableItem[];
	/** undefined: there is one page */
	readonly pagination: Pagination | undefined;
}

/**
 * One page of a list; counted before its items are looked at. Each item is read by itself: one in a
 * form that was not expected takes nothing from the others.
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
	const list = z.array(z.unknown()).safeParse(result);
	if (!list.success) throw misfit(list.error, [], context);
	const items: Array<z.output<Schema>> = [];
	const unreadable: UnreadableItem[] = [];
	for (const [index, value] of list.data.entries()) {
		const item = itemSchema.safeParse(value);
		if (item.success) items.push(item.data);
		else unreadable.push(unreadableItem(value, misfit(item.error, [index], context)));
	}
	const pagination = paginationSchema.nullish().parse(membersOf(body)['pagination']);
	return { items, unreadable, pagination: pagination ?? undefined };
}

/** What is known of the item without reading it: whose it is, as far as that has the right form. */
function unreadableItem(value: unknown, problem: GatewayError): UnreadableItem {
	const { id, createdBy } = membersOf(value);
	return {
		problem,
		...(nameSchema.safeParse(id).success ? { id: id as string } : {}),
		...(addressSchema.safeParse(createdBy).success ? { createdBy: createdBy as string } : {}),
	};
}
