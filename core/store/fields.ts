/* Columns of each collection: what can be filtered and ordered by. Values are taken from the record
 * by `collections.ts`; multi-valued ones (participants, recipients, tags) live in side tables. */
export type AttributeField =
	| 'createdAt'
	| 'owner'
	| 'contentType'
	| 'valueType'
	| 'key'
	| 'confidentiality'
	| 'isTechnical'
	| 'validFrom'
	| 'validTo'
	| 'wasViewedAt'
	| 'peer'
	| 'requestReference'
	| 'notificationReference'
	| 'sourceAttribute'
	| 'thirdPartyAddress'
	| 'parentId'
	| 'succeeds'
	| 'succeededBy'
	| 'deletionStatus'
	| 'deletionDate'
	| 'isDefault'
	/** canonical JSON of content.value: attributes of equal value are found without comparing all */
	| 'canonicalValue'
	/** of identity attributes (multi-valued: only eq, in, ne, notIn) */
	| 'tag';
/** `asked`: the kind of the query, and the type of value or the key that it is about */
export type AttributeListenerField = 'peer' | 'asked';
export type LocalNotificationField =
	'isOwn' | 'peer' | 'createdAt' | 'status' | 'receivedByDevice' | 'sourceReference';
/** `slot` is unique: the reference and the key together. */
export type IdentityMetadataField = 'reference' | 'slot';
export type SettingField =
	'key' | 'scope' | 'reference' | 'createdAt' | 'succeedsItem' | 'succeedsAt';
export type DraftField = 'type' | 'createdAt' | 'lastModifiedAt';
export type RequestField =
	| 'isOwn'
	| 'peer'
	| 'status'
	| 'createdAt'
	| 'wasAutomaticallyDecided'
	| 'expiresAt'
	/** the expiry of those that have not ended */
	| 'openUntil'
	| 'pending'
	/** code of what refused the answer for good, while the request waits for another try of it */
	| 'deliveryFailure'
	/** earliest next try of what is pending */
	| 'notBefore'
	| 'sourceType'
	| 'sourceReference'
	| 'responseCreatedAt'
	| 'responseSourceType'
	| 'responseSourceReference'
	| 'responseResult'
	/* multi-valued: only eq, in, ne, notIn */
	| 'ownId'
	| 'itemType'
	| 'innerItemType'
	| 'responseItemType'
	| 'responseInnerItemType';
export type TemplateField =
	| 'isOwn'
	| 'createdAt'
	| 'expiresAt'
	| 'createdBy'
	| 'createdByDevice'
	| 'maxNumberOfAllocations'
	| 'forIdentity'
	| 'title'
	| 'templateKeyId'
	| 'deletedAt';
export type RelationshipField =
	'peer' | 'status' | 'templateId' | 'createdAt' | 'createdByUs' | 'operation' | 'notBefore';
export type RelationshipIntentField = 'templateId';
export type MessageField =
	| 'isOwn'
	| 'createdBy'
	| 'createdByDevice'
	| 'createdAt'
	| 'contentType'
	| 'subject'
	| 'body'
	| 'wasReadAt'
	/** creator or any recipient (multi-valued: only eq, in, ne, notIn) */
	| 'participant'
	| 'recipient'
	| 'recipientRelationshipId'
	| 'attachment';
export type FileField =
	| 'isOwn'
	| 'owner'
	| 'createdAt'
	| 'createdBy'
	| 'createdByDevice'
	| 'expiresAt'
	| 'filename'
	| 'filesize'
	| 'mimetype'
	| 'title'
	| 'description'
	| 'ownershipIsLocked'
	/** SHA-256 (base64url) of the token, which itself is sealed */
	| 'ownershipTokenHash'
	| 'idempotencyKey'
	| 'tag';
export type TokenField =
	'isOwn' | 'createdAt' | 'createdBy' | 'createdByDevice' | 'expiresAt' | 'forIdentity';
export type DeletionProcessField = 'status';
export type ObjectIntentField = 'notBefore';
export type SendIntentField = 'idempotencyKey' | 'state' | 'createdAt' | 'notBefore';
export type InboxField = 'state' | 'runId' | 'createdAt' | 'notBefore' | 'failedSubject';
