import type { JsonObject } from '../json';
import type { PeerVersion } from '../peer-version';
import { isAnywhere, newestTypeIn, obstacleFor, obstacleInOwn } from './generations';
import { isBounded } from './parse';

/**
 * What some content shows about the version of the wallet that wrote it. A gateway like this one
 * reads both generations, and what it writes to a peer in doubt proves neither
 * (docs/protocol/content.md 13.4).
 */
export interface Evidence {
	/** version 6, or a release of version 7 that the writer has or has passed */
	readonly version?: PeerVersion;
	/** release that the writer has or has passed if it is known to have version 7; it has not 6 */
	readonly ifVersion7?: PeerVersion;
	/** the writer has neither this release of version 7 nor a later one */
	readonly before?: 7 | 7.1;
}

/**
 * Finds what some content shows about its writer; undefined if it shows nothing, or signs of both
 * generations.
 *
 * @param content content as received, before parsing drops members unknown to version 6
 */
export function evidenceIn(content: JsonObject): Evidence | undefined {
	if (content['@type'] === undefined || !isBounded(content)) return undefined;
	const shows = (sign: (value: JsonObject) => boolean): boolean => isAnywhere(content, sign);
	const isNot7 = obstacleFor(7, content) !== undefined || shows(isNotOf7);
	const isOf7 = obstacleInOwn(content) !== undefined || shows(isOf70);
	const isOf71 = shows(isPlainMail);
	if (isNot7 && (isOf7 || isOf71)) return undefined;
	const newest = newestTypeIn(content)?.release ?? (shows(isMarkdownMail) ? 7.1 : undefined);
	if (isNot7 && newest === undefined && shows(isOnlyOf6)) return { version: 6 };
	const before = isNot7 ? 7 : shows(isBefore71) ? 7.1 : undefined;
	const evidence: Evidence = {
		...(isOf7 || isOf71 ? { version: newest ?? (isOf71 ? 7.1 : 7) } : {}),
		...(isOf7 || isOf71 || newest === undefined ? {} : { ifVersion7: newest }),
		...(before === undefined ? {} : { before }),
	};
	return Object.keys(evidence).length === 0 ? undefined : evidence;
}

/**
 * Version that is known of a peer after some content from it.
 *
 * @param known version that was known before
 */
export function versionAfter(
	known: PeerVersion | undefined,
	{ version, ifVersion7, before }: Evidence,
): PeerVersion | undefined {
	const isRefuted = known !== undefined && before !== undefined && known >= before;
	const kept = isRefuted ? undefined : known;
	if (version === 6) return 6;
	if (version !== undefined) return later(version, kept ?? version);
	if (ifVersion7 === undefined || kept === undefined) return kept;
	return kept === 6 ? undefined : later(kept, ifVersion7);
}

/** Version that one content shows by itself. */
export function versionShownBy(content: JsonObject): PeerVersion | undefined {
	return versionAfter(undefined, evidenceIn(content) ?? {});
}

const later = (one: PeerVersion, other: PeerVersion): PeerVersion => (one > other ? one : other);

const typeOf = (value: JsonObject): string => String(value['@type']);

const namesThirdParty = (value: JsonObject): boolean => value['thirdPartyAddress'] != null;

/** Members by type that version 6 neither writes nor keeps (docs/protocol/content.md 13.2). */
function isOf70(value: JsonObject): boolean {
	switch (typeOf(value)) {
		case 'ConsentRequestItem':
			return value['requiresInteraction'] !== undefined;
		case 'ReadAttributeAcceptResponseItem':
			// This gateway writes both members, so only one without the other is evidence.
			return value['initialAttributePeer'] !== undefined && !namesThirdParty(value);
		default:
			return false;
	}
}

/** A gateway like this one writes the usual format to a peer that is known to have version 7. */
const isPlainMail = (value: JsonObject): boolean =>
	typeOf(value) === 'Mail' && value['bodyFormat'] === 'PlainText';

const isMarkdownMail = (value: JsonObject): boolean =>
	typeOf(value) === 'Mail' && value['bodyFormat'] === 'Markdown';

/** Members that version 7 drops, apart from types and members that it cannot read. */
function isNotOf7(value: JsonObject): boolean {
	const type = typeOf(value);
	const has = (...names: string[]): boolean => names.some((name) => value[name] !== undefined);
	if (/Attribute(Query)?$/.test(type)) return has('validFrom', 'validTo');
	if (!/RequestItem$/.test(type)) return false;
	const keepsTitle = type === 'AuthenticationRequestItem' || type === 'FormFieldRequestItem';
	return has('requireManualDecision', 'sourceAttributeId') || (has('title') && !keepsTitle);
}

/** Members that this gateway leaves out towards version 6 only. */
function isOnlyOf6(value: JsonObject): boolean {
	const type = typeOf(value);
	if (type === 'AuthenticationRequestItem') return value['title'] === undefined;
	return type === 'ShareAttributeRequestItem' && value['attributeId'] === undefined;
}

/** Forms that releases of version 7 from 7.1.0 on do not write. */
function isBefore71(value: JsonObject): boolean {
	const type = typeOf(value);
	if (type === 'Mail') return value['bodyFormat'] === undefined;
	const isAboutThirdParty =
		type === 'ShareAttributeRequestItem' || type === 'ReadAttributeAcceptResponseItem';
	return isAboutThirdParty && namesThirdParty(value) && value['initialAttributePeer'] === undefined;
}
