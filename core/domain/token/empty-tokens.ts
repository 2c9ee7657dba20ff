import type { Cancellable } from '../../base/abort';
import { canonicalJson } from '../../base/canonical-json';
import { isGatewayError, type GatewayError } from '../../base/errors';
import { asSecretKey } from '../../crypto/keys';
import { fillTokenInputSchema } from '../../model/input/token';
import type { JsonObject } from '../../model/json';
import { readLoadableReference, requireLoadable } from '../../model/loadable-reference';
import type { Reference } from '../../model/reference';
import type { TokenDto } from '../../model/record/token';
import { passwordForBackbone, protectionOfReference } from '../password-protection';
import { parseInput } from '../validation';
import { passwordFor, toOpenedToken, type OpenedToken } from './token-dto';
import { sealTokenWith } from './token-envelope';
import { prepareTokenContent } from './token-input';
import type { TokenService } from './token-service';

const filledAlready = 'error.platform.token.contentUpdateNotPossibleBecauseContentAlreadyExists';

/**
 * Tokens of later 6.x and 7 that are created without content, by a party that shows the reference
 * and waits. The account that fills such a token becomes its creator (docs/protocol/backbone-api.md
 * 17.3).
 */
export class EmptyTokens {
	constructor(private readonly tokens: TokenService) {}

	/**
	 * @throws `error.runtime.invalidTokenContent`, `error.runtime.recordNotFound`,
	 * `error.transport.noPasswordProvided`, `error.transport.general.notIntendedForYou`,
	 * `error.platform.token.contentUpdateNotPossibleBecauseContentAlreadyExists`,
	 * `error.platform.token.tooManyFailedPasswordAttempts`
	 */
	async fill(input: unknown, options: Cancellable = {}): Promise<TokenDto> {
		const parsed = parseInput(fillTokenInputSchema, input);
		const content = prepareTokenContent(parsed.content);
		const reference = readLoadableReference(parsed.reference, 'token');
		const password = passwordFor(reference, parsed.password);
		requireLoadable(reference, { password, address: this.tokens.dependencies.account.address });
		const token = await this.put(reference, password, content, options);
		if (!parsed.ephemeral) await this.tokens.keep(token);
		return this.tokens.toDto(token, parsed.ephemeral);
	}

	private async put(
		reference: Reference,
		password: string | undefined,
		content: JsonObject,
		options: Cancellable,
	): Promise<OpenedToken> {
		const { account, backbone, random } = this.tokens.dependencies;
		const protection = protectionOfReference(reference, password);
		const body = {
			newContent: sealTokenWith(content, asSecretKey(reference.key), random),
			password: await passwordForBackbone(protection, options),
		};
		try {
			const { createdAt, expiresAt, forIdentity } = await backbone.tokens.updateContent(
				reference.id,
				body,
				options,
			);
			const creator = { createdBy: account.address, createdByDevice: account.deviceId };
			const shown = { ...creator, createdAt, expiresAt, forIdentity };
			return toOpenedToken(reference, protection, shown, content, account.address);
		} catch (error) {
			if (!isGatewayError(error, filledAlready)) throw error;
			return await this.findOwn(reference, password, content, error, options);
		}
	}

	/**
	 * Finds the token that an earlier attempt of this account has filled, if only its answer was
	 * lost.
	 */
	private async findOwn(
		reference: Reference,
		password: string | undefined,
		content: JsonObject,
		refusal: GatewayError,
		options: Cancellable,
	): Promise<OpenedToken> {
		const { token } = await this.tokens.open(reference, password, options);
		const isSame = canonicalJson(token.secrets.content) === canonicalJson(content);
		if (token.record.isOwn && isSame) return token;
		throw refusal;
	}
}
