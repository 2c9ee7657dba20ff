import * as z from 'zod';
import { addressPatternSchema } from '../../model/address';
import { attributeIdSchema } from '../../model/ids';
import { parseInput } from '../validation';
import { attributeErrors } from './attribute-errors';

/* Input schemas of the attribute use cases, except for attribute contents. */

export const notifyInputSchema = z.strictObject({ peer: addressPatternSchema });

const versionsShape = { onlyLatestVersions: z.boolean().default(true) };

export const sharedVersionsInputSchema = z.strictObject({
	peers: z.array(addressPatternSchema).min(1).optional(),
	...versionsShape,
});

/** Shape of `query`: field names, each with one text or several (docs/protocol/http-api.md 6.1). */
const queryShape = { query: z.record(z.string(), z.unknown()).default({}) };
const viewShape = {
	/** excludes attributes outside their validity period; oldest first */
	onlyValid: z.boolean().default(false),
	/** excludes relationship attributes that are meant for software only */
	hideTechnical: z.boolean().default(false),
};

export const repositoryInputSchema = z.strictObject({ ...queryShape, ...versionsShape });
export const sharedInputSchema = z.strictObject({
	peer: addressPatternSchema,
	...queryShape,
	...versionsShape,
	...viewShape,
});

export const queryInputSchema = z.strictObject({ query: z.unknown() });

export const iqlInputSchema = z.strictObject({
	query: z.looseObject({
		'@type': z.literal('IQLQuery').optional(),
		queryString: z.string(),
	}),
});

/** @throws `error.runtime.validation.invalidPropertyValue` */
export function readInput<Output>(schema: z.ZodType<Output>, input: unknown): Output {
	return parseInput(schema, input, (message, field) =>
		attributeErrors.create('invalidInput', { message, facts: { field } }),
	);
}

/** @throws `error.runtime.validation.invalidPropertyValue` */
export function requireAttributeId(id: string): void {
	parseInput(attributeIdSchema, id, (message) =>
		attributeErrors.create('invalidInput', { message, facts: { field: 'id' } }),
	);
}
