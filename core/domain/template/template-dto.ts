import { publicMembers } from '../../model/json';
import { templateContents } from '../../model/content/template-content';
import { referenceTo, toPasswordProtectionDto, toReferenceDto } from '../password-protection';
import {
	templateDtoSchema,
	type TemplateDto,
	type TemplateRecord,
	type TemplateSecrets,
} from '../../model/record/template';

/**
 * Maps a stored template to its public form, which wraps content of any other type
 * (docs/protocol/transport.md 16.2).
 */
export function toTemplateDto(
	record: TemplateRecord,
	secrets: Pick<TemplateSecrets, 'secretKey' | 'passwordProtection'>,
	backboneBaseUrl: string,
): TemplateDto {
	const { content } = record;
	const { passwordProtection } = secrets;
	return publicMembers(templateDtoSchema, {
		...record,
		passwordProtection: passwordProtection && toPasswordProtectionDto(passwordProtection),
		content: templateContents.isKnown(content)
			? content
			: { '@type': 'ArbitraryRelationshipTemplateContent', value: content },
		...toReferenceDto(referenceTo(record, secrets, backboneBaseUrl)),
	});
}
