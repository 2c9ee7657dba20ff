import { isJsonObject, type JsonObject } from '../json';
import { contentErrors } from './content-errors';
import {
	version7NotificationItemTypes,
	version7RequestItemTypes,
	version7TokenContentTypes,
	version7ValueTypes,
} from './content-types';
import { objectMember } from './members';
import { isBounded } from './parse';

/** Generations of wallets; each has content types that the other does not know. */
export type Generation = 6 | 7;

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
		unknownTypes: new Set([
			...version7ValueTypes,
			...version7RequestItemTypes,
			...version7NotificationItemTypes,
			...version7TokenContentTypes,
		]),
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

/** By type, a member that version 6 neither writes nor keeps (docs/protocol/content.md 13.2). */
const membersOfVersion7: Readonly<Record<string, string>> = {
	ConsentRequestItem: 'requiresInteraction',
};

/**
 * By type, a member omitted for version 6 only; a peer of unknown generation receives it
 * (dialects.ts).
 */
const membersLeftOutFor6: Readonly<Record<string, string>> = {
	AuthenticationRequestItem: 'title',
	ShareAttributeRequestItem: 'attributeId',
};

/**
 * Generation of the wallet that wrote some content. 'not7' means version 6, or a gateway like this
 * one, which reads both dialects.
 */
export type Writer = Generation | 'not7';

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
 * @throws `error.runtime.unknownType`, `error.runtime.requestDeserialization`, as a wallet of that
 * generation would
 */
export function requireReadableBy(generation: Generation, content: JsonObject, what: string): void {
	const obstacle = obstacleFor(generation, content);
	if (obstacle === undefined) return;
	const { field, reason, failure } = obstacle;
	throw contentErrors.create(failure, {
		message: `${what} is not readable for wallets of version ${generation} at '${field}': ${reason}.`,
		facts: { field },
	});
}

/**
 * Infers the writer of some content where the content shows it. Content that this gateway writes to
 * a peer of unknown generation is never evidence (docs/protocol/content.md 13.4).
 *
 * @param content content as received, before parsing drops members unknown to version 6
 */
export function writerOf(content: JsonObject): Writer | undefined {
	if (content['@type'] === undefined || !isBounded(content)) return undefined;
	const isNot7 = obstacleFor(7, content) !== undefined;
	const isNot6 = obstacleFor(6, content) !== undefined || isAnywhere(content, isOnlyOf7);
	if (isNot6) return isNot7 ? undefined : 7;
	if (!isNot7) return undefined;
	return isAnywhere(content, isOnlyOf6) ? 6 : 'not7';
}

/** Generation that wrote some content, if no other could have. */
export function generationOf(content: JsonObject): Generation | undefined {
	const writer = writerOf(content);
	return writer === 'not7' ? undefined : writer;
}

function isOnlyOf7(value: JsonObject): boolean {
	const type = String(value['@type']);
	if (type === 'ReadAttributeAcceptResponseItem') {
		// This gateway writes both members, so only one without the other is evidence.
		return value['initialAttributePeer'] !== undefined && value['thirdPartyAddress'] == null;
	}
	// A gateway like this one writes the other format to a peer in doubt.
	if (type === 'Mail') return value['bodyFormat'] === 'PlainText';
	const member = membersOfVersion7[type];
	return member !== undefined && value[member] !== undefined;
}

function isOnlyOf6(value: JsonObject): boolean {
	const member = membersLeftOutFor6[String(value['@type'])];
	return member !== undefined && value[member] === undefined;
}

function isAnywhere(content: JsonObject, test: (value: JsonObject) => boolean): boolean {
	return firstIn(content, [], (value) => (test(value) ? true : undefined)) !== undefined;
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
	const asked = String(
		value['valueType'] ?? objectMember(value, 'attributeCreationHints')['valueType'],
	);
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
	return member === 'value' && /^Arbitrary|JSON$/.test(String(owner['@type']));
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
