import { identityValueTypes, relationshipValueTypes } from './values/value-types';

export const confidentialities = ['public', 'private', 'protected'] as const;

/* Types of version 7 only (docs/protocol/content.md 13.2). */
export const version7ValueTypes = [
	'BankAccount',
	'DisplayInformationCachedImages',
	'MaritalStatus',
	'SchematizedJSON',
	'VerifiableCredential',
] as const;

export const version7RequestItemTypes = [
	'ShareAuthorizationRequestRequestItem',
	'ShareCredentialOfferRequestItem',
] as const;

export const version7NotificationItemTypes = [
	'ForwardedAttributeDeletedByPeerNotificationItem',
	'OwnAttributeDeletedByOwnerNotificationItem',
	'PeerAttributeSucceededNotificationItem',
	'PeerRelationshipAttributeDeletedByPeerNotificationItem',
] as const;

export const version7TokenContentTypes = ['TokenContentVerifiablePresentation'] as const;

const otherTypes = [
	'RelationshipTemplateContent',
	'ArbitraryRelationshipTemplateContent',
	'RelationshipCreationContent',
	'ArbitraryRelationshipCreationContent',
	'Mail',
	'ArbitraryMessageContent',
	'Request',
	'RequestItemGroup',
	'AuthenticationRequestItem',
	'ConsentRequestItem',
	'CreateAttributeRequestItem',
	'DeleteAttributeRequestItem',
	'FormFieldRequestItem',
	'FreeTextRequestItem',
	'ProposeAttributeRequestItem',
	'ReadAttributeRequestItem',
	'RegisterAttributeListenerRequestItem',
	'ShareAttributeRequestItem',
	'TransferFileOwnershipRequestItem',
	'StringFormFieldSettings',
	'IntegerFormFieldSettings',
	'DoubleFormFieldSettings',
	'BooleanFormFieldSettings',
	'DateFormFieldSettings',
	'SelectionFormFieldSettings',
	'RatingFormFieldSettings',
	'Response',
	'ResponseItemGroup',
	'ResponseWrapper',
	'AcceptResponseItem',
	'RejectResponseItem',
	'ErrorResponseItem',
	'AttributeAlreadySharedAcceptResponseItem',
	'AttributeSuccessionAcceptResponseItem',
	'CreateAttributeAcceptResponseItem',
	'DeleteAttributeAcceptResponseItem',
	'FormFieldAcceptResponseItem',
	'FreeTextAcceptResponseItem',
	'ProposeAttributeAcceptResponseItem',
	'ReadAttributeAcceptResponseItem',
	'RegisterAttributeListenerAcceptResponseItem',
	'ShareAttributeAcceptResponseItem',
	'TransferFileOwnershipAcceptResponseItem',
	'IdentityAttribute',
	'RelationshipAttribute',
	'IdentityAttributeQuery',
	'RelationshipAttributeQuery',
	'RelationshipAttributeCreationHints',
	'ThirdPartyRelationshipAttributeQuery',
	'IQLQuery',
	'IQLQueryCreationHints',
	'ValueHints',
	'ValueHintsOverride',
	'ValueHintsValue',
	'RenderHints',
	'RenderHintsOverride',
	'Notification',
	'PeerSharedAttributeSucceededNotificationItem',
	'OwnSharedAttributeDeletedByOwnerNotificationItem',
	'PeerSharedAttributeDeletedByPeerNotificationItem',
	'ThirdPartyRelationshipAttributeDeletedByPeerNotificationItem',
	'ThirdPartyOwnedRelationshipAttributeDeletedByPeerNotificationItem',
	'TokenContentFile',
	'TokenContentRelationshipTemplate',
	'TokenContentDeviceSharedSecret',
] as const;

let known: ReadonlySet<string> | undefined;

/**
 * Tells whether wallets of either generation exchange content of this type
 * (docs/protocol/content.md 2.5).
 */
export function isKnownContentType(type: string): boolean {
	known ??= new Set<string>([
		...identityValueTypes,
		...relationshipValueTypes,
		...version7ValueTypes,
		...version7RequestItemTypes,
		...version7NotificationItemTypes,
		...version7TokenContentTypes,
		...otherTypes,
	]);
	return known.has(type);
}
