import type { Cancellable } from '../../base/abort';
import { isoInstant, type Clock } from '../../base/clock';
import { asSecretKey } from '../../crypto/keys';
import { tokenForObjectInputSchema } from '../../model/input/token';
import {
	readPasswordProtectionInput,
	type PasswordProtectionInput,
	type StoredPasswordProtection,
} from '../../model/password-protection';
import type { TokenDto } from '../../model/record/token';
import { writeTemplateTokenContent } from '../token/token-contents';
import type { TokenService } from '../token/token-service';
import { parseInput } from '../validation';
import { templateErrors } from './template-errors';
import type { TemplateService } from './template-service';

/** Lifetime of a token for a template that never expires, because each token must expire. */
const defaultLifetimeMs = 12 * 24 * 3_600_000;

/** Creates tokens that refer to templates of this account (docs/protocol/transport.md 9). */
export class TemplateTokens {
	constructor(
		private readonly templates: TemplateService,
		private readonly tokens: TokenService,
		private readonly clock: Clock,
	) {}

	/**
	 * Creates a token that by default expires with the template and is not stored here. A
	 * personalization or password of the template holds for its tokens as well, so the caller has to
	 * give both again.
	 *
	 * @throws `error.runtime.recordNotFound`,
	 * `error.runtime.relationshipTemplates.cannotCreateTokenForPeerTemplate`,
	 * `error.runtime.relationshipTemplates.personalizationMustBeInherited`,
	 * `error.runtime.relationshipTemplates.passwordProtectionMustBeInherited`,
	 * `error.runtime.validation.invalidPropertyValue`
	 */
	async create(id: string, input: unknown = {}, options: Cancellable = {}): Promise<TokenDto> {
		const parsed = parseInput(tokenForObjectInputSchema, input);
		const { record, secrets } = await this.templates.find(id, options);
		if (!record.isOwn) {
			throw templateErrors.create('cannotCreateTokenForPeerTemplate', {
				message: `The template '${id}' belongs to a peer.`,
				facts: { templateId: id },
			});
		}
		const { forIdentity } = record;
		if (forIdentity !== undefined && forIdentity !== parsed.forIdentity) {
			throw templateErrors.create('personalizationMustBeInherited', {
				message: `The template is meant for '${forIdentity}', the token is not.`,
				facts: { field: 'forIdentity' },
			});
		}
		const { passwordProtection: protection } = secrets;
		if (protection !== undefined && !isInherited(protection, parsed.passwordProtection)) {
			throw templateErrors.create('passwordProtectionMustBeInherited', {
				message:
					'The template is protected by a password, but the token is not protected in the same way.',
				facts: { field: 'passwordProtection' },
			});
		}
		const content = writeTemplateTokenContent({
			templateId: id,
			secretKey: asSecretKey(secrets.secretKey),
			forIdentity,
			passwordProtection: protection,
		});
		const ends = record.expiresAt ?? isoInstant(this.clock.now() + defaultLifetimeMs);
		const { expiresAt = ends } = parsed;
		return await this.tokens.createFor({ ...parsed, expiresAt, content }, options);
	}
}

/** True for the same password of the same kind and location. */
function isInherited(
	stored: StoredPasswordProtection,
	input: PasswordProtectionInput | undefined,
): boolean {
	if (input === undefined) return false;
	const given = readPasswordProtectionInput(input);
	return (
		given.password === stored.password &&
		given.passwordType === stored.passwordType &&
		given.passwordLocationIndicator === stored.passwordLocationIndicator
	);
}
