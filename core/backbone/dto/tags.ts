import * as z from 'zod';
import { isBoundedJson } from './bounded-json';

/** A tag with what it is called, by language, and the tags below it. */
export interface WireTag {
	readonly displayNames: Readonly<Record<string, string>>;
	readonly children: Readonly<Record<string, WireTag>>;
}

/** Far above what a Backbone offers; depth in JSON values, two per level of tags. */
const bounds = { maxValues: 200_000, maxDepth: 40, maxTextLength: 1_000 };

/** Members that cannot be read are left out: the tags beside them are of use all the same. */
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

/** `docs/protocol/backbone-api.md` 18.1. Checked for its size before anything walks down into it. */
export const wireTagCollectionSchema = z
	.unknown()
	.refine((value) => isBoundedJson(value, bounds), 'too large')
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

/** An entity tag as we keep it and send it back: one quoted word of visible ASCII. */
export const etagSchema = z.string().regex(/^(?:W\/)?"[\x21\x23-\x7e]{1,200}"$/);
