import { z } from 'zod';
import { identityValueTypes, relationshipValueTypes } from './content-types';
import { contentType, namedType, textField, type ContentType } from './fields';

const domainLetter = 'A-Za-z0-9ÄäÖöÜüß';
const label = `[${domainLetter}](?:[${domainLetter}-]{0,61}[${domainLetter}])?`;
const lastLabel = `[${domainLetter}][${domainLetter}-]{0,61}[${domainLetter}]`;
const atom = "[A-Za-z0-9!#$%&'*+/=?^_{|}~`-]+";

/** docs/protocol/content.md 7.5. Each repetition ends at a character it cannot contain itself. */
const emailFormat = new RegExp(`^${atom}(?:\\.${atom})*@(?:${label}\\.)+${lastLabel}$`);

const shortName = { value: textField(100) };

/** Identity attribute values whose rules are built; the others are known by name. */
export const builtIdentityValues = {
	DisplayName: contentType('DisplayName', shortName),
	GivenName: contentType('GivenName', shortName),
	Surname: contentType('Surname', shortName),
	EMailAddress: contentType('EMailAddress', {
		value: z.string().min(3).max(254).regex(emailFormat, 'not an e-mail address'),
	}),
} as const satisfies Record<string, ContentType>;

export type BuiltIdentityValueType = keyof typeof builtIdentityValues;

export function isBuiltIdentityValueType(type: string): type is BuiltIdentityValueType {
	return Object.hasOwn(builtIdentityValues, type);
}

export const identityValues: readonly ContentType[] = identityValueTypes.map((name) =>
	isBuiltIdentityValueType(name) ? builtIdentityValues[name] : namedType(name),
);

export const relationshipValues: readonly ContentType[] = relationshipValueTypes.map((name) =>
	namedType(name),
);
