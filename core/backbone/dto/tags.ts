import * as z from 'zod';
import { isBoundedJson } from './bounded-json';

/** A tag with what it is called, by language, and the tags below it. */
export interface WireTag {
	readonly displayNames: Readonly<Record<string, string>>;
	readonly children: Readonly<Record<string, WireTag>>;
}

/** Far above what a Backbone offers; depth in JSON values, two per level of tags. */
const bounds = { maxValues: 200_000, maxDepth: 40, maxTextLength: 1_000 };

const wireTagSchema: z.ZodType<WireTag> = z.object({
	displayNames: z
		.record(z.string(), z.string())
		.nullish()
		.transform((names) => names ?? {}),
	children: z
		.lazy(() => z.record(z.string(), wireTagSchema))
		.nullish()
		.transform((children) => children ?? {}),
});

/** `docs/protocol/backbone-api.md` 18.1. Checked for its size before anything walks down into it. */
export const wireTagCollectionSchema = z
	.unknown()
	.refine((value) => isBoundedJson(value, bounds), 'too large')
	.pipe(
		z.object({
			supportedLanguages: z.array(z.string().max(20)).max(1_000),
			tagsForAttributeValueTypes: z.record(z.string(), z.record(z.string(), wireTagSchema)),
		}),
	);
export type WireTagCollection = z.infer<typeof wireTagCollectionSchema>;

/** An entity tag as we keep it and send it back: one quoted word of visible ASCII. */
export const etagSchema = z.string().regex(/^(?:W\/)?"[\x21\x23-\x7e]{1,200}"$/);
