import { safeParse } from '../../base/schema-parse';
import type { Reference } from '../../model/reference';
import type { JsonObject } from '../../model/json';
import { templateTokenContentSchema } from '../token/token-contents';
import { templateErrors } from './template-errors';

/**
 * Reads the template reference in a token (docs/protocol/crypto-and-identity.md 5.5).
 *
 * @throws `error.runtime.invalidTokenContent`
 */
export function readTokenContent(content: JsonObject): Reference & { forIdentity?: string } {
	const parsed = safeParse(templateTokenContentSchema, content);
	if (!parsed.success) {
		throw templateErrors.create('invalidTokenContent', {
			message: 'The token does not hold a relationship template.',
		});
	}
	const { templateId, secretKey, forIdentity, passwordProtection: shared } = parsed.data;
	return {
		kind: 'template',
		id: templateId,
		key: secretKey,
		...(forIdentity === undefined ? {} : { forIdentity }),
		...(shared === undefined
			? {}
			: {
					passwordProtection: {
						passwordType: shared.passwordType,
						salt: shared.salt,
						...(shared.passwordLocationIndicator === undefined
							? {}
							: { passwordLocationIndicator: shared.passwordLocationIndicator }),
					},
				}),
	};
}
