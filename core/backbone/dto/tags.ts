import * as z from 'zod';
import { isWithinLimits } from '../../base/untrusted-json';

/** Tag with its display names by language and its child tags. */
export interface WireTag {
	readonly displayNames: Readonly<Record<string, string>>;
	readonly children: Readonly<Record<string, WireTag>>;
}

/**
 * Limits far above the collections of any Backbone. The depth counts JSON values;
 * a level of tags takes two.
 */
const limits = { maxValues: 200_000, maxDepth: 40, maxTextLength: 1_000 };

/** Drops unreadable members, so that the tags beside them stay usable. */
function readableMembers<Value>(schema: z.ZodType<Value>) {
	return z.record(z.string(), schema.optional().catch(undefined)).transform((members) => {
		const readable: Record<string, Value> = {};
		for (const [name, member] of Object.entries(members)) {
			if (member !== undefined) readable[name] = member;
		}
		return readable;
	});
}

const wireTagSchema: z.ZodType<WireTag> = z.object({
	displayNames: readableMembers(z.string())
		.nullish()
		.transform((names) => names ?? {}),
	children: z
		.lazy(() => readableMembers(wireTagSchema))
		.nullish()
		.transform((children) => children ?? {}),
});

/** `docs/protocol/backbone-api.md` 18.1. The size check precedes the recursive schema. */
export const wireTagCollectionSchema = z
	.unknown()
	.refine((value) => isWithinLimits(value, limits), 'too large')
	.pipe(
		z.object({
			supportedLanguages: z
				.array(z.string())
				.nullish()
				.transform((languages) => languages ?? []),
			tagsForAttributeValueTypes: readableMembers(readableMembers(wireTagSchema)),
		}),
	);
export type WireTagCollection = z.infer<typeof wireTagCollectionSchema>;

/** Entity tag as it is stored and sent back: one quoted word of visible ASCII. */
export const etagSchema = z.string().regex(/^(?:W\/)?"[\x21\x23-\x7e]{1,200}"$/);
