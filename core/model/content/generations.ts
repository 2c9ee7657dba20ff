import { isJsonObject, type JsonObject } from '../json';
import type { Generation, PeerVersion } from '../peer-version';
import { contentErrors } from './content-errors';
import {
	version7NotificationItemTypes,
	type version7RequestItemTypes,
	type version7TokenContentTypes,
	type version7ValueTypes,
} from './content-types';
import { objectMember } from './members';

type NewType =
	| (typeof version7ValueTypes)[number]
	| (typeof version7RequestItemTypes)[number]
	| (typeof version7TokenContentTypes)[number];

/** Release of version 7 with which wallets began to know a type (docs/protocol/generation-7.md 1). */
const releases: Readonly<Record<NewType, PeerVersion>> = {
	BankAccount: 7.1,
	DisplayInformationCachedImages: 7.5,
	MaritalStatus: 7.2,
	SchematizedJSON: 7.4,
	ShareAuthorizationRequestRequestItem: 7.5,
	ShareCredentialOfferRequestItem: 7.5,
	TokenContentVerifiablePresentation: 7.5,
	VerifiableCredential: 7.5,
};
const releaseByType = new Map<string, PeerVersion>(Object.entries(releases));

/** Content that a generation cannot read (docs/protocol/content.md 13.2, 13.3). */
interface Limits {
	readonly unknownTypes: ReadonlySet<string>;
	/** existing value types that are refused as the value of an attribute */
	readonly refusedValues: ReadonlySet<string>;
	/** by type, a member that is mandatory */
	readonly required: Readonly<Record<string, string>>;
}

const limits: Readonly<Record<Generation, Limits>> = {
	6: {
		unknownTypes: new Set([...releaseByType.keys(), ...version7NotificationItemTypes]),
		refusedValues: new Set(),
		required: { ShareAttributeRequestItem: 'sourceAttributeId' },
	},
	7: {
		unknownTypes: new Set([
			'FreeTextRequestItem',
			'FreeTextAcceptResponseItem',
			'RegisterAttributeListenerRequestItem',
			'RegisterAttributeListenerAcceptResponseItem',
			'ShareAttributeAcceptResponseItem',
			'PeerSharedAttributeSucceededNotificationItem',
			'OwnSharedAttributeDeletedByOwnerNotificationItem',
			'PeerSharedAttributeDeletedByPeerNotificationItem',
			'ThirdPartyRelationshipAttributeDeletedByPeerNotificationItem',
			'ThirdPartyOwnedRelationshipAttributeDeletedByPeerNotificationItem',
			'PersonName',
		]),
		refusedValues: new Set([
			'AffiliationOrganization',
			'AffiliationRole',
			'AffiliationUnit',
			'BirthCity',
			'BirthCountry',
			'BirthDay',
			'BirthMonth',
			'BirthState',
			'BirthYear',
			'City',
			'Country',
			'HouseNumber',
			'State',
			'Street',
			'ZipCode',
		]),
		required: {
			AuthenticationRequestItem: 'title',
			ShareAttributeRequestItem: 'attributeId',
			TransferFileOwnershipRequestItem: 'ownershipToken',
		},
	},
};

/** First part of some content that a generation cannot read. */
export interface Obstacle {
	/** path of members, joined with dots */
	readonly field: string;
	readonly reason: string;
	/** error that reading it causes there (docs/protocol/content.md 3.1) */
	readonly failure: 'unknownType' | 'notReadable';
}

/**
 * Finds the reason for which wallets of a generation cannot read some content; undefined if they
 * can.
 *
 * @param content parsed content
 */
export function obstacleFor(generation: Generation, content: JsonObject): Obstacle | undefined {
	return firstIn(content, [], (value, path) => obstacleAt(limits[generation], value, path));
}

/**
 * Limits of what this gateway writes to a peer of unknown generation: it may contain types that
 * only version 7 knows, but is in the form of version 6 where the forms differ.
 */
const limitsOfOwn: Limits = {
	unknownTypes: new Set(version7NotificationItemTypes),
	refusedValues: new Set(),
	required: limits[6].required,
};

/**
 * Requires own content to be in the form in which it is stored and written (dialects.ts). Which
 * peers can read it is checked for each of them before sending.
 *
 * @throws `error.runtime.requestDeserialization`, as a wallet of version 6 would
 */
export function requireStoredForm(content: JsonObject, what: string): void {
	const obstacle = obstacleInOwn(content);
	if (obstacle === undefined) return;
	const { field, reason } = obstacle;
	throw contentErrors.create('notReadable', {
		message: `${what} is not readable at '${field}': ${reason}.`,
		facts: { field },
	});
}

/** Finds content in a form in which this gateway does not write to a peer of unknown generation. */
export function obstacleInOwn(content: JsonObject): Obstacle | undefined {
	return firstIn(content, [], (value, path) => obstacleAt(limitsOfOwn, value, path));
}

/** Type that only wallets since a release of version 7 know. */
interface TypeOfRelease {
	readonly type: string;
	readonly release: PeerVersion;
}

/** Finds the type in some content, or asked for by it, that came with the latest release. */
export function newestTypeIn(content: JsonObject): TypeOfRelease | undefined {
	let newest: TypeOfRelease | undefined;
	isAnywhere(content, (value) => {
		for (const type of [String(value['@type']), askedType(value)]) {
			const release = releaseByType.get(type);
			if (release === undefined || release <= (newest?.release ?? 6)) continue;
			newest = { type, release };
		}
		return false;
	});
	return newest;
}

/**
 * Says which wallets cannot read some content, if the wallet of the peer may be one of them;
 * undefined if it reads the content, or if {@link obstacleFor} tells that it does not.
 *
 * @param content content in the dialect of the peer
 * @param version undefined if it is not known, or if there are several peers
 */
export function hintFor(version: PeerVersion | undefined, content: JsonObject): string | undefined {
	if (version === 6) return undefined;
	const newest = newestTypeIn(content);
	const hints =
		newest !== undefined && newest.release > (version ?? 6)
			? [`Wallets before version ${newest.release} cannot read ${newest.type}.`]
			: [];
	const obstacle = version === undefined ? obstacleFor(7, content) : undefined;
	if (obstacle !== undefined) {
		hints.push(`Wallets of version 7 cannot read the item: ${obstacle.reason}.`);
	}
	return hints.length === 0 ? undefined : hints.join(' ');
}

/** Tells whether a test holds for an object of some content, apart from the user's own data. */
export function isAnywhere(content: JsonObject, test: (value: JsonObject) => boolean): boolean {
	return firstIn(content, [], (value) => (test(value) ? true : undefined)) !== undefined;
}

function askedType(value: JsonObject): string {
	return String(value['valueType'] ?? objectMember(value, 'attributeCreationHints')['valueType']);
}

function obstacleAt(
	{ unknownTypes, refusedValues, required }: Limits,
	value: JsonObject,
	path: readonly string[],
): Obstacle | undefined {
	const type = String(value['@type']);
	const report = (reason: string, member?: string, isUnknown = false): Obstacle => ({
		field: [...path, ...(member === undefined ? [] : [member])].join('.'),
		reason,
		failure: isUnknown && !path.some((step) => /^\d+$/.test(step)) ? 'unknownType' : 'notReadable',
	});
	if (unknownTypes.has(type)) return report(`they do not know ${type}`, undefined, true);
	if (path.at(-1) === 'value' && refusedValues.has(type)) {
		return report(`${type} is not an attribute value for them`);
	}
	const member = required[type];
	if (member !== undefined && value[member] === undefined) {
		return report('is missing', member);
	}
	const asked = askedType(value);
	if (unknownTypes.has(asked) || refusedValues.has(asked)) {
		return report(`they cannot be asked for ${asked}`, 'valueType');
	}
	return undefined;
}

/**
 * Tells whether a member holds the user's own data, which is not interpreted even if it looks like
 * content.
 */
export function isOpen(owner: JsonObject, member: string): boolean {
	if (member === 'metadata') return true;
	const type = String(owner['@type']);
	if (/^(TokenContent)?Verifiable(Credential|Presentation)$/.test(type)) return true;
	return member === 'value' && /^Arbitrary|JSON$/.test(type);
}

/**
 * Applies a function to the typed objects of some content, from the outside in, and returns its
 * first result.
 */
function firstIn<Answer>(
	value: JsonObject,
	path: readonly string[],
	look: (value: JsonObject, path: readonly string[]) => Answer | undefined,
): Answer | undefined {
	const own = look(value, path);
	if (own !== undefined) return own;
	for (const [name, member] of Object.entries(value)) {
		if (isOpen(value, name)) continue;
		const entries = Array.isArray(member) ? [...member.entries()] : [[undefined, member] as const];
		for (const [index, entry] of entries) {
			if (!isJsonObject(entry)) continue;
			const steps = index === undefined ? [name] : [name, String(index)];
			const found = firstIn(entry, [...path, ...steps], look);
			if (found !== undefined) return found;
		}
	}
	return undefined;
}
