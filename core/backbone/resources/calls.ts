import type { z } from 'zod';
import type { ListOptions } from '../port/backbone';
import { answerLimits, type BackboneCaller, type Call } from '../http/backbone-caller';
import { readListed } from '../http/paging';
import { pathId } from './wire-text';

type More = Omit<Call, 'method' | 'path' | 'json'>;

export const get = (path: string, more: More = {}): Call => ({ method: 'GET', path, ...more });

const withBody =
	(method: 'POST' | 'PUT' | 'PATCH') =>
	(path: string, json: unknown, more: More = {}): Call => ({ method, path, json, ...more });
export const post = withBody('POST');
export const put = withBody('PUT');
export const patch = withBody('PATCH');

/** Reads the objects with the ids, of a list that accepts ids as they are. */
export async function listByIds<Schema extends z.ZodType<{ id?: string | null | undefined }>>(
	caller: BackboneCaller,
	{ path, prefix, schema }: { readonly path: string; readonly prefix: string; schema: Schema },
	ids: readonly string[],
	options?: ListOptions,
): Promise<Array<z.output<Schema>>> {
	const call = get(path, { maxAnswerBytes: answerLimits.page });
	return await readListed(
		caller,
		call,
		schema,
		ids,
		(id) => [['ids', pathId(id, prefix)]],
		options,
	);
}
