import type { JsonObject } from '../json';
import { builtIdentityValues } from './attribute-values';
import {
	identityAttribute,
	identityAttributeQuery,
	iqlQuery,
	relationshipAttribute,
	relationshipAttributeQuery,
	thirdPartyRelationshipAttributeQuery,
} from './attributes';
import { contentErrors } from './content-errors';
import { isObject, namedType, type ContentType } from './content-type';
import { isKnownContentType } from './content-types';
import {
	arbitraryRelationshipCreationContent,
	relationshipCreationContent,
} from './creation-content';
import {
	iqlQueryCreationHints,
	relationshipAttributeCreationHints,
	valueHints,
	valueHintsValue,
} from './hints';
import { arbitraryMessageContent, mail } from './message-content';
import { ContentKinds, parseKind, requireBounded } from './parse';
import { builtRequestItems, request, requestItemGroup } from './requests';
import { builtResponseItems, response, responseItemGroup, responseWrapper } from './responses';
import {
	arbitraryRelationshipTemplateContent,
	relationshipTemplateContent,
} from './template-content';

/** Every type whose members are known here, in no particular order. */
export const builtContentTypes: readonly ContentType[] = [
	relationshipTemplateContent,
	arbitraryRelationshipTemplateContent,
	relationshipCreationContent,
	arbitraryRelationshipCreationContent,
	mail,
	arbitraryMessageContent,
	request,
	requestItemGroup,
	...builtRequestItems,
	response,
	responseItemGroup,
	responseWrapper,
	...builtResponseItems,
	identityAttribute,
	relationshipAttribute,
	identityAttributeQuery,
	relationshipAttributeQuery,
	relationshipAttributeCreationHints,
	thirdPartyRelationshipAttributeQuery,
	iqlQuery,
	iqlQueryCreationHints,
	valueHints,
	valueHintsValue,
	...Object.values(builtIdentityValues),
];

/** Undefined for names that no wallet knows; a type that is known by name only keeps its members. */
export function findContentType(name: string): ContentType | undefined {
	const built = builtContentTypes.find((type) => type.name === name);
	if (built !== undefined) return built;
	return isKnownContentType(name) ? namedType(name) : undefined;
}

const received = 'The received content';

const unknownKinds = new ContentKinds(received, () => []);

/** By the name of a type that is known. */
const receivedKinds = new Map<string, ContentKinds>();

function receivedKindsOf(name: unknown): ContentKinds {
	if (typeof name !== 'string') return unknownKinds;
	const kept = receivedKinds.get(name);
	if (kept !== undefined) return kept;
	const type = findContentType(name);
	if (type === undefined) return unknownKinds;
	const kinds = new ContentKinds(received, () => [type]);
	receivedKinds.set(name, kinds);
	return kinds;
}

/**
 * Reads what a peer put into a message, template or relationship (docs/protocol/content.md 4.2): an
 * object without `@type` is kept untouched, any other must be of a known type and within its limits.
 *
 * @throws `error.runtime.unknownType`, `error.runtime.servalError`,
 * `error.runtime.requestDeserialization`
 */
export function parseReceivedContent(content: unknown): JsonObject {
	if (!isObject(content)) {
		throw contentErrors.create('notReadable', { message: `${received} is not an object.` });
	}
	const type = Object.hasOwn(content, '@type') ? content['@type'] : undefined;
	if (type !== undefined) return parseKind(content, receivedKindsOf(type));
	requireBounded(content, received);
	return content;
}
