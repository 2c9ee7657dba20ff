import * as z from 'zod';
import {
	successionWithoutOwnerDtoSchema,
	type AttributeDto,
	type AttributeWithoutOwnerDto,
	type SuccessionDto,
} from '../../model/record/attribute';

/**
 * Attribute without `owner` at its top, as succession results have always shown it: clients compare
 * them with closed schemas (docs/protocol/http-api.md 18.2).
 */
function withoutOwner({ owner: _owner, ...record }: AttributeDto): AttributeWithoutOwnerDto {
	return record;
}

/**
 * Schema without further members, because clients refuse unknown ones (docs/protocol/http-api.md
 * 18.4).
 */
export function successionAnswer<Given extends SuccessionDto>(given: Given) {
	const { predecessor, successor, ...rest } = given;
	return { predecessor: withoutOwner(predecessor), successor: withoutOwner(successor), ...rest };
}

export const notifiedSuccessionResult = successionWithoutOwnerDtoSchema.extend({
	notificationId: z.string(),
});

/**
 * Result of a check: a failed check is a regular answer and not an error (docs/protocol/http-api.md
 * 8.3, 8.11).
 */
export const canCreateResult = z.union([
	z.object({ isSuccess: z.literal(true) }),
	z.object({ isSuccess: z.literal(false), code: z.string(), message: z.string() }),
]);

/** RequestValidationResultDTO (docs/protocol/http-api.md 7.2), with one nested entry per item. */
export const validationResult = z.object({
	isSuccess: z.boolean(),
	code: z.string().optional(),
	message: z.string().optional(),
	get items() {
		return z.array(validationResult);
	},
});

/** Result of a deletion; empty if the peer cannot be notified any more. */
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
