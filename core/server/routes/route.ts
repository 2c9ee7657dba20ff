import type * as z from 'zod';
import type { Cancellable } from '../../base/abort';
import type { GatewayFacade } from '../../facade';
import type { Json, JsonObject } from '../../model/json';
import type { DownloadedFile } from '../../model/record/file';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The names after colons: `/Files/:id/Token` has `id`. */
export type ParameterName<Path extends string> = Path extends `${infer Head}/${infer Rest}`
	? ParameterName<Head> | ParameterName<Rest>
	: Path extends `:${infer Name}`
		? Name
		: never;

/** Of one request, for everything that is done because of it. */
export interface CallOptions extends Cancellable {
	readonly correlationId: string;
}

export interface Call<Path extends string, Body, Query> {
	readonly facade: GatewayFacade;
	readonly parameters: Readonly<Record<ParameterName<Path>, string>>;
	readonly body: Body;
	readonly query: Query;
	/** what a list is asked for */
	readonly filters: Readonly<Record<string, unknown>>;
	readonly options: CallOptions;
}

export interface Picture {
	readonly png: Uint8Array;
	/** what it is of */
	readonly id: string;
}

/**
 * One row of the table of routes. Everything that is the same for all of them (envelopes, errors,
 * authentication, negotiation, validation) is elsewhere, and the OpenAPI document is made from these
 * rows as well.
 *
 * @see docs/protocol/http-api.md 8
 */
export interface RouteSpec<Path extends string, Body, Query> {
	readonly method: Method;
	/** below the prefix; parameters begin with a colon */
	readonly path: Path;
	/** one sentence for the documentation */
	readonly summary: string;
	readonly parameters: Readonly<Record<ParameterName<Path>, z.ZodType<string>>>;
	/** of a JSON or form body, an object unless said otherwise; others read none */
	readonly body?: z.ZodType<Body>;
	/** said of whatever is wrong with the input, where clients know one sentence for all of it */
	readonly inputMessage?: string;
	/** the members of the query that are looked at; others are left to the filters, if there are any */
	readonly query?: z.ZodType<Query> & { readonly shape?: object };
	/** all other members of the query */
	readonly filters?: z.ZodType<Readonly<Record<string, unknown>>>;
	/** the body is a multipart form, whose parts become the body */
	readonly multipart?: boolean;
	readonly status: 200 | 201 | 204;
	readonly result?: z.ZodType;
	/** whatever the client accepts is answered */
	readonly anyAccept?: boolean;
	/** what the record is called when there is none of the id */
	readonly record?: string;
	handle(call: Call<Path, Body, Query>): Promise<unknown>;
	/** for clients that accept a picture: the same in a QR code */
	readonly picture?: (call: Call<Path, Body, Query>) => Promise<Picture>;
}

/** A route whose result is the content of a file. */
export interface DownloadSpec<Path extends string> extends Omit<
	RouteSpec<Path, JsonObject, unknown>,
	'handle' | 'status' | 'picture'
> {
	download(call: Call<Path, JsonObject, unknown>): Promise<DownloadedFile>;
}

/** Any route, for those who only look at the table. */
export type Route = RouteSpec<string, Json, unknown> & {
	readonly download?: DownloadSpec<string>['download'];
};

/** Keeps the types of one row together, and forgets them in the table. */
export function route<const Path extends string, Body = JsonObject, Query = unknown>(
	spec: RouteSpec<Path, Body, Query>,
): Route {
	return spec as unknown as Route;
}

export function download<const Path extends string>(spec: DownloadSpec<Path>): Route {
	const handle = (): Promise<never> => Promise.reject(new TypeError('A download has no result'));
	return { status: 200, anyAccept: true, handle, ...spec } as unknown as Route;
}

/** The routes of one resource, with the roles that may use it. */
export interface RouteGroup {
	readonly name: string;
	readonly roles: readonly string[];
	/** what a missing record of this resource is called */
	readonly record?: string;
	readonly routes: readonly Route[];
}
