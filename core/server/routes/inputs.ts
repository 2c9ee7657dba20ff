import * as z from 'zod';
import { idPrefixes, type IdKind } from '../../model/ids';
import { isExpired, parseInstant } from '../../model/instant';
import { jsonSchema } from '../../model/json';
import { isPasswordLocationInput, passwordLocationRule } from '../../model/password-protection';
import { systemClock } from '../../base/clock';
import { kindsLoadable, looksLikeReference, type LoadTarget } from '../../model/loadable-reference';
import { wholeText } from '../input/violation';

/*
 * Input schemas that several routes share. They answer with the messages of the official gateway;
 * the use cases validate again, and more strictly (docs/protocol/http-api.md 5).
 */

export function id(kind: IdKind): z.ZodType<string> {
	const pattern = `${idPrefixes[kind]}[A-Za-z0-9]{17}`;
	return z.string().regex(new RegExp(pattern), `must match pattern ${pattern}`);
}

/**
 * Id of a request, which official software does not check: text in any form is answered like an id
 * that is not known (docs/protocol/http-api.md 8.8).
 */
export const anyRequestId = z
	.string()
	.transform((text) => (/^[ -~]{1,100}$/.test(text) ? text : noRequest));
/** text that is the id of no request */
const noRequest = '-';

const addressPattern =
	'did:e:((([A-Za-z0-9]+(-[A-Za-z0-9]+)*)\\.)+[a-z]{2,}|localhost):dids:[0-9a-f]{22}';

export const address = z
	.string()
	.max(2_000)
	.regex(new RegExp(addressPattern), `must match pattern ${addressPattern}`);

export const instant = z
	.string()
	.refine((text) => parseInstant(text) !== undefined, 'must match ISO8601 datetime format');

/** Any JSON value except null. */
export const anyJson = jsonSchema;

/** Content, which the use case validates. */
export const content = <Input>(): z.ZodType<Input> => judgedBody(jsonSchema);

/** Gives the type of an input to what the use case judges: the one place for all routes. */
function judgedBody<Input>(schema: z.ZodType): z.ZodType<Input> {
	// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the use case judges the input again
	return schema as z.ZodType<Input>;
}

/** Object without further members; a time of expiry must be in the future. */
export function body<Shape extends z.ZodRawShape>(
	shape: Shape,
): z.ZodObject<Shape, z.core.$strict> {
	const schema = z.strictObject(shape);
	if (!('expiresAt' in shape)) return schema;
	return schema.check((context) => {
		const { expiresAt } = context.value as { expiresAt?: string };
		// Reported only if the members themselves are valid.
		if (context.issues.length > 0) return;
		if (expiresAt === undefined || !isExpired(expiresAt, systemClock.now())) return;
		context.issues.push({
			code: 'custom',
			message: "'expiresAt' must be in the future",
			input: context.value,
		});
	});
}

const pin = /^[0-9]{4,16}$/;

const passwordProtection = z
	.strictObject({
		password: z.string().min(1).max(1_000),
		passwordIsPin: z.literal(true).optional(),
		passwordLocationIndicator: z
			.union([z.number(), z.string()])
			.refine(isPasswordLocationInput, { message: passwordLocationRule, params: wholeText })
			.optional(),
	})
	.refine(({ password, passwordIsPin }) => passwordIsPin !== true || pin.test(password), {
		path: ['password'],
		message: 'must consist of 4 to 16 digits from 0 to 9',
	});

/** Members that restrict who may load an object, and for how long. */
export const sharing = {
	forIdentity: address.optional(),
	passwordProtection: passwordProtection.optional(),
};

/** Body with a reference; the use case validates the reference's form and words the errors. */
export function referenceBody<Extra extends z.ZodRawShape>(
	target: LoadTarget,
	extra: Extra,
): z.ZodObject<typeof reference.shape & Extra, z.core.$strict> {
	return reference
		.extend({
			reference: z
				.string()
				.refine((text) => looksLikeReference(text, kindsLoadable(target)), 'must be a reference'),
		})
		.extend(extra);
}

const reference = z.strictObject({
	reference: z.string(),
	password: z.string().min(1).max(1_000).optional(),
});

/** Accepts `true` in any letter case; other text means false. */
export function flag(fallback: boolean): z.ZodType<boolean> {
	return z
		.string('must be a single value')
		.optional()
		.transform((text) => (text === undefined ? fallback : text.toLowerCase() === 'true'));
}

/** Width and height of a QR code in pixels; an answer without picture ignores it. */
export const pictureSize = z.object({ size: z.unknown().optional() });

export const qrCodeQuery = pictureSize.extend({ newQRCodeFormat: flag(false) });

/**
 * Fields that every record of their list has. An empty value asks whether a field exists
 * (docs/protocol/http-api.md 6.1): here it can only be a mistake, which would return everything.
 */
const fieldsOfEveryRecord = new Set([
	...['id', 'peer', 'status', 'template.id', 'templateId', 'isOwn', 'createdAt', 'createdBy'],
	...['createdByDevice', 'recipients.address', 'participant', 'filename', 'filesize', 'mimetype'],
	...['content.@type', 'content.owner', 'content.value.@type', 'source.type', 'source.reference'],
]);
const hasText = (given: string | readonly string[]): boolean =>
	typeof given === 'string' ? given !== '' : given.every((text) => text !== '');

type FilterSchema = z.ZodType<string | string[]>;

/** Accepts one or several values for each field, and for some fields only one. */
export function filterSchema(
	several: readonly string[],
	single: readonly string[] = [],
): z.ZodObject<Record<string, z.ZodOptional<FilterSchema>>, z.core.$strict> {
	const values = z.union([z.string(), z.array(z.string())], 'must be string,array');
	const entryOf = (field: string, schema: FilterSchema): [string, z.ZodOptional<FilterSchema>] => [
		field,
		fieldsOfEveryRecord.has(field)
			? schema.refine(hasText, 'must NOT have fewer than 1 characters').optional()
			: schema.optional(),
	];
	return z.strictObject(
		Object.fromEntries([
			...several.map((field) => entryOf(field, values)),
			...single.map((field) => entryOf(field, z.string())),
		]),
	);
}

/** Body whose members the use case validates, because their errors have codes of their own. */
export const unchecked = <Input extends object>(
	...names: ReadonlyArray<keyof Input & string>
): z.ZodType<Input> =>
	judgedBody(
		z.looseObject(Object.fromEntries(names.map((name) => [name, z.unknown().optional()]))),
	);
