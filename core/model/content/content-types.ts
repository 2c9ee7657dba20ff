/** Simple and composite identity attribute values (docs/protocol/content.md 7.3, 7.4). */
export const identityValueTypes = [
	'Affiliation',
	'AffiliationOrganization',
	'AffiliationRole',
	'AffiliationUnit',
	'BirthCity',
	'BirthCountry',
	'BirthDate',
	'BirthDay',
	'BirthMonth',
	'BirthName',
	'BirthPlace',
	'BirthState',
	'BirthYear',
	'Citizenship',
	'City',
	'CommunicationLanguage',
	'Country',
	'DeliveryBoxAddress',
	'DisplayName',
	'EMailAddress',
	'FaxNumber',
	'GivenName',
	'HonorificPrefix',
	'HonorificSuffix',
	'HouseNumber',
	'IdentityFileReference',
	'JobTitle',
	'MiddleName',
	'Nationality',
	'PersonName',
	'PhoneNumber',
	'PostOfficeBoxAddress',
	'Pseudonym',
	'SchematizedXML',
	'Sex',
	'State',
	'Street',
	'StreetAddress',
	'Surname',
	'Website',
	'ZipCode',
] as const;

/** Relationship attribute values (docs/protocol/content.md 7.6). */
export const relationshipValueTypes = [
	'Consent',
	'ProprietaryBoolean',
	'ProprietaryCountry',
	'ProprietaryEMailAddress',
	'ProprietaryFileReference',
	'ProprietaryFloat',
	'ProprietaryHEXColor',
	'ProprietaryInteger',
	'ProprietaryJSON',
	'ProprietaryLanguage',
	'ProprietaryPhoneNumber',
	'ProprietaryString',
	'ProprietaryURL',
	'ProprietaryXML',
] as const;

export const confidentialities = ['public', 'private', 'protected'] as const;

/* Value types of version 7 only (docs/protocol/content.md 13.2). */
export const version7ValueTypes = [
	'BankAccount',
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
