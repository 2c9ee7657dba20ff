import * as z from 'zod';

/** Any JSON value; what peers and users put into open places. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

export type JsonObject = { [name: string]: Json };

/** An object whose members are not looked at here. Depth and size are bounded where it enters. */
export const jsonObjectSchema = z.custom<JsonObject>(
	(value) => typeof value === 'object' && value !== null && !Array.isArray(value),
	'expected an object',
);

/** Any JSON value but null, which stands for nothing. */
export const jsonSchema = z.custom<Exclude<Json, null>>(
	(value) => value !== undefined && value !== null && typeof value !== 'function',
	'expected a value',
);
