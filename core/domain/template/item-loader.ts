import type { Cancellable } from '../../base/abort';
import { loadReferenceInputSchema } from '../../model/input/token';
import { readLoadableReference } from '../../model/loadable-reference';
import type { LoadedItemDto } from '../../model/record/loaded-item';
import type { Reference } from '../../model/reference';
import type { FileTokens } from '../token/file-tokens';
import { readDeviceOnboarding } from '../token/device-onboarding';
import { passwordFor } from '../token/token-dto';
import type { TokenService } from '../token/token-service';
import { readTokenTarget } from '../token/token-contents';
import { parseInput } from '../validation';
import type { TemplateService } from './template-service';

/** Loads the object behind a scanned reference of any kind. */
export class ItemLoader {
	constructor(
		private readonly templates: TemplateService,
		private readonly files: FileTokens,
		private readonly tokens: TokenService,
	) {}

	/**
	 * Loads templates and files, directly or through a token, which is not stored. A token with other
	 * content is returned itself. The same password is used for a token and its template.
	 *
	 * @throws `error.runtime.validation.invalidPropertyValue`, `error.runtime.recordNotFound`,
	 * `error.transport.noPasswordProvided`, `error.transport.general.notIntendedForYou`,
	 * `error.transport.tokens.emptyToken`, `error.transport.signatureNotValid`,
	 * `error.runtime.requestDeserialization`, and the codes of references and of opening
	 * @see docs/protocol/transport.md 9
	 */
	async load(input: unknown, options: Cancellable = {}): Promise<LoadedItemDto> {
		const parsed = parseInput(loadReferenceInputSchema, input);
		const reference = readLoadableReference(parsed.reference, 'item');
		const password = passwordFor(reference, parsed.password);
		if (reference.kind === 'template') {
			const value = await this.templates.loadReference(reference, password, options);
			return { type: 'RelationshipTemplate', value };
		}
		if (reference.kind === 'file') {
			return { type: 'File', value: await this.files.loadReference(reference, password, options) };
		}
		return await this.throughToken(reference, password, options);
	}

	private async throughToken(
		reference: Reference,
		password: string | undefined,
		options: Cancellable,
	): Promise<LoadedItemDto> {
		const { token } = await this.tokens.open(reference, password, options);
		const { content } = token.secrets;
		if (content['@type'] === 'TokenContentDeviceSharedSecret') {
			return { type: 'DeviceOnboardingInfo', value: readDeviceOnboarding(content) };
		}
		switch (readTokenTarget(content)?.kind) {
			case 'template': {
				const value = await this.templates.loadFromToken(content, password, options);
				return { type: 'RelationshipTemplate', value };
			}
			case 'file':
				return { type: 'File', value: await this.files.loadFromToken(content, options) };
			default:
				return { type: 'Token', value: this.tokens.toDto(token, true) };
		}
	}
}
