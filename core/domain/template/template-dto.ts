import { isJsonOfType, wrapContent } from '../content-wrapping';
import { referenceTo, toPasswordProtectionDto, toReferenceDto } from '../password-protection';
import type { TemplateDto, TemplateRecord, TemplateSecrets } from '../../model/record/template';

const templateContentTypes = [
	'RelationshipTemplateContent',
	'ArbitraryRelationshipTemplateContent',
];

/** Maps a stored template to its public form (docs/protocol/transport.md 16.2). */
export function toTemplateDto(
	record: TemplateRecord,
	secrets: Pick<TemplateSecrets, 'secretKey' | 'passwordProtection'>,
	backboneBaseUrl: string,
): TemplateDto {
	const {
		identity: _i,
		templateKey: _k,
		deletedAt: _d,
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
		content: isJsonOfType(content, templateContentTypes)
			? content
			: wrapContent('ArbitraryRelationshipTemplateContent', content),
		...toReferenceDto(referenceTo(record, secrets, backboneBaseUrl)),
	};
}
