import type { Cancellable } from '../../base/abort';
import { isoInstant, type Clock } from '../../base/clock';
import { asSecretKey } from '../../crypto/keys';
import {
	readPasswordProtectionInput,
	type PasswordProtectionInput,
	type StoredPasswordProtection,
} from '../../model/password-protection';
import type { TokenDto } from '../../model/record/token';
import { writeTemplateTokenContent } from '../token/token-contents';
import { invalid, tokenForObjectInputSchema } from '../token/token-input';
import type { TokenService } from '../token/token-service';
import { parseInput } from '../validation';
import { templateErrors } from './template-errors';
import type { TemplateService } from './template-service';

/** A token for a template that never expires has to expire at some time. */
const defaultLifetimeMs = 12 * 24 * 3_600_000;

/** Tokens that lead to own templates (docs/protocol/transport.md 9). */
export class TemplateTokens {
	constructor(
		private readonly templates: TemplateService,
		private readonly tokens: TokenService,
		private readonly clock: Clock,
	) {}

	/**
	 * It lives as long as the template and is not kept here unless told otherwise. Who a template is
	 * for and what protects it holds for its tokens as well, so both have to be given again.
	 *
	 * @throws `error.runtime.recordNotFound`,
	 * `error.runtime.relationshipTemplates.cannotCreateTokenForPeerTemplate`,
	 * `error.runtime.relationshipTemplates.personalizationMustBeInherited`,
	 * `error.runtime.relationshipTemplates.passwordProtectionMustBeInherited`,
	 * `error.runtime.validation.invalidPropertyValue`
	 */
	async create(id: string, input: unknown = {}, options: Cancellable = {}): Promise<TokenDto> {
		const parsed = parseInput(tokenForObjectInputSchema, input, invalid);
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
				message: 'The template is protected by a password, the token not in the same way.',
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

/** The same password, of the same kind, from the same place. */
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
