import * as z from 'zod';
import {
	successionRecordsSchema,
	type AttributeDto,
	type AttributeRecord,
	type SuccessionDto,
} from '../../model/record/attribute';

/** Only the answer to the creation of an attribute has its `owner` (docs/protocol/interface-summary.md 2.1). */
export function withoutOwner({ owner: _owner, ...record }: AttributeDto): AttributeRecord {
	return record;
}

export const allWithoutOwner = (found: readonly AttributeDto[]): AttributeRecord[] =>
	found.map(withoutOwner);

/** Closed: clients refuse members that they do not know (docs/protocol/http-api.md 18.4). */
export function successionAnswer<Given extends SuccessionDto>(given: Given) {
	const { predecessor, successor, ...rest } = given;
	return { predecessor: withoutOwner(predecessor), successor: withoutOwner(successor), ...rest };
}

export const notifiedSuccessionResult = successionRecordsSchema.extend({
	notificationId: z.string(),
});

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
