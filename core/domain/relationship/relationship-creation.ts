import type { Cancellable } from '../../base/abort';
import { isoInstant } from '../../base/clock';
import { isGatewayError } from '../../base/errors';
import type { CreateRelationshipBody, WireRelationshipMetadata } from '../../backbone/dto';
import { asExchangePublicKey, asSignaturePublicKey } from '../../crypto/keys';
import { createRequestSecrets } from '../../crypto/relationship-secrets';
import { toDialect } from '../../model/content/dialects';
import { generationOf } from '../../model/peer-version';
import {
	canCreateRelationshipInputSchema,
	createRelationshipInputSchema,
} from '../../model/input/relationship';
import { isTemplateExpired } from '../../model/instant';
import type { CreationContent } from '../../model/content/creation-content';
import type { JsonObject } from '../../model/json';
import type { CanCreateDto } from '../../facade/attributes';
import type { RelationshipDto } from '../../model/record/relationship';
import type { TemplateRecord, TemplateSecrets } from '../../model/record/template';
import type { Entry, ReadTransaction } from '../../store/store';
import { isOutcomeUnknown } from '../unfinished/outcome';
import { parseInput } from '../validation';
import {
	beginCreation,
	endCreation,
	waitBeforeCreatingAgainMs,
	openCreations,
} from './creation-intents';
import { ownRelationship } from './relationship-arrival';
import type { RelationshipDependencies } from './relationship-dependencies';
import { sealCreationContent } from './relationship-envelope';
import { relationshipErrors } from './relationship-errors';
import type { RelationshipService } from './relationship-service';
import { stateOf } from './wire-relationship';
import { matching } from '../query/conditions';

const blockingStatuses = ['Pending', 'Active', 'Terminated', 'DeletionProposed'];
const platformPrefix = 'error.platform.validation.relationship.';

/**
 * Begins a relationship from a loaded template, on the requestor's side (docs/protocol/transport.md
 * 5.1, 6.1).
 */
export class RelationshipCreation {
	constructor(
		private readonly dependencies: RelationshipDependencies,
		private readonly relationships: RelationshipService,
	) {}

	/**
	 * Creates a relationship at the Backbone and stores it.
	 *
	 * @throws `error.runtime.recordNotFound`,
	 * `error.transport.relationships.relationshipCurrentlyExists`,
	 * `error.transport.relationships.relationshipTemplateIsExpired`,
	 * `error.transport.relationships.deletedOwnerOfRelationshipTemplate`,
	 * `error.transport.relationships.relationshipNotYetDecomposedByPeer`,
	 * `error.transport.relationships.activeIdentityDeletionProcessOfOwnerOfRelationshipTemplate`,
	 * `error.runtime.validation.invalidPropertyValue`,
	 * `error.runtime.relationships.noAcceptedIncomingRequest`,
	 * `error.runtime.relationships.wrongResponseProvidedAsCreationContent`
	 */
	async create(input: unknown, options: Cancellable = {}): Promise<RelationshipDto> {
		const parsed = parseInput(createRelationshipInputSchema, input);
		const template = await this.findTemplate(parsed.templateId, options);
		await this.requireCreatable(template.record, options);
		const content = this.contentFor(template.record, parsed.creationContent);
		const { intentId, creationContent, request } = await this.prepare(template, content);
		const body = { relationshipTemplateId: template.record.id, creationContent };
		const created = await this.post(body, intentId, options);
		const stored = ownRelationship({
			id: created.id,
			createdAt: created.createdAt ?? isoInstant(this.dependencies.clock.now()),
			state: stateOf(created),
			template,
			creationContent: content,
			request,
		});
		return await this.dependencies.store.transact(async (tx) => {
			await endCreation(tx, intentId);
			if (await tx.relationships.insertIfNew(stored.record, stored.secrets)) {
				await this.relationships.publish(tx, 'transport.relationshipChanged', stored);
				await this.dependencies.observers.notify('relationshipCreated', tx, stored.record);
			}
			// A sync may have stored the relationship first, together with the answer of the peer.
			return this.relationships.toDto((await tx.relationships.get(created.id)) ?? stored);
		});
	}

	/**
	 * Checks a creation without carrying it out. Reasons that a person can act on are returned, not
	 * thrown.
	 */
	async canCreate(input: unknown, options: Cancellable = {}): Promise<CanCreateDto> {
		const parsed = parseInput(canCreateRelationshipInputSchema, input);
		try {
			const template = await this.findTemplate(parsed.templateId, options);
			await this.requireCreatable(template.record, options);
			if (parsed.creationContent !== undefined) {
				const content = this.contentFor(template.record, parsed.creationContent);
				const check = (tx: ReadTransaction) => this.requireAnswer(tx, parsed.templateId, content);
				await this.dependencies.store.read(check, options);
			}
			return { isSuccess: true };
		} catch (error) {
			if (!isGatewayError(error) || error.kind === 'unavailable') throw error;
			return { isSuccess: false, code: error.code, message: error.message };
		}
	}

	/** Prepares the creation content and applies rows 8 and 9 of docs/protocol/transport.md 6.1. */
	private contentFor({ content }: TemplateRecord, given: unknown): CreationContent {
		return this.dependencies.prepareCreationContent(given, content);
	}

	/** Applies rows 10 and 11 of docs/protocol/transport.md 6.1. */
	private async requireAnswer(
		tx: ReadTransaction,
		templateId: string,
		content: CreationContent,
	): Promise<void> {
		const problem = await this.dependencies.checkCreationContent?.(tx, templateId, content);
		if (problem !== undefined) throw problem;
	}

	/**
	 * Checks whether the content answers the template, and stores the request secrets before the
	 * call: without them an accepted creation is unreadable.
	 */
	private async prepare(
		template: Entry<TemplateRecord, TemplateSecrets>,
		content: CreationContent,
	): Promise<{ intentId: string; creationContent: string; request: JsonObject }> {
		const { account, random, store } = this.dependencies;
		const { identity, templateKey, id } = template.record;
		const secrets = createRequestSecrets(
			asExchangePublicKey(templateKey.publicKey),
			asSignaturePublicKey(identity.publicKey),
			random,
		);
		const creationContent = sealCreationContent(
			{
				content: toDialect(generationOf(template.record.ownerVersion), content),
				templateId: id,
				identity: { address: account.address, publicKey: account.identityKeys.publicKey },
				devicePrivateKey: account.deviceKeys.privateKey,
				secrets,
			},
			random,
		);
		const request: JsonObject = secrets;
		const intentId = secrets.signature.publicKey;
		const creation = { id: intentId, templateId: id, creationContent: content, request };
		await store.transact(async (tx) => {
			await this.requireAnswer(tx, id, content);
			await beginCreation(tx, creation, this.dependencies);
		});
		return { intentId, creationContent, request };
	}

	/**
	 * Posts the creation. A refusal ends its intent; after any other failure the creation may have
	 * arrived.
	 */
	private async post(
		body: CreateRelationshipBody,
		intentId: string,
		options: Cancellable,
	): Promise<WireRelationshipMetadata> {
		const { store, backbone } = this.dependencies;
		try {
			return await backbone.relationships.create(body, options);
		} catch (error) {
			if (isGatewayError(error) && !isOutcomeUnknown(error)) {
				await store.transact((tx) => endCreation(tx, intentId));
			}
			throw error;
		}
	}

	private async findTemplate(
		id: string,
		options: Cancellable,
	): Promise<Entry<TemplateRecord, TemplateSecrets>> {
		const entry = await this.dependencies.store.read((tx) => tx.templates.get(id), options);
		if (entry !== undefined && entry.record.deletedAt === undefined) return entry;
		throw relationshipErrors.create('notFound', {
			message: `There is no relationship template with the ID '${id}' in this account; load it first.`,
			facts: { templateId: id },
		});
	}

	/** Applies the checks of docs/protocol/transport.md 6.1 in their order. */
	private async requireCreatable(template: TemplateRecord, options: Cancellable): Promise<void> {
		const { store, clock, backbone } = this.dependencies;
		const peer = template.createdBy;
		if (template.isOwn) {
			throw relationshipErrors.create('ownTemplate', {
				message: "'templateId' is of a template of this account; only others can use it.",
				facts: { field: 'templateId' },
			});
		}
		const existing = await store.read(
			(tx) => tx.relationships.first({ where: matching({ peer, status: blockingStatuses }) }),
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
		if (answer.canCreate) return;
		const lost = await store.read((tx) => openCreations(tx, template.id), options);
		throw refusal(answer.code ?? undefined, peer, lost.length > 0);
	}

	/** Delegates to the function of that name in `creation-intents.ts`. */
	async waitBeforeCreatingAgainMs(templateId: string, options: Cancellable): Promise<number> {
		return await waitBeforeCreatingAgainMs(templateId, this.dependencies, options);
	}
}

function refusal(code: string | undefined, peer: string, wasOurs: boolean): Error {
	if (code === `${platformPrefix}peerIsToBeDeleted`) {
		return relationshipErrors.create('ownerInDeletion', {
			message: `The identity ${peer} is being deleted.`,
		});
	}
	const exists = code === `${platformPrefix}relationshipToTargetAlreadyExists`;
	if (exists && wasOurs) {
		return relationshipErrors.create('notYetDecomposedByPeer', {
			message: `An earlier creation has reached ${peer}, but its answer was lost.`,
			remedy: 'The relationship appears here with the answer of the other side; wait for it.',
		});
	}
	if (exists) {
		return relationshipErrors.create('notYetDecomposedByPeer', {
			message: `${peer} has not yet decomposed the former relationship.`,
		});
	}
	return relationshipErrors.create('refusedByBackbone', {
		message: `The Backbone does not allow a relationship with ${peer} (${code ?? 'no reason given'}).`,
		facts: { platformCode: code ?? '' },
	});
}
