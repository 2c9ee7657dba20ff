import type { Cancellable } from '../../base/abort';
import type { WireToken } from '../../backbone/dto';
import { asSecretKey } from '../../crypto/keys';
import { hintFor } from '../../model/content/generations';
import { isId } from '../../model/ids';
import {
	createTokenInputSchema,
	loadReferenceInputSchema,
	loadTokenInputSchema,
} from '../../model/input/token';
import type { JsonObject } from '../../model/json';
import { readLoadableReference, requireLoadable } from '../../model/loadable-reference';
import type { PasswordProtectionInput } from '../../model/password-protection';
import type { Reference } from '../../model/reference';
import type { TokenDto } from '../../model/record/token';
import type { WriteTransaction } from '../../store/store';
import type { QrCodeFormat, QrCodeOptions } from '../../facade/qr-codes';
import type { HintOptions } from '../../facade/requests';
import type { TokenUseCases } from '../../facade/tokens';
import type { RelationshipRecord } from '../../model/record/relationship';
import type { Account } from '../identity/account';
import type { ObjectChanges } from '../object-changes';
import {
	newProtection,
	passwordForBackbone,
	protectionOfReference,
	referenceTo,
} from '../password-protection';
import { renderQrCode, renderQrCodeSvg } from '../qr/reference-qr';
import { parseInput } from '../validation';
import { listOf } from '../query/list-with-query';
import type { Observer } from '../observers';
import { passwordFor, toOpenedToken, toTokenDto, type OpenedToken } from './token-dto';
import { openToken, sealToken } from './token-envelope';
import { tokenErrors } from './token-errors';
import { prepareTokenContent, requireFuture, requireReachable } from './token-input';
import { tokenQueryFields } from './token-query';
import { matching } from '../query/conditions';
import type { Needs } from '../needs';

export interface TokenDependencies extends Needs<
	'store' | 'backbone' | 'clock' | 'random' | 'logger'
> {
	readonly account: Account;
	readonly changes: ObjectChanges;
}

/** Token to create, with validated content. */
export interface NewToken {
	readonly content: JsonObject;
	readonly expiresAt: string;
	/** true if the token is stored at the Backbone only */
	readonly ephemeral: boolean;
	readonly forIdentity?: string | undefined;
	readonly passwordProtection?: PasswordProtectionInput | undefined;
}

/** Use cases of tokens (docs/protocol/transport.md 9). */
export class TokenService
	implements Omit<TokenUseCases, 'fill'>, Observer<'relationshipDecomposed'>
{
	constructor(readonly dependencies: TokenDependencies) {}

	/**
	 * @throws `error.runtime.validation.invalidPropertyValue`, `error.runtime.invalidTokenContent`
	 */
	async create(input: unknown, options: HintOptions = {}): Promise<TokenDto> {
		const { content: given, ...parsed } = parseInput(createTokenInputSchema, input);
		const content = prepareTokenContent(given);
		// A token is for everybody who gets its reference.
		const hint = hintFor(undefined, content);
		if (hint !== undefined) {
			this.dependencies.logger.warn('some wallets do not read a token', { hint });
			options.onHint?.(hint);
		}
		return await this.createFor({ ...parsed, content }, options);
	}

	/**
	 * Encrypts the content and uploads it. If the process dies after the call, a token without a
	 * known reference is left, which simply expires.
	 *
	 * @throws `error.runtime.validation.invalidPropertyValue`
	 */
	async createFor(token: NewToken, options: Cancellable): Promise<TokenDto> {
		const { account, backbone, clock, random } = this.dependencies;
		const { content, expiresAt, ephemeral, forIdentity } = token;
		requireFuture(expiresAt, clock.now());
		requireReachable(forIdentity, account.address);
		const protection = token.passwordProtection && newProtection(token.passwordProtection, random);
		const sealed = sealToken(content, random);
		const created = await backbone.tokens.create(
			{
				content: sealed.content,
				expiresAt,
				forIdentity,
				password: await passwordForBackbone(protection, options),
			},
			options,
		);
		const made = toOpenedToken(
			{ id: created.id, key: sealed.secretKey },
			protection,
			{
				createdBy: account.address,
				createdByDevice: account.deviceId,
				createdAt: created.createdAt,
				expiresAt,
				forIdentity,
			},
			content,
			account.address,
		);
		if (!ephemeral) await this.keep(made);
		return this.toDto(made, ephemeral);
	}

	/** @throws `error.runtime.recordNotFound` */
	async get(id: string, options: Cancellable = {}): Promise<TokenDto> {
		return this.toDto(await this.find(id, options), false);
	}

	/** Lists stored tokens; ephemeral tokens are not stored. */
	readonly list = listOf(tokenQueryFields, async (query, options) => {
		const entries = await this.dependencies.store.read((tx) => tx.tokens.list(query), options);
		return entries.map((entry) => this.toDto(entry, false));
	});

	/**
	 * Loads the token of a reference from the store or the Backbone, and stores it unless it is
	 * `ephemeral`.
	 *
	 * @throws `error.runtime.recordNotFound`, `error.transport.noPasswordProvided`,
	 * `error.transport.general.notIntendedForYou`, `error.transport.tokens.emptyToken`, and the codes
	 * of reading references and of opening tokens
	 */
	async loadPeer(input: unknown, options: Cancellable = {}): Promise<TokenDto> {
		const parsed = parseInput(loadTokenInputSchema, input);
		const reference = readLoadableReference(parsed.reference, 'token');
		const { token, isStored } = await this.open(reference, parsed.password, options);
		if (isStored || parsed.ephemeral) return this.toDto(token, !isStored);
		await this.keep(token);
		return this.toDto(token, false);
	}

	/**
	 * Loads a token as a client without an identity: nothing is stored, and the token must not be
	 * meant for a certain identity.
	 */
	async loadAnonymous(input: unknown, options: Cancellable = {}): Promise<TokenDto> {
		const parsed = parseInput(loadReferenceInputSchema, input);
		const reference = readLoadableReference(parsed.reference, 'token');
		const password = passwordFor(reference, parsed.password);
		requireLoadable(reference, { password });
		const token = await this.fetch(reference, password, { ...options, anonymous: true });
		return this.toDto({ ...token, record: { ...token.record, isOwn: false } }, true);
	}

	/**
	 * Returns a token with its content, without storing it.
	 *
	 * @throws see {@link loadPeer}
	 */
	async open(
		reference: Reference,
		givenPassword: string | undefined,
		options: Cancellable,
	): Promise<{ readonly token: OpenedToken; readonly isStored: boolean }> {
		const { account, store } = this.dependencies;
		const stored = await store.read((tx) => tx.tokens.get(reference.id), options);
		const password = passwordFor(reference, givenPassword);
		requireLoadable(reference, {
			password,
			address: account.address,
			isStored: stored !== undefined,
		});
		if (stored !== undefined) return { token: stored, isStored: true };
		return { token: await this.fetch(reference, password, options), isStored: false };
	}

	/**
	 * Deletes an own token at the Backbone and locally, a peer's token only locally.
	 *
	 * @throws `error.runtime.recordNotFound`
	 */
	async delete(id: string, options: Cancellable = {}): Promise<void> {
		const { record } = await this.find(id, options);
		if (record.isOwn) await this.deleteOwn(id, options);
		else await this.dependencies.store.transact((tx) => tx.tokens.delete(id), options);
	}

	/**
	 * Deletes an own token. Also completes interrupted deletions: a token that the Backbone no longer
	 * has counts as deleted.
	 */
	async deleteOwn(id: string, options: Cancellable): Promise<void> {
		const { backbone, changes } = this.dependencies;
		await changes.delete(
			{
				id,
				action: 'deleteToken',
				call: () => backbone.tokens.delete(id, options),
				complete: (tx) => tx.tokens.delete(id),
			},
			options,
		);
	}

	/**
	 * Renders a reference as PNG bytes, also for a token that is not stored.
	 *
	 * @param idOrReference of a token
	 * @throws `error.runtime.recordNotFound`, the codes of reading references and of rendering
	 */
	async qrCode(
		idOrReference: string,
		format: QrCodeFormat,
		options: QrCodeOptions = {},
	): Promise<Uint8Array> {
		return await renderQrCode(await this.referenceOf(idOrReference, options), format, options);
	}

	async qrCodeSvg(
		idOrReference: string,
		format: QrCodeFormat,
		options: QrCodeOptions = {},
	): Promise<string> {
		return await renderQrCodeSvg(await this.referenceOf(idOrReference, options), format, options);
	}

	/** Stores the token; an existing row stays unchanged. */
	async keep({ record, secrets }: OpenedToken): Promise<void> {
		await this.dependencies.store.transact((tx) => tx.tokens.insert(record, secrets));
	}

	toDto(token: OpenedToken, isEphemeral: boolean): TokenDto {
		return toTokenDto(token, isEphemeral, this.dependencies.account.backboneBaseUrl);
	}

	private async fetch(
		reference: Reference,
		password: string | undefined,
		options: Cancellable & { readonly anonymous?: boolean },
	): Promise<OpenedToken> {
		const protection = protectionOfReference(reference, password);
		const wire = await this.dependencies.backbone.tokens.get(reference.id, {
			...options,
			password: await passwordForBackbone(protection, options),
		});
		const { content, ...creator } = requireFilled(reference.id, wire);
		return toOpenedToken(
			reference,
			protection,
			{ ...wire, ...creator },
			openToken(content, asSecretKey(reference.key)),
			this.dependencies.account.address,
		);
	}

	private async referenceOf(
		idOrReference: string,
		options: Cancellable,
	): Promise<Omit<Reference, 'kind'>> {
		if (!isId('token', idOrReference)) return readLoadableReference(idOrReference, 'token');
		const { record, secrets } = await this.find(idOrReference, options);
		return referenceTo(record, secrets, this.dependencies.account.backboneBaseUrl);
	}

	private async find(id: string, options: Cancellable): Promise<OpenedToken> {
		const entry = await this.dependencies.store.read((tx) => tx.tokens.get(id), options);
		if (entry !== undefined) return entry;
		throw tokenErrors.create('notFound', {
			message: `There is no token with the ID '${id}' in this account.`,
			facts: { tokenId: id },
		});
	}

	/** Removes tokens that the peer has created; files stay (docs/protocol/transport.md 6.4). */
	async relationshipDecomposed(tx: WriteTransaction, { peer }: RelationshipRecord): Promise<void> {
		const ofPeer = await tx.tokens.list({ where: matching({ isOwn: false, createdBy: peer }) });
		for (const { record } of ofPeer) await tx.tokens.delete(record.id);
	}
}

/**
 * Checks that the token is filled: a token created empty has neither content nor creator until a
 * party fills it.
 */
function requireFilled(
	id: string,
	wire: WireToken,
): { content: string; createdBy: string; createdByDevice: string } {
	const { content, createdBy, createdByDevice } = wire;
	if (wire.id != null && wire.id !== id) throw otherToken(wire.id);
	if (content == null || content === '') {
		throw tokenErrors.create('emptyToken', {
			message: `The token '${id}' has no content yet.`,
			facts: { tokenId: id },
		});
	}
	if (createdBy == null || createdByDevice == null) throw otherToken(id);
	return { content, createdBy, createdByDevice };
}

function otherToken(id: string): Error {
	return tokenErrors.create('otherObject', {
		message: `The Backbone answered with another token than the requested token: '${id}'.`,
		facts: { tokenId: id },
	});
}
