import * as z from 'zod';
import { safeParse } from '../base/schema-parse';
import { encodeBase64, decodeBase64, decodeBase64Url, encodeBase64Url } from '../base/encoding';
import { referenceErrors } from './reference-errors';

/**
 * Password protection of templates and tokens: input of callers, part of a reference, and names of
 * locations. Source: docs/protocol/crypto-and-identity.md 14.1, 15.1
 */
const passwordLocations = [
	'RecoveryKit',
	'Self',
	'Letter',
	'RegistrationLetter',
	'Email',
	'SMS',
	'Website',
] as const;
export type PasswordLocation = (typeof passwordLocations)[number];

/**
 * Protection as a reference states it; never contains the password of this account's own objects.
 */
export interface SharedPasswordProtection {
	/** `pw`, or `pin4` to `pin16` */
	readonly passwordType: string;
	/** base64url of 16 bytes */
	readonly salt: string;
	/** 0 to 99 */
	readonly passwordLocationIndicator?: number;
	/** present only in references of some newer runtimes, which include the password */
	readonly password?: string;
}

/** Protection of a stored object. */
export const storedPasswordProtectionSchema = z.object({
	/** `pw`, or `pin` and the number of digits */
	passwordType: z.string(),
	/** base64url of the 16 salt bytes */
	salt: z.string(),
	passwordLocationIndicator: z.number().int().optional(),
	/** clear text, because callers read it back and the hash is recomputed for each load */
	password: z.string(),
});
export type StoredPasswordProtection = z.infer<typeof storedPasswordProtectionSchema>;

/** Protection as callers see it. */
export const passwordProtectionDtoSchema = z.object({
	/** password or PIN in clear text */
	password: z.string(),
	/** set for a PIN of 4 to 16 digits */
	passwordIsPin: z.literal(true).optional(),
	/** where the reader finds the password, for example `Letter`, or a number from 50 to 99 */
	passwordLocationIndicator: z.union([z.string(), z.number()]).optional(),
});
/** Protection of a template or token by a password or PIN. */
export type PasswordProtectionDto = z.infer<typeof passwordProtectionDtoSchema>;

const passwordTypeForm = /^(pw|pin([4-9]|1[0-6]))$/;
const pinForm = /^[0-9]{4,16}$/;
const saltLength = 16;

export function isPasswordType(text: string): boolean {
	return passwordTypeForm.test(text);
}

const locationNames: readonly string[] = passwordLocations.slice(1);

/** Message of the official gateway, word for word (docs/protocol/http-api.md 5.3). */
export const passwordLocationRule = `must be a number from 50 to 99 or one of the following strings: ${locationNames.join(', ')}`;

/** Input for the creation of a protected object. */
const passwordProtectionInputSchema = z
	.object({
		/** password, or a PIN of digits */
		password: z.string().min(1, 'must not be empty'),
		/** set for a PIN of 4 to 16 digits */
		passwordIsPin: z.literal(true).optional(),
		/** where the reader finds the password: a name such as `Letter`, or a number from 50 to 99 */
		passwordLocationIndicator: z.union([z.number(), z.string()]).optional(),
	})
	.check((context) => {
		const { password, passwordIsPin, passwordLocationIndicator: location } = context.value;
		const report = (member: string, message: string): void => {
			context.issues.push({
				code: 'custom',
				input: context.value,
				path: [member],
				message,
			});
		};
		if (passwordIsPin === true && !pinForm.test(password)) {
			report('password', 'must consist of 4 to 16 digits');
		}
		if (location !== undefined && !isPasswordLocationInput(location)) {
			report('passwordLocationIndicator', passwordLocationRule);
		}
	});
/** Password or PIN for a new template or token. */
export type PasswordProtectionInput = z.infer<typeof passwordProtectionInputSchema>;

/**
 * Validates the input of a new protection; the caller generates the salt.
 *
 * @throws `error.runtime.validation.invalidPropertyValue`
 * @throws `error.runtime.requestDeserialization` for a number of the right size with a fraction
 */
export function readPasswordProtectionInput(input: unknown): {
	password: string;
	passwordType: string;
	passwordLocationIndicator?: number;
} {
	const result = safeParse(passwordProtectionInputSchema, input);
	if (!result.success) {
		const [issue] = result.error.issues;
		const member = ['passwordProtection', ...(issue?.path ?? [])].join('.');
		const message =
			issue?.message === passwordLocationRule
				? passwordLocationRule
				: `${member}: ${issue?.message ?? 'not a password protection'}`;
		throw referenceErrors.create('invalidInput', { message });
	}
	const { password, passwordIsPin, passwordLocationIndicator: location } = result.data;
	const passwordType = passwordIsPin === true ? `pin${password.length}` : 'pw';
	if (location === undefined) return { password, passwordType };
	return { password, passwordType, passwordLocationIndicator: locationNumber(location) };
}

/** Names the locations 0 to 6; returns other numbers unchanged. */
export function passwordLocationDto(location: number): PasswordLocation | number {
	return passwordLocations[location] ?? location;
}

/** Writes `<type>&<salt>`, followed by `&<location>` if there is one; empty without protection. */
export function writePasswordPart(protection: SharedPasswordProtection | undefined): string {
	if (protection === undefined) return '';
	const salt = decodeBase64Url(protection.salt);
	if (salt?.length !== saltLength) throw new TypeError('A salt has 16 bytes as base64url');
	const parts: Array<string | number> = [protection.passwordType, encodeBase64(salt)];
	if (protection.passwordLocationIndicator !== undefined) {
		parts.push(protection.passwordLocationIndicator);
	}
	return parts.join('&');
}

/**
 * Parses two to four parts; location and password may be empty, as newer runtimes write them. A
 * password may contain the separator.
 *
 * @throws `error.core-types.invalidTruncatedReference`
 */
export function readPasswordPart(part: string): SharedPasswordProtection | undefined {
	if (part === '') return undefined;
	const [passwordType = '', saltText, location = '', ...rest] = part.split('&');
	const salt = saltText === undefined ? undefined : decodeBase64(saltText);
	const locationIsValid = location === '' || /^[0-9]{1,2}$/.test(location);
	if (!isPasswordType(passwordType) || salt?.length !== saltLength || !locationIsValid) {
		const message =
			'Expected a password part of type, salt of 16 bytes and location 0 to 99, found another';
		throw referenceErrors.create('invalidTruncatedReference', { message });
	}
	const password = rest.join('&');
	return {
		passwordType,
		salt: encodeBase64Url(salt),
		...(location === '' ? {} : { passwordLocationIndicator: Number(location) }),
		...(password === '' ? {} : { password }),
	};
}

export function isPasswordLocationInput(location: string | number): boolean {
	if (typeof location === 'string') return locationNames.includes(location);
	return location >= 50 && location <= 99;
}

function locationNumber(location: string | number): number {
	const number =
		typeof location === 'number'
			? location
			: passwordLocations.findIndex((name) => name === location);
	if (Number.isInteger(number)) return number;
	const message = `passwordProtection.passwordLocationIndicator: ${number} is not an integer`;
	throw referenceErrors.create('invalidField', { message });
}
