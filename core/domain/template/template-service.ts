import type { Cancellable } from '../../base/abort';
import type { Clock } from '../../base/clock';
import { isGatewayError } from '../../base/errors';
import { asSecretKey, type SecretKey } from '../../crypto/keys';
import { appendEvent } from '../../events/outbox';
import { createTemplateInputSchema } from '../../model/input/template';
import { loadReferenceInputSchema } from '../../model/input/token';
import { isExpired } from '../../model/instant';
import type { JsonObject } from '../../model/json';
import { readLoadableReference, requireLoadable } from '../../model/loadable-reference';
import type { Reference } from '../../model/reference';
import type { TemplateDto, TemplateRecord, TemplateSecrets } from '../../model/record/template';
import type { WriteTransaction } from '../../store/store';
import type { CreateTemplateOptions } from '../../facade/templates';
import type { QrCodeFormat, QrCodeOptions } from '../../facade/qr-codes';
import {
	newProtection,
	passwordForBackbone,
	protectionOfReference,
	referenceTo,
} from '../password-protection';
import { renderQrCode, renderQrCodeSvg } from '../qr/reference-qr';
import { parseInput } from '../validation';
import { requireReachable } from '../token/token-input';
import { listOf } from '../query/list-with-query';
import type { TemplateDependencies } from './template-dependencies';
import { toTemplateDto } from './template-dto';
import { openTemplate, requireSameOwner, sealTemplate } from './template-envelope';
import { templateErrors } from './template-errors';
import { readTokenContent } from './template-input';
import { templateQueryFields } from './template-query';
import { isAwaited, templateRetention } from './template-retention';
import { invalidInput } from '../input-errors';

/** Use cases of relationship templates (docs/protocol/transport.md 4). */
export class TemplateService {
	constructor(private readonly dependencies: TemplateDependencies) {}

	/**
	 * Seals the content, posts it to the Backbone, and stores the keys for relationships made from
	 * it. If the process dies after the call, the Backbone keeps a template without a known reference
	 * until it expires.
	 *
	 * @throws `error.runtime.validation.invalidPropertyValue`, `error.runtime.unknownType`,
	 * `error.runtime.relationshipTemplates.requestCannotExpireAfterRelationshipTemplate` and the
	 * codes of request validation
	 */
	async create(input: unknown, options: CreateTemplateOptions = {}): Promise<TemplateDto> {
		const { backbone, account, random, clock } = this.dependencies;
		const { acceptUnprovenAnswers } = options;
		const {
			content: given,
			passwordProtection,
			...limits
		} = parseInput(createTemplateInputSchema, input);
		const { expiresAt, maxNumberOfAllocations, forIdentity } = limits;
		if (isExpired(expiresAt, clock.now())) {
			throw invalidInput("'expiresAt' is not valid: must be in the future.", 'expiresAt');
		}
		requireReachable(forIdentity, account.address);
		const content = await this.dependencies.prepareContent(given, expiresAt, options);
		const protection = passwordProtection && newProtection(passwordProtection, random);
		const identity = { address: account.address, publicKey: account.identityKeys.publicKey };
		const sealed = sealTemplate(
			content,
			{ address: account.address, keys: account.identityKeys },
			random,
		);
		const created = await backbone.templates.create(
			{
				content: sealed.content,
				expiresAt,
				maxNumberOfAllocations,
				forIdentity,
				password: await passwordForBackbone(protection, options),
			},
			options,
		);
		const record: TemplateRecord = {
			id: created.id,
			isOwn: true,
			createdBy: account.address,
			createdByDevice: account.deviceId,
			createdAt: created.createdAt,
			...limits,
			content,
			identity,
			templateKey: { id: sealed.templateKeyId, publicKey: sealed.templateKeyPair.publicKey },
			...(protection === undefined || acceptUnprovenAnswers === undefined
				? {}
				: { acceptUnprovenAnswers }),
		};
		const secrets: TemplateSecrets = {
			secretKey: sealed.secretKey,
			templatePrivateKey: sealed.templateKeyPair.privateKey,
			...(protection === undefined ? {} : { passwordProtection: protection }),
		};
		await this.dependencies.store.transact(async (tx) => {
			await tx.templates.insertIfNew(record, secrets);
			const { wait } = options;
			if (wait === undefined) return;
			await this.dependencies.observers.review('templateAwaited', tx, { wait, template: record });
		});
		return this.toDto(record, secrets);
	}

	/** @throws `error.runtime.recordNotFound` */
	async get(id: string, options: Cancellable = {}): Promise<TemplateDto> {
		const entry = await this.find(id, options);
		return this.toDto(entry.record, entry.secrets);
	}

	readonly list = listOf(templateQueryFields, async (query, options) => {
		const shown = { ...query, where: [...(query.where ?? []), notDeleted] };
		const entries = await this.dependencies.store.read((tx) => tx.templates.list(shown), options);
		return entries.map(({ record, secrets }) => this.toDto(record, secrets));
	});

	/** @throws `error.runtime.recordNotFound` and the codes of rendering */
	async qrCode(id: string, format: QrCodeFormat, options: QrCodeOptions = {}): Promise<Uint8Array> {
		return await renderQrCode(await this.referenceOf(id, options), format, options);
	}

	async qrCodeSvg(id: string, format: QrCodeFormat, options: QrCodeOptions = {}): Promise<string> {
		return await renderQrCodeSvg(await this.referenceOf(id, options), format, options);
	}

	/**
	 * Loads a peer's template by its reference, or by the reference of a token that holds one.
	 *
	 * @throws `error.runtime.recordNotFound`, `error.transport.noPasswordProvided`,
	 * `error.transport.general.notIntendedForYou`, `error.transport.signatureNotValid`,
	 * `error.runtime.invalidTokenContent`, `error.transport.tokens.emptyToken` and the codes of
	 * references
	 */
	async loadPeer(input: unknown, options: Cancellable = {}): Promise<TemplateDto> {
		const { reference: text, password } = parseInput(loadReferenceInputSchema, input);
		const reference = readLoadableReference(text, 'template');
		if (reference.kind === 'template') {
			return await this.loadReference(reference, password, options);
		}
		const { token } = await this.dependencies.tokens.open(reference, password, options);
		return await this.loadFromToken(token.secrets.content, password, options);
	}

	/**
	 * Loads a peer's template by the content of a token, with the protection of the template itself.
	 */
	async loadFromToken(
		content: JsonObject,
		password: string | undefined,
		options: Cancellable,
	): Promise<TemplateDto> {
		const { forIdentity, ...reference } = readTokenContent(content);
		if (forIdentity !== undefined && forIdentity !== this.dependencies.account.address) {
			throw templateErrors.create('notIntendedForYou', {
				message: 'The token refers to a template for another identity.',
			});
		}
		return await this.loadReference(reference, password, options);
	}

	/**
	 * Deletes a template of this account at the Backbone and hides it in the store; deletes a peer's
	 * template from the store only.
	 *
	 * @throws `error.runtime.recordNotFound`
	 */
	async delete(id: string, options: Cancellable = {}): Promise<void> {
		const { record } = await this.find(id, options);
		if (record.isOwn) await this.deleteOwn(id, options);
		else await this.dependencies.store.transact((tx) => this.forget(tx, id), options);
	}

	/**
	 * Deletes a template of this account, also after an interrupted deletion: a template that is gone
	 * counts as deleted.
	 */
	async deleteOwn(id: string, options: Cancellable): Promise<void> {
		const { backbone, changes } = this.dependencies;
		await changes.delete(
			{
				id,
				action: 'deleteTemplate',
				call: () => backbone.templates.delete(id, options),
				complete: (tx) => this.hide(tx, id),
			},
			options,
		);
	}

	/**
	 * Deletes a peer's template; hides it only, while the answer to a creation from it is lost: the
	 * relationship may still arrive.
	 */
	private async forget(tx: WriteTransaction, id: string): Promise<void> {
		if (await isAwaited(tx, id)) await this.hide(tx, id);
		else await tx.templates.delete(id);
	}

	private async hide(tx: WriteTransaction, id: string): Promise<void> {
		const entry = await tx.templates.get(id);
		if (entry === undefined) return;
		const hidden = { ...entry.record, deletedAt: this.now() };
		await tx.templates.update(hidden);
		await this.dependencies.observers.notify('templateDeleted', tx, hidden);
	}

	/** Removes deleted templates, one slice per call. */
	retention(clock: Clock): () => Promise<boolean> {
		return templateRetention(this.dependencies.store, clock);
	}

	/**
	 * Publishes that the last allocation was used; templates of peers are ignored
	 * (docs/protocol/transport.md 14).
	 */
	async publishExhausted(tx: WriteTransaction, id: string): Promise<void> {
		const entry = await tx.templates.get(id);
		if (entry?.record.isOwn !== true || entry.record.allocationsExhausted === true) return;
		await tx.templates.update({ ...entry.record, allocationsExhausted: true });
		await appendEvent(tx, {
			name: 'transport.relationshipTemplateAllocationsExhausted',
			createdAt: this.now(),
			subject: id,
			data: this.toDto(entry.record, entry.secrets),
		});
	}

	toDto(
		record: TemplateRecord,
		secrets: Pick<TemplateSecrets, 'secretKey' | 'passwordProtection'>,
	): TemplateDto {
		return toTemplateDto(record, secrets, this.dependencies.account.backboneBaseUrl);
	}

	/** Loads a peer's template by its own reference. */
	async loadReference(
		reference: Reference,
		givenPassword: string | undefined,
		options: Cancellable,
	): Promise<TemplateDto> {
		const { account, backbone, store } = this.dependencies;
		const stored = await store.read((tx) => tx.templates.get(reference.id), options);
		const { address } = account;
		const isStored = stored !== undefined;
		requireLoadable(reference, { password: givenPassword, address, isStored });
		const secrets: TemplateSecrets =
			stored?.secrets ?? secretsFor(asSecretKey(reference.key), reference, givenPassword);
		const password = await passwordForBackbone(secrets.passwordProtection, options);
		const wire = await backbone.templates
			.get(reference.id, { ...options, password })
			.catch(refuseUsedUp);
		const opened = openTemplate(wire.content, asSecretKey(secrets.secretKey), {
			createdBy: wire.createdBy,
		});
		requireSameOwner(stored?.record, opened);
		const record: TemplateRecord = {
			// Members that only this account knows of its own template.
			...(stored?.record.isOwn === true ? stored.record : {}),
			id: reference.id,
			isOwn: wire.createdBy === account.address,
			createdBy: wire.createdBy,
			createdByDevice: wire.createdByDevice,
			createdAt: wire.createdAt,
			...(wire.expiresAt == null ? {} : { expiresAt: wire.expiresAt }),
			...(wire.maxNumberOfAllocations == null
				? {}
				: { maxNumberOfAllocations: wire.maxNumberOfAllocations }),
			...(wire.forIdentity == null ? {} : { forIdentity: wire.forIdentity }),
			...opened,
		};
		const dto = this.toDto(record, secrets);
		await store.transact(async (tx) => {
			// A template of this account keeps its private key: only the public part is updated.
			if (!(await tx.templates.insertIfNew(record, secrets))) await tx.templates.update(record);
			if (record.isOwn) return;
			await appendEvent(tx, {
				name: 'transport.peerRelationshipTemplateLoaded',
				createdAt: this.now(),
				peer: record.createdBy,
				subject: record.id,
				data: dto,
			});
			await this.dependencies.observers.notify('templateLoaded', tx, record);
		});
		if (!record.isOwn) await this.dependencies.afterLoading?.(options);
		return dto;
	}

	/** @throws `error.runtime.recordNotFound` */
	async find(
		id: string,
		options: Cancellable,
	): Promise<{ record: TemplateRecord; secrets: TemplateSecrets }> {
		const entry = await this.dependencies.store.read((tx) => tx.templates.get(id), options);
		if (entry !== undefined && entry.record.deletedAt === undefined) return entry;
		throw templateErrors.create('notFound', {
			message: `There is no relationship template with the ID '${id}' in this account.`,
			facts: { templateId: id },
		});
	}

	private async referenceOf(id: string, options: Cancellable): Promise<Omit<Reference, 'kind'>> {
		const { record, secrets } = await this.find(id, options);
		return referenceTo(record, secrets, this.dependencies.account.backboneBaseUrl);
	}

	private now(): string {
		return new Date(this.dependencies.clock.now()).toISOString();
	}
}

const notDeleted = { field: 'deletedAt', op: 'missing' } as const;

/** Names the caller's field in the refusal of a template without a free allocation. */
function refuseUsedUp(error: unknown): never {
	if (!isGatewayError(error) || error.code !== templateErrors.usedUp.code) throw error;
	throw templateErrors.create('usedUp', {
		message: "'reference' is of a template that was used as often as its owner allows.",
		facts: { field: 'reference' },
		cause: error,
	});
}

function secretsFor(
	secretKey: SecretKey,
	reference: Reference,
	password: string | undefined,
): TemplateSecrets {
	const passwordProtection = protectionOfReference(reference, password);
	return { secretKey, ...(passwordProtection === undefined ? {} : { passwordProtection }) };
}
