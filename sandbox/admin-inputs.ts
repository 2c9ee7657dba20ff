import * as z from 'zod';
import { wireTagCollectionSchema } from '../core/backbone/dto';
import { isAddress } from '../core/model/address';
import { parseInstant } from '../core/model/instant';
import { metrics, quotaPeriods } from './state/records';

const text = z.string().min(1).max(10_000);
const notice = z.strictObject({ title: text, body: text });
/** Of an identity, with its checksum. */
const address = z.string().refine(isAddress, 'expected the address of an identity');
/** ISO 8601; without an offset it is UTC. */
const date = z.string().refine((value) => parseInstant(value) !== undefined, 'expected a date');

/** By language; those who read another one get English. */
const translated = <Value extends z.ZodType>(value: Value) =>
	z.object({ en: value }).catchall(value);

/** The bodies of the administrative calls; `GET /admin` shows them as JSON schemas. */
export const inputs = {
	announcement: z.strictObject({
		severity: z.enum(['Low', 'Medium', 'High']).default('Medium'),
		texts: translated(notice),
		expiresAt: date.nullable().default(null),
		recipients: z
			.array(address)
			.default([])
			.describe('identities that see it; without any, everybody does'),
		iqlQuery: text.nullable().default(null),
		actions: z.array(z.strictObject({ displayName: translated(text), link: text })).default([]),
	}),
	notification: z.strictObject({ code: z.string().min(1).max(200), texts: translated(notice) }),
	tags: wireTagCollectionSchema,
	references: z.strictObject({
		references: z
			.array(z.strictObject({ title: text, description: text, truncatedReference: text }))
			.max(1_000),
	}),
	quotas: z.strictObject({
		quotas: z
			.array(
				z.strictObject({
					metricKey: z.enum(metrics),
					period: z.enum(quotaPeriods),
					max: z.int().min(0).describe('pieces; for storage bytes'),
					address: address
						.nullable()
						.default(null)
						.describe('the identity that it is for, before those for everybody (null)'),
				}),
			)
			.max(1_000),
	}),
	clock: z.strictObject({ advanceMs: z.int().min(0) }),
	deletion: z.strictObject({
		address,
		lengthOfGracePeriodInDays: z.number().min(0).max(100_000).optional(),
	}),
};
