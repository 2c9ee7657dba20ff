import type { Cancellable } from '../../base/abort';
import { isGatewayError } from '../../base/errors';
import type { WireChallenge } from '../../backbone/dto';
import type { Signature } from '../../crypto/json-forms';
import { asSignaturePublicKey, type SignaturePrivateKey } from '../../crypto/keys';
import { readRelationshipSecrets } from '../../crypto/relationship-secrets-schema';
import { verify, type SignatureKeyPair } from '../../crypto/signature-keys';
import { writeBase64Form } from '../../crypto/wire-json';
import { isId } from '../../model/ids';
import {
	createChallengeInputSchema,
	validateChallengeInputSchema,
} from '../../model/input/challenge';
import { isExpired } from '../../model/instant';
import type { ChallengeDto, ChallengeVerdictDto } from '../../model/record/challenge';
import type { RelationshipDto } from '../../model/record/relationship';
import type { ChallengeUseCases } from '../../facade/challenges';
import { currentRelationship, type RelationshipEntry } from '../current-relationship';
import { parseInput } from '../validation';
import { challengeErrors } from './challenge-errors';
import {
	readChallenge,
	readChallengeSignature,
	signChallenge,
	writeChallenge,
	type Challenge,
	type ChallengeType,
} from './challenge-signing';
import { invalidInput } from '../input-errors';
import type { Needs } from '../needs';

export interface ChallengeDependencies extends Needs<'store' | 'backbone' | 'clock'> {
	readonly account: {
		readonly address: string;
		readonly deviceId: string;
		readonly identityKeys: SignatureKeyPair;
		readonly deviceKeys: SignatureKeyPair;
	};
	/** mapper of a later module: relationships come after challenges in the order of imports */
	readonly showRelationship: (entry: RelationshipEntry) => RelationshipDto;
}

/**
 * Signed challenges as proof of an identity, and their validation
 * (docs/protocol/crypto-and-identity.md 10).
 */
export class ChallengeService implements ChallengeUseCases {
	constructor(private readonly dependencies: ChallengeDependencies) {}

	/**
	 * Creates a challenge. Nothing is stored: an unused challenge simply expires.
	 *
	 * @throws `error.runtime.validation.invalidPayload`,
	 * `error.runtime.validation.invalidPropertyValue`, `error.runtime.recordNotFound`,
	 * `error.transport.challenges.challengeTypeRequiresActiveRelationship`
	 */
	async create(input: unknown, options: Cancellable = {}): Promise<ChallengeDto> {
		const wanted = readWanted(input);
		const key = await this.keyFor(wanted, options);
		const created = await this.dependencies.backbone.challenges.create(options);
		const { id, expiresAt, createdBy, createdByDevice } = this.requireOurs(created);
		const { type } = wanted;
		const challengeString = writeChallenge({ id, expiresAt, createdBy, createdByDevice, type });
		const signature = writeBase64Form(signChallenge(challengeString, key, type));
		return { id, expiresAt, createdBy, createdByDevice, type, signature, challengeString };
	}

	/**
	 * Checks whether the peer named in the challenge has created it, and whether it is still valid.
	 *
	 * @throws `error.runtime.validation.invalidPropertyValue`, `error.transport.recordNotFound`,
	 * `error.runtime.notSupported`, and the codes of a failed call to the Backbone
	 */
	async validate(input: unknown, options: Cancellable = {}): Promise<ChallengeVerdictDto> {
		const parsed = parseInput(validateChallengeInputSchema, input);
		const signature = readChallengeSignature(parsed.signature);
		const challenge = readChallenge(parsed.challengeString);
		if (!(await this.isCurrent(challenge, options))) return { isValid: false };
		const { createdBy } = challenge;
		if (createdBy === undefined) return { isValid: false };
		const relationship = await this.activeWith(createdBy, options);
		const key = peerKey(challenge.type, relationship);
		if (!isSignedBy(parsed.challengeString, signature, key)) return { isValid: false };
		return {
			isValid: true,
			correspondingRelationship: this.dependencies.showRelationship(relationship),
		};
	}

	private async keyFor(wanted: Wanted, options: Cancellable): Promise<SignaturePrivateKey> {
		const { account, store } = this.dependencies;
		if (wanted.type !== 'Relationship') {
			const isIdentity = wanted.type === 'Identity';
			return (isIdentity ? account.identityKeys : account.deviceKeys).privateKey;
		}
		const { relationshipId } = wanted;
		const entry = await store.read((tx) => tx.relationships.get(relationshipId), options);
		if (entry === undefined) {
			throw challengeErrors.create('relationshipNotFound', {
				message: `There is no relationship with the ID '${relationshipId}' in this account.`,
				facts: { relationshipId },
			});
		}
		const { status } = entry.record;
		if (status === 'Active') {
			return readRelationshipSecrets(entry.secrets.established).signature.privateKey;
		}
		throw challengeErrors.create('requiresActiveRelationship', {
			message: `A challenge of the type Relationship needs an active relationship; this one is in the status '${status}'.`,
			facts: { relationshipId, status },
		});
	}

	/** Rejects a challenge of another identity or device, before this account signs it. */
	private requireOurs(created: WireChallenge): {
		id: string;
		expiresAt: string;
		createdBy: string;
		createdByDevice: string;
	} {
		const { account } = this.dependencies;
		const { id, expiresAt, createdBy, createdByDevice } = created;
		if (createdBy === account.address && createdByDevice === account.deviceId) {
			return { id, expiresAt, createdBy, createdByDevice };
		}
		throw challengeErrors.create('otherChallenge', {
			message: 'The Backbone answered with a challenge that is not ours.',
			facts: { challengeId: id },
		});
	}

	/** Checks that the challenge has not expired and that the Backbone's record matches its text. */
	private async isCurrent(challenge: Challenge, options: Cancellable): Promise<boolean> {
		const now = this.dependencies.clock.now();
		if (isExpired(challenge.expiresAt, now)) return false;
		const recorded = await this.recorded(challenge.id, options);
		return (
			recorded !== undefined &&
			recorded.id === challenge.id &&
			// The creator may have written a later expiry into the text than the Backbone recorded.
			!isExpired(recorded.expiresAt, now) &&
			isAsRecorded(challenge.createdBy, recorded.createdBy) &&
			isAsRecorded(challenge.createdByDevice, recorded.createdByDevice)
		);
	}

	/**
	 * Reads the Backbone's record. A failed call says nothing about the challenge, so its error is
	 * thrown.
	 */
	private async recorded(id: string, options: Cancellable): Promise<WireChallenge | undefined> {
		if (!isId('challenge', id)) return undefined;
		try {
			return await this.dependencies.backbone.challenges.get(id, options);
		} catch (error) {
			if (isGatewayError(error) && error.kind === 'notFound') return undefined;
			throw error;
		}
	}

	private async activeWith(address: string, options: Cancellable): Promise<RelationshipEntry> {
		const entry = await this.dependencies.store.read(
			(tx) => currentRelationship(tx, address),
			options,
		);
		if (entry?.record.status === 'Active') return entry;
		throw challengeErrors.create('noActiveRelationship', {
			message: 'There is no active relationship with the creator of this challenge.',
		});
	}
}

type Wanted =
	| { readonly type: 'Identity' | 'Device' }
	| { readonly type: 'Relationship'; readonly relationshipId: string };

function readWanted(input: unknown): Wanted {
	const { challengeType, relationship } = parseInput(createChallengeInputSchema, input);
	if (challengeType === 'Identity' || challengeType === 'Device') {
		if (relationship === undefined) return { type: challengeType };
		throw invalidInput(
			"'relationship' is not valid: only a Relationship challenge has one.",
			'relationship',
		);
	}
	if (challengeType !== 'Relationship' || relationship === undefined) {
		throw challengeErrors.create('invalidPayload', {
			message: 'The type of challenge is missing or unknown, or its relationship is missing.',
			facts: { field: challengeType === 'Relationship' ? 'relationship' : 'challengeType' },
		});
	}
	if (typeof relationship === 'string' && isId('relationship', relationship)) {
		return { type: challengeType, relationshipId: relationship };
	}
	throw invalidInput(
		"'relationship' is not valid: expected the ID of a relationship.",
		'relationship',
	);
}

/** @throws `error.runtime.notSupported` for the key of a device, which only its owner knows */
function peerKey(
	type: ChallengeType,
	{ record, secrets }: RelationshipEntry,
): ReturnType<typeof asSignaturePublicKey> {
	if (type === 'Identity') return asSignaturePublicKey(record.peerPublicKey);
	if (type === 'Relationship') return readRelationshipSecrets(secrets.established).peerSignatureKey;
	throw challengeErrors.create('notSupported', {
		message: "Validating challenges of the type 'Device' is not yet supported.",
	});
}

/**
 * Compares a claimed member with the record. An omitted member is not compared; other checks decide
 * whether it may be omitted.
 */
function isAsRecorded(claimed: string | undefined, recorded: string | null | undefined): boolean {
	return claimed === undefined || claimed === recorded;
}

function isSignedBy(
	text: string,
	signature: Signature,
	key: ReturnType<typeof asSignaturePublicKey>,
): boolean {
	try {
		return verify(text, signature, key);
	} catch (error) {
		// The text is well-formed JSON, but its content is not a signature.
		if (isGatewayError(error)) return false;
		throw error;
	}
}
