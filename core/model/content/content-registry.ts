import type { JsonObject } from '../json';
import { identityAttribute, relationshipAttribute, version7Values } from './attributes';
import { contentErrors } from './content-errors';
import { isObject, type ContentType } from './content-type';
import {
	arbitraryRelationshipCreationContent,
	relationshipCreationContent,
} from './creation-content';
import { formFieldSettings } from './form-field-settings';
import {
	renderHints,
	renderHintsOverride,
	valueHints,
	valueHintsOverride,
	valueHintsValue,
} from './hints';
import { identityValues } from './identity-values';
import { arbitraryMessageContent, mail } from './message-content';
import { notification, notificationItems } from './notifications';
import { ContentKinds, parseKind, requireBounded } from './parse';
import {
	identityAttributeQuery,
	iqlQuery,
	iqlQueryCreationHints,
	relationshipAttributeCreationHints,
	relationshipAttributeQuery,
	thirdPartyRelationshipAttributeQuery,
} from './queries';
import { relationshipValues } from './relationship-values';
import { requestItems } from './request-items';
import { request, requestItemGroup } from './requests';
import { responseItems } from './response-items';
import { response, responseItemGroup, responseWrapper } from './responses';
import {
	arbitraryRelationshipTemplateContent,
	relationshipTemplateContent,
} from './template-content';
import { tokenContents } from './token-content';

let made: ReadonlyMap<string, ContentType> | undefined;

/** Every type that wallets exchange, by name. */
export function contentTypes(): ReadonlyMap<string, ContentType> {
	const types = (): ContentType[] => [
		relationshipTemplateContent,
		arbitraryRelationshipTemplateContent,
		relationshipCreationContent,
		arbitraryRelationshipCreationContent,
		mail,
		arbitraryMessageContent,
		notification,
		...notificationItems,
		request,
		requestItemGroup,
		...requestItems,
		...formFieldSettings,
		response,
		responseItemGroup,
		responseWrapper,
		...responseItems,
		identityAttribute,
		relationshipAttribute,
		...Object.values(identityValues()),
		...version7Values,
		...Object.values(relationshipValues()),
		identityAttributeQuery,
		relationshipAttributeQuery,
		relationshipAttributeCreationHints,
		thirdPartyRelationshipAttributeQuery,
		iqlQuery,
		iqlQueryCreationHints,
		valueHints,
		valueHintsOverride,
		valueHintsValue,
		renderHints,
		renderHintsOverride,
		...tokenContents,
	];
	made ??= new Map(types().map((type) => [type.name, type]));
	return made;
}

const received = 'The received content';

const unknownKinds = new ContentKinds(received, () => []);

/** By the name of a type that is known. */
const receivedKinds = new Map<string, ContentKinds>();

function receivedKindsOf(name: unknown): ContentKinds {
	if (typeof name !== 'string') return unknownKinds;
	const kept = receivedKinds.get(name);
	if (kept !== undefined) return kept;
	const type = contentTypes().get(name);
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
 * `error.runtime.requestDeserialization`, `error.runtime.unknown`,
 * `error.core-types.invalidTruncatedReference`
 */
export function parseReceivedContent(content: unknown): JsonObject {
	if (content === null) {
		throw contentErrors.create('unexpected', { message: `${received} is missing.` });
	}
	if (!isObject(content)) {
		throw contentErrors.create('notReadable', { message: `${received} is not an object.` });
	}
	const type = Object.hasOwn(content, '@type') ? content['@type'] : undefined;
	if (type !== undefined) return parseKind(content, receivedKindsOf(type));
	requireBounded(content, received);
	return content;
}
