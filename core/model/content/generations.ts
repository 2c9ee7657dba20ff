import type { JsonObject } from '../json';
import { contentErrors } from './content-errors';
import { isObject } from './content-type';
import {
	version7NotificationItemTypes,
	version7RequestItemTypes,
	version7TokenContentTypes,
	version7ValueTypes,
} from './content-types';
import { objectMember } from './members';
import { isBounded } from './parse';

/** The two generations of wallets, which do not know all of each other's content. */
export type Generation = 6 | 7;

/** What a generation does not read (docs/protocol/content.md 13.2, 13.3). */
interface Limits {
	readonly unknownTypes: readonly string[];
	/** types of values that exist, but not as the value of an attribute */
	readonly refusedValues: readonly string[];
	/** by type, a member without which it is not read */
	readonly required: Readonly<Record<string, string>>;
}

const limits: Readonly<Record<Generation, Limits>> = {
	6: {
		unknownTypes: [
			...version7ValueTypes,
			...version7RequestItemTypes,
			...version7NotificationItemTypes,
			...version7TokenContentTypes,
		],
		refusedValues: [],
		required: { ShareAttributeRequestItem: 'sourceAttributeId' },
	},
	7: {
		unknownTypes: [
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
		],
		refusedValues: [
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
		],
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
	Mail: 'bodyFormat',
};

/** By type, a member that we leave out for version 6 alone: a peer in doubt gets it (dialects.ts). */
const membersLeftOutFor6: Readonly<Record<string, string>> = {
	AuthenticationRequestItem: 'title',
	ShareAttributeRequestItem: 'attributeId',
};

/**
 * What content tells of the wallet that wrote it. What version 7 does not write comes from version 6, or
 * from a gateway like this one, which reads both: that is 'not7'.
 */
export type Writer = Generation | 'not7';

/** The first thing in some content that a generation does not read, and why. */
export interface Obstacle {
	/** the way to it through the members, joined with dots */
	readonly field: string;
	readonly reason: string;
	/** what reading it there leads to (docs/protocol/content.md 3.1) */
	readonly failure: 'unknownType' | 'notReadable';
}

/**
 * Why wallets of that generation cannot read some content as it is; undefined when they can.
 *
 * @param content any content in the form that parsing gives it
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
 * What the content tells of its writer, where that shows. Nothing that we write ourselves to a peer whose
 * generation is not known is evidence for a generation (docs/protocol/content.md 13.4).
 *
 * @param content as it was received, before parsing drops what version 6 does not know
 */
export function writerOf(content: JsonObject): Writer | undefined {
	if (content['@type'] === undefined || !isBounded(content)) return undefined;
	const isNot7 = obstacleFor(7, content) !== undefined;
	const isNot6 = obstacleFor(6, content) !== undefined || isAnywhere(content, isOnlyOf7);
	if (isNot6) return isNot7 ? undefined : 7;
	if (!isNot7) return undefined;
	return isAnywhere(content, isOnlyOf6) ? 6 : 'not7';
}

/** The generation that wrote some content, where nothing else can have written it. */
export function generationOf(content: JsonObject): Generation | undefined {
	const writer = writerOf(content);
	return writer === 'not7' ? undefined : writer;
}

function isOnlyOf7(value: JsonObject): boolean {
	const type = String(value['@type']);
	if (type === 'ReadAttributeAcceptResponseItem') {
		// We write both members, so only one without the other tells.
		return value['initialAttributePeer'] !== undefined && value['thirdPartyAddress'] == null;
	}
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
	if (unknownTypes.includes(type)) return report(`they do not know ${type}`, undefined, true);
	if (path.at(-1) === 'value' && refusedValues.includes(type)) {
		return report(`${type} is no value of an attribute for them`);
	}
	const member = required[type];
	if (member !== undefined && value[member] === undefined) {
		return report('is missing', member);
	}
	const asked = value['valueType'] ?? objectMember(value, 'attributeCreationHints')['valueType'];
	if ([...unknownTypes, ...refusedValues].includes(String(asked))) {
		return report(`they cannot be asked for ${String(asked)}`, 'valueType');
	}
	return undefined;
}

/** Members whose content is the user's own, whatever it looks like. */
export function isOpen(owner: JsonObject, member: string): boolean {
	if (member === 'metadata') return true;
	return member === 'value' && /^Arbitrary|JSON$/.test(String(owner['@type']));
}

/** The first answer for an object in typed content, from the outside in. */
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
			if (!isObject(entry)) continue;
			const steps = index === undefined ? [name] : [name, String(index)];
			const found = firstIn(entry, [...path, ...steps], look);
			if (found !== undefined) return found;
		}
	}
	return undefined;
}
