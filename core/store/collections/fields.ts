/*
 * Columns of each collection for filtering and ordering. `collections.ts` takes their values from
 * the record; fields with several values (participants, recipients, tags) have side tables.
 */
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
	/**
	 * canonical JSON of content.value, which finds attributes of equal value without comparing all
	 */
	| 'canonicalValue'
	/** tags of identity attributes (several values: only eq, in, ne, notIn) */
	| 'tag';
/**
 * Fields of attribute listeners. `asked`: the kind of the query, and the value type or key that it
 * asks for
 */
export type AttributeListenerField = 'peer' | 'asked';
export type LocalNotificationField =
	'isOwn' | 'peer' | 'createdAt' | 'status' | 'receivedByDevice' | 'sourceReference';
/** Fields of identity metadata. `slot` is unique: the reference and the key together. */
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
	/** expiry of requests that have not ended */
	| 'openUntil'
	| 'pending'
	/**
	 * code of the error that refused the answer permanently, while the request waits for another
	 * attempt
	 */
	| 'deliveryFailure'
	/** earliest next attempt of the pending step */
	| 'notBefore'
	| 'sourceType'
	| 'sourceReference'
	| 'responseCreatedAt'
	| 'responseSourceType'
	| 'responseSourceReference'
	| 'responseResult'
	/* Fields with several values: only eq, in, ne, notIn. */
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
	/** creator or any recipient (several values: only eq, in, ne, notIn) */
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
	/** SHA-256 (base64url) of the token; the token itself is sealed. */
	| 'ownershipTokenHash'
	| 'idempotencyKey'
	| 'tag';
export type TokenField =
	'isOwn' | 'createdAt' | 'createdBy' | 'createdByDevice' | 'expiresAt' | 'forIdentity';
export type DeletionProcessField = 'status';
export type ObjectIntentField = 'notBefore';
export type SendIntentField = 'idempotencyKey' | 'state' | 'createdAt' | 'notBefore';
export type InboxField = 'state' | 'runId' | 'createdAt' | 'notBefore' | 'failedSubject';
