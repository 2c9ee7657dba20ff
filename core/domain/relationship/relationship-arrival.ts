import type { Random } from '../../base/random';
import type { WireRelationship } from '../../backbone/dto';
import { exchangeKeyPairOf, type ExchangeKeyPair } from '../../crypto/exchange-keys';
import { asExchangePrivateKey } from '../../crypto/keys';
import { createTemplatorSecrets } from '../../crypto/relationship-secrets';
import { readRequestSecrets } from '../../crypto/relationship-secrets-schema';
import { versionShownBy } from '../../model/content/version-evidence';
import type { JsonObject } from '../../model/json';
import type {
	RelationshipRecord,
	RelationshipSecretsRecord,
} from '../../model/record/relationship';
import type { Entry, WriteTransaction } from '../../store/store';
import type { TemplateRecord, TemplateSecrets } from '../../model/record/template';
import { findCreation } from './creation-intents';
import { findTemplateOf } from './deleted-template';
import type { RelationshipDependencies } from './relationship-dependencies';
import { openCreationContent, openCreationResponse } from './relationship-envelope';
import { relationshipErrors } from './relationship-errors';
import { stateOf } from './wire-relationship';
import { matching } from '../query/conditions';

export type StoredRelationship = Entry<RelationshipRecord, RelationshipSecretsRecord>;

interface Arrival {
	readonly arrived: StoredRelationship;
	/** intent of this account's own creation */
	readonly intentId?: string;
}

/**
 * Opens a relationship that is new to this account: a peer answered one of its templates
 * (docs/protocol/transport.md 5.2), or the answer to its own creation was lost.
 *
 * @throws `error.gateway.relationships.unknownTemplate`, `error.transport.recordNotFound`,
 * `error.transport.signatureNotValid`, crypto codes
 */
export async function openArrival(
	tx: WriteTransaction,
	wire: WireRelationship,
	context: RelationshipDependencies,
): Promise<Arrival> {
	if (wire.from === context.account.address) return await openOwnCreation(tx, wire);
	const template =
		wire.relationshipTemplateId == null
			? await findTemplateOf(tx, wire)
			: await tx.templates.get(wire.relationshipTemplateId);
	if (template === undefined) {
		throw relationshipErrors.create('unknownTemplate', {
			message: `The relationship ${wire.id} with ${wire.from} cannot be opened, because its template is not in this copy of the account. Decompose it to end it; then the person can connect anew.`,
			facts: { relationshipId: wire.id, peer: wire.from },
		});
	}
	const arrived = openPeerCreation(wire, template, context.random);
	await requireFirstTime(tx, arrived);
	return { arrived };
}

function openPeerCreation(
	wire: WireRelationship,
	template: Entry<TemplateRecord, TemplateSecrets>,
	random: Random,
): StoredRelationship {
	if (wire.creationContent == null) throw missing('its creation content', wire.id);
	const templatePair = templatePairOf(template, wire.id);
	const opened = openCreationContent(wire.creationContent, templatePair, {
		from: wire.from,
		templateId: template.record.id,
	});
	const established = createTemplatorSecrets(opened.publicRequest, templatePair, random);
	const peerVersion = versionShownBy(opened.content);
	return {
		record: {
			id: wire.id,
			...stateOf(wire),
			peer: opened.identity.address,
			peerPublicKey: opened.identity.publicKey,
			createdByUs: false,
			templateId: template.record.id,
			template: template.record,
			creationContent: opened.content,
			createdAt: wire.createdAt,
			...(peerVersion === undefined ? {} : { peerVersion }),
		},
		secrets: {
			established: established,
			template: withoutPrivateKey(template.secrets),
		},
	};
}

/**
 * Rejects a repeated creation. Nothing binds a creation to the id that the Backbone gives it. Its
 * keys are made for one creation, so the same keys under another id are a replay, whose
 * relationship would take the place of the real one.
 *
 * @throws `error.transport.signatureNotValid`
 */
async function requireFirstTime(
	tx: WriteTransaction,
	{ record, secrets }: StoredRelationship,
): Promise<void> {
	const ofPeer = await tx.relationships.list({ where: matching({ peer: record.peer }) });
	const key = secrets.established?.['peerSignatureKey'];
	const before = ofPeer.find((entry) => entry.secrets.established?.['peerSignatureKey'] === key);
	if (before === undefined) return;
	throw relationshipErrors.create('signatureNotValid', {
		message: `The relationship ${record.id} repeats the creation of ${before.record.id}.`,
		facts: { relationshipId: record.id },
	});
}

async function openOwnCreation(tx: WriteTransaction, wire: WireRelationship): Promise<Arrival> {
	if (wire.creationContent == null) throw missing('its creation content', wire.id);
	const templateId = wire.relationshipTemplateId ?? undefined;
	const intent = await findCreation(tx, templateId, wire.creationContent);
	if (intent === undefined) throw missing('the secrets we created it with', wire.id);
	const template = await tx.templates.get(intent.record.templateId);
	if (template === undefined) {
		throw missing('the relationship template it was made from', wire.id);
	}
	const arrived = ownRelationship({
		id: wire.id,
		createdAt: wire.createdAt,
		state: stateOf(wire),
		template,
		creationContent: intent.record.creationContent,
		request: intent.secrets.request,
	});
	return { arrived, intentId: intent.record.id };
}

/** Builds the record of a relationship that this account created itself. */
export function ownRelationship(input: {
	readonly id: string;
	readonly createdAt: string;
	readonly state: Pick<RelationshipRecord, 'status' | 'auditLog'>;
	readonly template: Entry<TemplateRecord, TemplateSecrets>;
	readonly creationContent: JsonObject;
	readonly request: JsonObject;
}): StoredRelationship {
	const { identity, ownerVersion } = input.template.record;
	return {
		record: {
			id: input.id,
			...input.state,
			peer: identity.address,
			peerPublicKey: identity.publicKey,
			createdByUs: true,
			templateId: input.template.record.id,
			template: input.template.record,
			creationContent: input.creationContent,
			createdAt: input.createdAt,
			...(ownerVersion === undefined ? {} : { peerVersion: ownerVersion }),
		},
		secrets: {
			request: input.request,
			template: withoutPrivateKey(input.template.secrets),
		},
	};
}

/**
 * Statuses that imply an acceptance whatever the audit log says: no relationship is active without
 * the peer's part of the keys.
 */
const statusesAfterAcceptance: ReadonlySet<string> = new Set(['Active', 'Terminated']);

/**
 * Completes the requestor's secrets once the peer has accepted (5.4). Official requestors use any
 * public part of the answer. Here the public part must come with a text that the same keys sealed
 * and signed for this relationship; otherwise the relationship stays unchanged and the event is
 * reported (20.4).
 *
 * @throws `error.transport.signatureNotValid`, `error.transport.recordNotFound`, crypto codes
 */
export function completeSecrets(
	{ secrets, record }: StoredRelationship,
	wire: WireRelationship,
): RelationshipSecretsRecord | undefined {
	if (secrets.request === undefined) return undefined;
	// A rejection may carry a text as well, but only an acceptance establishes keys.
	const isAccepted =
		wire.auditLog.some(({ reason }) => reason === 'AcceptanceOfCreation') ||
		statusesAfterAcceptance.has(wire.status);
	if (!isAccepted) return undefined;
	if (wire.creationResponseContent == null) throw missing('the answer of the peer', record.id);
	const request = readRequestSecrets(secrets.request);
	const opened = openCreationResponse(wire.creationResponseContent, request, record.id);
	if (opened.failure !== undefined) throw opened.failure;
	const { request: _request, ...rest } = secrets;
	return { ...rest, established: opened.secrets };
}

function templatePairOf(
	template: Entry<TemplateRecord, TemplateSecrets>,
	relationshipId: string,
): ExchangeKeyPair {
	const privateKey = template.secrets.templatePrivateKey;
	if (privateKey === undefined) throw missing('the private key of its template', relationshipId);
	return exchangeKeyPairOf(asExchangePrivateKey(privateKey));
}

function withoutPrivateKey(secrets: TemplateSecrets): RelationshipSecretsRecord['template'] {
	const { templatePrivateKey: _templatePrivateKey, ...shared } = secrets;
	return shared;
}

function missing(what: string, relationshipId: string): Error {
	return relationshipErrors.create('transportRecordNotFound', {
		message: `The relationship ${relationshipId} cannot be opened: we do not have ${what}.`,
		facts: { relationshipId },
	});
}
