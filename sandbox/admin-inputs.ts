import * as z from 'zod';
import { isAddress } from './address';
import { metrics, quotaPeriods } from './state/records';

const text = z.string().min(1).max(10_000);
const shownText = z.strictObject({ title: text, body: text });
/** Address of an identity, with a valid checksum. */
const address = z.string().refine(isAddress, 'expected the address of an identity');
/** ISO 8601 date-time with an offset. */
const date = z.iso.datetime({ offset: true, error: 'expected a date' });

/** Texts by language; English is mandatory, because it is the fallback. */
const translated = <Value extends z.ZodType>(value: Value) =>
	z.object({ en: value }).catchall(value);

/** @see docs/protocol/backbone-api.md 18.1 */
const tag = z.object({
	displayNames: z.record(z.string(), z.string()),
	get children() {
		return z.record(z.string(), tag);
	},
});
const tagCollection = z.object({
	supportedLanguages: z.array(z.string().max(20)).max(1_000),
	tagsForAttributeValueTypes: z.record(z.string(), z.record(z.string(), tag)),
});

/** Bodies of the administrative calls; `GET /admin` shows them as JSON schemas. */
export const inputs = {
	announcement: z.strictObject({
		severity: z.enum(['Low', 'Medium', 'High']).default('Medium'),
		texts: translated(shownText),
		expiresAt: date.nullable().default(null),
		recipients: z
			.array(address)
			.default([])
			.describe('identities that see it; without any, all do'),
		iqlQuery: text.nullable().default(null),
		actions: z.array(z.strictObject({ displayName: translated(text), link: text })).default([]),
	}),
	notification: z.strictObject({ code: z.string().min(1).max(200), texts: translated(shownText) }),
	tags: tagCollection,
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
						.describe('the identity to which it applies, before quotas for all identities (null)'),
				}),
			)
			.max(1_000),
	}),
	clock: z.strictObject({ advanceMs: z.int().min(0) }),
	queues: z.strictObject({
		advanceMs: z.int().min(0).optional().describe('default: everything is delivered'),
	}),
	deletion: z.strictObject({
		address,
		lengthOfGracePeriodInDays: z.number().min(0).max(100_000).optional(),
	}),
};
