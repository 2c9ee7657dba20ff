import { isJsonOfType, wrapContent } from '../content-wrapping';
import {
	passwordLocationDto,
	type SharedPasswordProtection,
} from '../../model/password-protection';
import {
	truncateForIdentity,
	writeReferenceUrl,
	writeTruncatedReference,
	type Reference,
} from '../../model/reference';
import type {
	StoredPasswordProtection,
	TemplateDto,
	TemplateRecord,
	TemplateSecrets,
} from '../../model/record/template';

const templateContentTypes = [
	'RelationshipTemplateContent',
	'ArbitraryRelationshipTemplateContent',
];

/** The reference of a template, with the configured Backbone address also for peers' templates. */
export function referenceOf(
	record: Pick<TemplateRecord, 'id' | 'forIdentity'>,
	secrets: Pick<TemplateSecrets, 'secretKey' | 'passwordProtection'>,
	backboneBaseUrl: string,
): Omit<Reference, 'kind'> {
	return {
		id: record.id,
		backboneBaseUrl,
		key: secrets.secretKey,
		...(record.forIdentity === undefined
			? {}
			: { forIdentityTruncated: truncateForIdentity(record.forIdentity) }),
		...(secrets.passwordProtection === undefined
			? {}
			: { passwordProtection: sharedPart(secrets.passwordProtection) }),
	};
}

/** docs/protocol/transport.md 16.2 */
export function toTemplateDto(
	record: TemplateRecord,
	secrets: Pick<TemplateSecrets, 'secretKey' | 'passwordProtection'>,
	backboneBaseUrl: string,
): TemplateDto {
	const reference = referenceOf(record, secrets, backboneBaseUrl);
	const truncated = writeTruncatedReference(reference);
	const { identity: _identity, templateKey: _templateKey, content, ...shown } = record;
	return {
		...shown,
		...(secrets.passwordProtection === undefined
			? {}
			: { passwordProtection: passwordDto(secrets.passwordProtection) }),
		content: isJsonOfType(content, templateContentTypes)
			? content
			: wrapContent('ArbitraryRelationshipTemplateContent', content),
		truncatedReference: truncated,
		reference: { truncated, url: writeReferenceUrl(reference) },
	};
}

/** What a reference says: never the password itself. */
function sharedPart(stored: StoredPasswordProtection): SharedPasswordProtection {
	const { passwordType, salt, passwordLocationIndicator } = stored;
	return {
		passwordType,
		salt,
		...(passwordLocationIndicator === undefined ? {} : { passwordLocationIndicator }),
	};
}

function passwordDto(stored: StoredPasswordProtection): TemplateDto['passwordProtection'] {
	return {
		password: stored.password,
		...(stored.passwordType.startsWith('pin') ? { passwordIsPin: true as const } : {}),
		...(stored.passwordLocationIndicator === undefined
			? {}
			: { passwordLocationIndicator: passwordLocationDto(stored.passwordLocationIndicator) }),
	};
}
