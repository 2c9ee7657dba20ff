import type * as z from 'zod';
import type { Cancellable } from '../../base/abort';
import type { GatewayFacade, ListQueryInput, ServerAddress } from '../../facade/gateway-facade';
import type { Json, JsonObject } from '../../model/json';
import type { DownloadedFile } from '../../model/record/file';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Names after colons in a path: `/Files/:id/Token` has `id`. */
export type ParameterName<Path extends string> = Path extends `${infer Head}/${infer Rest}`
	? ParameterName<Head> | ParameterName<Rest>
	: Path extends `:${infer Name}`
		? Name
		: never;

/** Options of one request, passed to every call that it causes. */
export interface CallOptions extends Cancellable {
	readonly correlationId: string;
	/** key of a call that the client may repeat; absent: none */
	readonly idempotencyKey?: string;
}

export interface Call<Path extends string, Body, Query> {
	readonly facade: GatewayFacade;
	readonly parameters: Readonly<Record<ParameterName<Path>, string>>;
	readonly body: Body;
	readonly query: Query;
	/** filters of a list */
	readonly filters: ListQueryInput;
	/** addresses by which the client reaches this server */
	readonly server: ServerAddress;
	readonly options: CallOptions;
}

/** Call of any route. */
export type AnyCall = Call<string, Json, unknown>;

export interface Picture {
	readonly png: Uint8Array;
	/** id in the path */
	readonly id: string;
}

/**
 * Row of the table of routes. Envelopes, errors, authentication, negotiation and validation are the
 * same for all routes and implemented elsewhere; the OpenAPI document is generated from these rows.
 *
 * @see docs/protocol/http-api.md 8
 */
export interface RouteSpec<Path extends string, Body, Query> {
	/** one sentence for the documentation */
	readonly summary: string;
	/** schema of a JSON or form body, normally an object; routes without it read no body */
	readonly body?: z.ZodType<Body>;
	/** message for any invalid input, where clients expect a fixed sentence */
	readonly inputMessage?: string;
	/** schema of the query's own members; other members are left to the filters, if there are any */
	readonly query?: z.ZodType<Query> & { readonly shape?: object };
	/** schema of all other members of the query */
	readonly filters?: z.ZodType<ListQueryInput>;
	/** true if the body is a multipart form, whose parts become the body */
	readonly multipart?: boolean;
	/** status of a call that creates something; default: 200, or 204 without a result */
	readonly status?: 201;
	readonly result?: z.ZodType;
	/** true to skip content negotiation */
	readonly anyAccept?: boolean;
	/** true if the audit records the call although it changes nothing */
	readonly isAudited?: boolean;
	/** noun for the message about a missing record */
	readonly record?: string;
	handle(call: Call<Path, Body, Query>): Promise<unknown>;
	/** pages of a list; replaces `handle` */
	readonly pages?: (call: Call<Path, Body, Query>) => ListPages;
	/**
	 * Answers a call that is repeated under its idempotency key, of which only the created record is
	 * known: because the process died before its answer was stored, or the answer is too large.
	 */
	readonly repeated?: {
		/** collection of the record that the call creates */
		readonly collection: string;
		answer(call: Call<Path, Body, Query>, id: string): Promise<unknown>;
	};
	/** answers clients that accept an image: the same object as a QR code */
	readonly picture?: (call: Call<Path, Body, Query>) => Promise<Picture>;
}

/** Pages of a list, read one after the other. */
export type ListPages = AsyncIterator<readonly object[], void>;

/** Schemas of the parameters in a path; a path without parameters has none. */
type ParametersOf<Path extends string> = [ParameterName<Path>] extends [never]
	? { readonly parameters?: undefined }
	: { readonly parameters: Readonly<Record<ParameterName<Path>, z.ZodType<string>>> };

/** Records that calls create, by their collections, which have the names of their use cases. */
type Shown =
	| 'templates'
	| 'tokens'
	| 'attributes'
	| 'localAttributes'
	| 'outgoingRequests'
	| 'relationships'
	| 'webhooks';

/** Answers a repeated call with the created record as it is now. */
export const repeatedBy = (useCases: Shown, collection: string = useCases) => ({
	collection,
	answer: (
		{ facade, options }: Pick<Call<never, unknown, unknown>, 'facade' | 'options'>,
		id: string,
	): Promise<unknown> => facade[useCases].get(id, options),
});

/** Any route, without the types of its own row. */
export interface Route extends Omit<RouteSpec<string, Json, unknown>, 'status'> {
	readonly method: Method;
	/** path below the prefix; parameters begin with a colon */
	readonly path: string;
	readonly parameters: Readonly<Record<string, z.ZodType<string>>>;
	readonly status: 200 | 201 | 204;
	/** content of a file; replaces `handle` */
	readonly download?: (call: AnyCall) => Promise<DownloadedFile>;
}

/** Infers the types within one row and widens them for the table. */
const rowOf =
	(method: Method) =>
	<const Path extends string, Body = JsonObject, Query = unknown>(
		path: Path,
		spec: RouteSpec<Path, Body, Query> & ParametersOf<Path>,
	): Route =>
		completed({ method, path, ...spec });

/** Rows of the table by their methods, and rows whose answer is a list or a file. */
export const route = {
	get: rowOf('GET'),
	post: rowOf('POST'),
	put: rowOf('PUT'),
	patch: rowOf('PATCH'),
	delete: rowOf('DELETE'),

	/** Answers with a list; a list of more than one page is sent while it is read. */
	list: <const Path extends string, Query = unknown>(
		path: Path,
		spec: Omit<RouteSpec<Path, JsonObject, Query>, 'handle' | 'pages' | 'status' | 'picture'> &
			Required<Pick<RouteSpec<Path, JsonObject, Query>, 'pages'>> &
			ParametersOf<Path>,
	): Route => {
		const handle = (): Promise<never> => Promise.reject(new TypeError('A list is read in pages'));
		return completed({ method: 'GET', path, handle, ...spec });
	},

	/** Answers with the content of a file. */
	download: <const Path extends string>(
		path: Path,
		spec: Pick<RouteSpec<Path, Json, unknown>, 'summary'> &
			ParametersOf<Path> & { download(call: Call<Path, Json, unknown>): Promise<DownloadedFile> },
	): Route => {
		const handle = (): Promise<never> => Promise.reject(new TypeError('A download has no result'));
		const fixed = { status: 200, anyAccept: true, isAudited: true } as const;
		return completed({ method: 'GET', path, ...fixed, handle, ...spec });
	},
};

/**
 * Row with its defaults and without its own types. The server gives `handle` what the schemas of the
 * same row have parsed, which the type of a table cannot say.
 */
function completed(spec: Readonly<Record<string, unknown>>): Route {
	const status = spec.result === undefined ? 204 : 200;
	// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the schemas of the row give `handle` what its types say
	return { parameters: {}, status, ...spec } as unknown as Route;
}

/** Routes of one resource, with the roles that may use them. */
export interface RouteGroup {
	readonly name: string;
	readonly roles: readonly string[];
	/** noun for messages about a missing record of this resource */
	readonly record?: string;
	readonly routes: readonly Route[];
}
