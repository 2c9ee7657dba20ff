import * as z from 'zod';
import { idPrefixes, type IdKind } from '../../model/ids';
import { isExpired, parseInstant } from '../../model/instant';
import { jsonSchema } from '../../model/json';
import { isPasswordLocationInput, passwordLocationRule } from '../../model/password-protection';
import { systemClock } from '../../base/clock';
import { kindsLoadable, looksLikeReference, type LoadTarget } from '../../model/loadable-reference';
import { wholeText } from '../input/violation';

/*
 * Input schemas that several routes share. They answer with the messages of the official gateway; the
 * use cases validate again, and more strictly (docs/protocol/http-api.md 5).
 */

export function id(kind: IdKind): z.ZodType<string> {
	const pattern = `${idPrefixes[kind]}[A-Za-z0-9]{17}`;
	return z.string().regex(new RegExp(pattern), `must match pattern ${pattern}`);
}

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
		.extend(extra) as never;
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

export const newQRCodeFormat = z.object({ newQRCodeFormat: flag(false) });

/** Accepts one or several values for each field, and for some fields only one. */
export function filterSchema(
	several: readonly string[],
	single: readonly string[] = [],
): z.ZodObject<Record<string, z.ZodOptional<z.ZodType>>, z.core.$strict> {
	const values = z.union([z.string(), z.array(z.string())], 'must be string,array').optional();
	return z.strictObject({
		...Object.fromEntries(several.map((field) => [field, values])),
		...Object.fromEntries(single.map((field) => [field, z.string().optional()])),
	});
}

/** Body whose members the use case validates, because their errors have codes of their own. */
export const unchecked = <const Name extends string>(
	...names: readonly Name[]
): z.ZodType<Partial<Record<Name, unknown>>> =>
	z.looseObject(Object.fromEntries(names.map((name) => [name, z.unknown().optional()]))) as never;
