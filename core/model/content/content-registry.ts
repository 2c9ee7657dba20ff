import { isJsonObject, ownMember, type JsonObject } from '../json';
import { identityAttribute, relationshipAttribute } from './attributes';
import { contentErrors } from './content-errors';
import { type ContentType } from './content-type';
import {
	arbitraryRelationshipCreationContent,
	relationshipCreationContent,
} from './creation-content';
import { formFieldSettings } from './values/form-field-settings';
import {
	renderHints,
	renderHintsOverride,
	valueHints,
	valueHintsOverride,
	valueHintsValue,
} from './values/hints';
import { identityValues } from './values/identity-values';
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
} from './requests/queries';
import { relationshipValues } from './values/relationship-values';
import { requestItems } from './requests/request-items';
import { request, requestItemGroup } from './requests/requests';
import { responseItems } from './requests/response-items';
import { response, responseItemGroup, responseWrapper } from './requests/responses';
import {
	arbitraryRelationshipTemplateContent,
	relationshipTemplateContent,
} from './template-content';
import { tokenContents } from './token-content';
import { displayInformationCachedImages } from './values/verifiable-credential';

let made: ReadonlyMap<string, ContentType> | undefined;

/** Every content type that wallets exchange, by name. */
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
		displayInformationCachedImages,
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

/** Parsers by name; only names of known types are added, so the map stays bounded. */
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
 * Parses content that a peer put into a message, template or relationship (docs/protocol/content.md
 * 4.2): an object without `@type` is kept unchanged, any other must have a known type and stay
 * within its limits.
 *
 * @throws `error.runtime.unknownType`, `error.runtime.servalError`,
 * `error.runtime.requestDeserialization`, `error.runtime.unknown`,
 * `error.core-types.invalidTruncatedReference`
 */
export function parseReceivedContent(content: unknown): JsonObject {
	if (content === null) {
		throw contentErrors.create('unexpected', { message: `${received} is missing.` });
	}
	if (!isJsonObject(content)) {
		throw contentErrors.create('notReadable', { message: `${received} is not an object.` });
	}
	const type = ownMember(content, '@type');
	if (type !== undefined) return parseKind(content, receivedKindsOf(type));
	requireBounded(content, received);
	return content;
}
