import * as z from 'zod';

/** A check that was not passed is an answer, not an error (docs/protocol/http-api.md 8.3, 8.11). */
export const canCreateResult = z.union([
	z.object({ isSuccess: z.literal(true) }),
	z.object({ isSuccess: z.literal(false), code: z.string(), message: z.string() }),
]);

/** RequestValidationResultDTO (docs/protocol/http-api.md 7.2): one entry below for each item. */
export const validationResult = z.object({
	isSuccess: z.boolean(),
	code: z.string().optional(),
	message: z.string().optional(),
	get items() {
		return z.array(validationResult);
	},
});

/** Empty when the peer cannot be told any more. */
export const deletionResult = z.object({ notificationId: z.string().optional() });

const position = z.object({ offset: z.number(), line: z.number(), column: z.number() });

export const iqlValidationResult = z.union([
	z.object({ isValid: z.literal(true) }),
	z.object({
		isValid: z.literal(false),
		error: z.object({
			message: z.string(),
			location: z.object({ start: position, end: position }),
		}),
	}),
]);

export const attributeTag = z.object({
	displayNames: z.record(z.string(), z.string()),
	get children() {
		return z.record(z.string(), attributeTag).optional();
	},
});

/** AttributeTagCollectionDTO (docs/protocol/http-api.md 7.2) */
export const tagCollectionResult = z.object({
	supportedLanguages: z.array(z.string()),
	tagsForAttributeValueTypes: z.record(z.string(), z.record(z.string(), attributeTag)),
});
