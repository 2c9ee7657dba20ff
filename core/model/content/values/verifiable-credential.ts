import * as z from 'zod';
import { safeParse } from '../../../base/schema-parse';
import { isJsonObject, ownMember, type JsonObject } from '../../json';
import { contentType, report, tagged } from '../content-type';
import { isKnownContentType } from '../content-types';
import { listField } from '../fields';
import { jsonField } from './value-kinds';

/*
 * Credentials and presentations (docs/protocol/generation-7.md 4.5, 11). They are kept, shown and
 * passed on. Nothing in them is verified, neither signatures nor contents, and no address in them
 * is fetched.
 */

const maxCredentialLength = 52_428_800;

/** Pictures of a credential, which are files of the identity that stores it. */
export const displayInformationCachedImages = contentType('DisplayInformationCachedImages', () => ({
	/** language for which the pictures are meant */
	locale: z.string().optional(),
	/** truncated reference of the file with the logo */
	logo: z.string().optional(),
	/** truncated reference of the file with the background */
	backgroundImage: z.string().optional(),
}));

const images = tagged(() => [displayInformationCachedImages]);

/** Object without a type of its own, or of another known type, which is kept unchanged. */
const isKeptUnchanged = (value: JsonObject): boolean => {
	const type = ownMember(value, '@type');
	if (type === undefined) return true;
	return type !== displayInformationCachedImages.name && isKnownContentType(String(type));
};

const displayedObject = z.transform((value, context): JsonObject => {
	if (isJsonObject(value) && isKeptUnchanged(value)) return value;
	const result = safeParse(images, value);
	return result.success ? result.data : report(result.error, context);
});

const displayedList = () => listField<JsonObject>(displayedObject, { required: false }).optional();

/** Members that credentials and presentations share. */
export const presentedShape = () => ({
	/** compact SD-JWT, or an object; not verified */
	value: jsonField(maxCredentialLength),
	/** format of the value, for example `dc+sd-jwt` */
	type: z.string().optional(),
	/** how the issuer wants it to be shown, an object for each language */
	displayInformation: displayedList(),
});

/** Credential as the value of an identity attribute; it is not verified. */
export const verifiableCredential = contentType('VerifiableCredential', () => ({
	...presentedShape(),
	/** stored pictures, an object for each language */
	displayInformationCachedImages: displayedList(),
}));
