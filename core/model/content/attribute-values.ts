import { identityValueTypes, relationshipValueTypes } from './content-types';
import { contentType, namedType, type ContentType } from './content-type';
import { textField } from './fields';

const domainLetter = 'A-Za-z0-9ÄäÖöÜüß';
const label = `[${domainLetter}](?:[${domainLetter}-]{0,61}[${domainLetter}])?`;
const lastLabel = `[${domainLetter}][${domainLetter}-]{0,61}[${domainLetter}]`;
const atom = "[A-Za-z0-9!#$%&'*+/=?^_{|}~`-]+";

/** docs/protocol/content.md 7.5. Each repetition ends at a character that it cannot contain itself. */
const email = {
	pattern: new RegExp(`^${atom}(?:\\.${atom})*@(?:${label}\\.)+${lastLabel}$`),
	name: 'an e-mail address',
};

const text = (name: string, limits: Parameters<typeof textField>[0]): ContentType =>
	contentType(name, () => ({ value: textField(limits) }), { bare: 'string' });

/**
 * Identity attribute values whose rules are built; the others are known by name only
 * (docs/protocol/content.md 7.3). One entry per type.
 */
export const builtIdentityValues = {
	DisplayName: text('DisplayName', { max: 100 }),
	GivenName: text('GivenName', { max: 100 }),
	Surname: text('Surname', { max: 100 }),
	EMailAddress: text('EMailAddress', { min: 3, max: 254, format: email }),
} as const satisfies Record<string, ContentType>;

export type BuiltIdentityValueType = keyof typeof builtIdentityValues;

export function isBuiltIdentityValueType(type: string): type is BuiltIdentityValueType {
	return Object.hasOwn(builtIdentityValues, type);
}

export const identityValues = (): readonly ContentType[] =>
	identityValueTypes.map((name) =>
		isBuiltIdentityValueType(name) ? builtIdentityValues[name] : namedType(name),
	);

export const relationshipValues = (): readonly ContentType[] =>
	relationshipValueTypes.map((name) => namedType(name));
