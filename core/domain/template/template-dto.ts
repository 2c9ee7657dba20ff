import { templateContents } from '../../model/content/template-content';
import { referenceTo, toPasswordProtectionDto, toReferenceDto } from '../password-protection';
import type { TemplateDto, TemplateRecord, TemplateSecrets } from '../../model/record/template';

/**
 * Maps a stored template to its public form, which wraps content of any other type
 * (docs/protocol/transport.md 16.2).
 */
export function toTemplateDto(
	record: TemplateRecord,
	secrets: Pick<TemplateSecrets, 'secretKey' | 'passwordProtection'>,
	backboneBaseUrl: string,
): TemplateDto {
	const {
		identity: _i,
		templateKey: _k,
		deletedAt: _d,
		acceptUnprovenAnswers: _w,
		allocationsExhausted: _a,
		generation: _g,
		content,
		...shown
	} = record;
	return {
		...shown,
		...(secrets.passwordProtection === undefined
			? {}
			: { passwordProtection: toPasswordProtectionDto(secrets.passwordProtection) }),
		content: templateContents.isKnown(content)
			? content
			: { '@type': 'ArbitraryRelationshipTemplateContent', value: content },
		...toReferenceDto(referenceTo(record, secrets, backboneBaseUrl)),
	};
}
