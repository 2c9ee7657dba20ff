import { general } from '../../base/error-definitions';
import { defineErrors } from '../../base/errors';
import type { ErrorCode } from '../../base/error-codes';

/** Coded errors of attributes in version 7 (docs/protocol/connector-7.md 4.3, 10). */
export const localAttributeErrors = defineErrors({
	notFound: {
		...general.recordNotFound,
		remedy: 'Check the attribute ID; choose it from the list.',
	},
	duplicate: {
		code: 'error.runtime.attributes.cannotCreateDuplicateOwnIdentityAttribute',
		kind: 'conflict',
		meaning: 'This account has an identity attribute with the same value already.',
		remedy: 'Use the attribute that exists already.',
	},
	isNotOwnIdentity: {
		code: 'error.runtime.attributes.isNotOwnIdentityAttribute',
		kind: 'invalid',
		meaning: 'The attribute is of another kind than OwnIdentityAttribute.',
		remedy: 'Choose an own identity attribute.',
	},
	isNotOwnRelationship: {
		code: 'error.runtime.attributes.isNotOwnRelationshipAttribute',
		kind: 'invalid',
		meaning: 'The attribute is of another kind than OwnRelationshipAttribute.',
		remedy: 'Choose a relationship attribute that this identity owns.',
	},
	notSharedBefore: {
		code: 'error.runtime.attributes.peerHasNoPreviousVersionOfAttribute',
		kind: 'conflict',
		meaning:
			'The peer cannot be notified of a new version, because it has no earlier version of the attribute.',
		remedy: 'Share the attribute with the peer instead.',
	},
	alreadyShared: {
		code: 'error.runtime.attributes.ownIdentityAttributeHasAlreadyBeenSharedWithPeer',
		kind: 'conflict',
		meaning: 'The peer has this version of the identity attribute already.',
		remedy: 'Nothing needs to be done: the peer has this version.',
	},
	successorAlreadyShared: {
		code: 'error.runtime.attributes.successorOfOwnIdentityAttributeHasAlreadyBeenSharedWithPeer',
		kind: 'conflict',
		meaning: 'The peer has a newer version of the identity attribute already.',
		remedy: 'Nothing needs to be done: the peer has a newer version.',
	},
	deletedByPeer: {
		code: 'error.consumption.attributes.cannotSucceedSharedAttributesDeletedByPeer',
		kind: 'conflict',
		meaning: 'The peer has deleted the relationship attribute, so it gets no new version.',
		remedy: 'Create a new attribute and share it with the peer.',
	},
	forbiddenCharacters: {
		code: 'error.consumption.attributes.forbiddenCharactersInAttribute',
		kind: 'invalid',
		meaning: 'The value has characters that wallets of version 7 do not accept.',
		remedy: 'Use the letters of DIN 91379 only, for example no typographic dashes and no emoji.',
	},
	invalidTags: general.invalidTags,
});

/** Text in the frame that clients of version 7 know (docs/protocol/generation-7.md 8.1). */
export function framed(code: ErrorCode, text: string, now: string): string {
	return `${code}: '${text}' at ${now}`;
}
