import * as z from 'zod';
import type { Cancellable } from '../../base/abort';
import { isoInstant } from '../../base/clock';
import { isGatewayError, type GatewayError } from '../../base/errors';
import { asExchangePublicKey, asSignaturePublicKey } from '../../crypto/keys';
import { createRequestSecrets } from '../../crypto/relationship-secrets';
import { isTemplateExpired } from '../../model/instant';
import type { JsonObject } from '../../model/json';
import type { RelationshipDto } from '../../model/record/relationship';
import type { TemplateRecord, TemplateSecrets } from '../../model/record/template';
import type { Entry } from '../../store/store';
import { parseInput } from '../validation';
import { ownRelationship } from './relationship-arrival';
import type { RelationshipContext } from './relationship-context';
import { sealCreationContent } from './relationship-envelope';
import { relationshipErrors } from './relationship-errors';
import type { RelationshipService } from './relationship-service';
import { stateOf } from './wire-relationship';

const createInputSchema = z.strictObject({
	templateId: z.string().min(1).max(100),
	creationContent: z.unknown(),
});

const blockingStatuses = ['Pending', 'Active', 'Terminated', 'DeletionProposed'];
const platformPrefix = 'error.platform.validation.relationship.';

export type CanCreateResult =
	| { readonly isSuccess: true }
	| { readonly isSuccess: false; readonly code: string; readonly message: string };

/** Requestor's side: begins a relationship from a loaded template (docs/protocol/transport.md 5.1, 6.1). */
export class RelationshipCreation {
	constructor(
		private readonly context: RelationshipContext,
		private readonly relationships: RelationshipService,
	) {}

	/**
	 * @throws `error.runtime.recordNotFound`, `error.transport.relationships.relationshipCurrentlyExists`,
	 * `error.transport.relationships.relationshipTemplateIsExpired`,
	 * `error.transport.relationships.deletedOwnerOfRelationshipTemplate`,
	 * `error.transport.relationships.relationshipNotYetDecomposedByPeer`,
	 * `error.transport.relationships.activeIdentityDeletionProcessOfOwnerOfRelationshipTemplate`,
	 * `error.runtime.validation.invalidPropertyValue`
	 */
	async create(input: unknown, options: Cancellable = {}): Promise<RelationshipDto> {
		const parsed = parseInput(createInputSchema, input, invalid);
		const template = await this.findTemplate(parsed.templateId, options);
		await this.requireCreatable(template.record, options);
		const content = this.context.prepareCreationContent(
			parsed.creationContent,
			template.record.content,
		);
		const { creationContent, request } = await this.prepare(template, content);
		const created = await this.context.backbone.relationships.create(
			{ relationshipTemplateId: template.record.id, creationContent },
			options,
		);
		const stored = ownRelationship({
			id: created.id,
			createdAt: created.createdAt ?? isoInstant(this.context.clock.now()),
			state: stateOf(created),
			template,
			creationContent: content,
			request,
		});
		return await this.context.store.transact(async (tx) => {
			await tx.relationshipIntents.delete(template.record.id);
			if (await tx.relationships.insert(stored.record, stored.secrets)) {
				await this.relationships.publish(tx, 'transport.relationshipChanged', stored);
			}
			return this.relationships.toDto(stored);
		});
	}

	/** Never rejects for a reason that a person can read: those are the answer. */
	async canCreate(input: unknown, options: Cancellable = {}): Promise<CanCreateResult> {
		const schema = createInputSchema.extend({ creationContent: z.unknown().optional() });
		const parsed = parseInput(schema, input, invalid);
		try {
			const template = await this.findTemplate(parsed.templateId, options);
			await this.requireCreatable(template.record, options);
			if (parsed.creationContent !== undefined) {
				this.context.prepareCreationContent(parsed.creationContent, template.record.content);
			}
			return { isSuccess: true };
		} catch (error) {
			if (!isGatewayError(error) || error.kind === 'unavailable') throw error;
			return { isSuccess: false, code: error.code, message: error.message };
		}
	}

	/** Keeps the request secrets before the call: without them an accepted creation is unreadable. */
	private async prepare(
		template: Entry<TemplateRecord, TemplateSecrets>,
		content: JsonObject,
	): Promise<{ creationContent: string; request: JsonObject }> {
		const { account, random, clock, store } = this.context;
		const { identity, templateKey, id } = template.record;
		const secrets = createRequestSecrets(
			asExchangePublicKey(templateKey.publicKey),
			asSignaturePublicKey(identity.publicKey),
			random,
		);
		const creationContent = sealCreationContent(
			{
				content,
				templateId: id,
				identity: { address: account.address, publicKey: account.identityKeys.publicKey },
				devicePrivateKey: account.deviceKeys.privateKey,
				secrets,
			},
			random,
		);
		const request = secrets as unknown as JsonObject;
		const intent = { id, createdAt: isoInstant(clock.now()), creationContent: content };
		await store.transact(async (tx) => {
			if (await tx.relationshipIntents.insert(intent, { request })) return;
			await tx.relationshipIntents.update(intent, { request });
		});
		return { creationContent, request };
	}

	private async findTemplate(
		id: string,
		options: Cancellable,
	): Promise<Entry<TemplateRecord, TemplateSecrets>> {
		const entry = await this.context.store.read((tx) => tx.templates.get(id), options);
		if (entry !== undefined && entry.record.deletedAt === undefined) return entry;
		throw relationshipErrors.create('notFound', {
			message: `There is no relationship template with the ID '${id}' in this account; load it first.`,
			facts: { templateId: id },
		});
	}

	/** The checks of docs/protocol/transport.md 6.1 in their order. */
	private async requireCreatable(template: TemplateRecord, options: Cancellable): Promise<void> {
		const { store, clock, backbone } = this.context;
		const peer = template.createdBy;
		const existing = await store.read(
			(tx) =>
				tx.relationships.first({
					where: [
						{ field: 'peer', op: 'eq', value: peer },
						{ field: 'status', op: 'in', value: blockingStatuses },
					],
				}),
			options,
		);
		if (existing !== undefined) {
			throw relationshipErrors.create('currentlyExists', {
				message: `There is already a relationship with ${peer}; it is '${existing.record.status}'.`,
				facts: { relationshipId: existing.record.id, status: existing.record.status },
			});
		}
		if (isTemplateExpired(template.expiresAt, clock.now())) {
			throw relationshipErrors.create('templateExpired', {
				message: `The relationship template expired at ${template.expiresAt ?? 'an unknown time'}.`,
				facts: { templateId: template.id },
			});
		}
		const answer = await backbone.relationships.canCreate(peer, options);
		if (!answer.canCreate) throw refusal(answer.code ?? undefined, peer);
	}
}

function refusal(code: string | undefined, peer: string): Error {
	if (code === `${platformPrefix}peerIsToBeDeleted`) {
		return relationshipErrors.create('ownerInDeletion', {
			message: `The identity ${peer} is being deleted.`,
		});
	}
	if (code === `${platformPrefix}relationshipToTargetAlreadyExists`) {
		return relationshipErrors.create('notYetDecomposedByPeer', {
			message: `${peer} has not yet decomposed the former relationship.`,
		});
	}
	return relationshipErrors.create('refusedByBackbone', {
		message: `The Backbone does not allow a relationship with ${peer} (${code ?? 'no reason given'}).`,
		facts: { platformCode: code ?? '' },
	});
}

function invalid(message: string, field: string): GatewayError {
	return relationshipErrors.create('invalidInput', { message, facts: { field } });
}
