import type { Cancellable } from '../../base/abort';
import { asSecretKey } from '../../crypto/keys';
import { loadReferenceInputSchema, tokenForObjectInputSchema } from '../../model/input/token';
import { readLoadableReference, requireLoadable } from '../../model/loadable-reference';
import type { JsonObject } from '../../model/json';
import type { FileDto } from '../../model/record/file';
import type { TokenDto } from '../../model/record/token';
import type { Reference } from '../../model/reference';
import type { FileService } from '../file/file-service';
import { parseInput } from '../validation';
import { readTokenTarget, writeFileTokenContent } from './token-contents';
import { passwordFor } from './token-dto';
import { tokenErrors } from './token-errors';
import type { TokenService } from './token-service';

/**
 * Tokens for files. A reference of a file can neither be protected nor be meant for one identity
 * only; a token for the file can (docs/protocol/crypto-and-identity.md 15.1).
 */
export class FileTokens {
	constructor(
		private readonly files: FileService,
		private readonly tokens: TokenService,
	) {}

	/**
	 * Creates a token for a file. By default the token expires with the file and is not stored.
	 *
	 * @throws `error.runtime.recordNotFound`, `error.runtime.validation.invalidPropertyValue`
	 */
	async create(fileId: string, input: unknown = {}, options: Cancellable = {}): Promise<TokenDto> {
		const parsed = parseInput(tokenForObjectInputSchema, input);
		const { record, secrets } = await this.files.find(fileId, options);
		const content = writeFileTokenContent(fileId, asSecretKey(secrets.secretKey));
		const { expiresAt = record.expiresAt } = parsed;
		return await this.tokens.createFor({ ...parsed, expiresAt, content }, options);
	}

	/**
	 * Loads a peer's file by its reference, or by the reference of a token for it. A stored file is
	 * not requested again.
	 *
	 * @throws `error.runtime.recordNotFound`, `error.transport.noPasswordProvided`,
	 * `error.transport.general.notIntendedForYou`, `error.runtime.invalidTokenContent`,
	 * `error.transport.tokens.emptyToken`, and the codes of reading references and of opening tokens
	 */
	async getOrLoad(input: unknown, options: Cancellable = {}): Promise<FileDto> {
		const parsed = parseInput(loadReferenceInputSchema, input);
		const reference = readLoadableReference(parsed.reference, 'file');
		const password = passwordFor(reference, parsed.password);
		if (reference.kind === 'file') return await this.loadReference(reference, password, options);
		const { token } = await this.tokens.open(reference, password, options);
		return await this.loadFromToken(token.secrets.content, options);
	}

	/** Loads a file by its own reference. */
	async loadReference(
		reference: Reference,
		password: string | undefined,
		options: Cancellable,
	): Promise<FileDto> {
		const { address } = this.tokens.dependencies.account;
		const [known] = await this.files.getMany([reference.id], options);
		requireLoadable(reference, { password, address, isStored: known !== undefined });
		return known ?? (await this.files.getOrLoad(reference, options));
	}

	/**
	 * Loads the file that the content of a token refers to.
	 *
	 * @throws `error.runtime.invalidTokenContent`
	 */
	async loadFromToken(content: JsonObject, options: Cancellable): Promise<FileDto> {
		const target = readTokenTarget(content);
		if (target?.kind !== 'file') {
			throw tokenErrors.create('invalidTokenContent', {
				message: 'The token does not lead to a file.',
			});
		}
		return await this.files.getOrLoad({ id: target.fileId, key: target.secretKey }, options);
	}
}
